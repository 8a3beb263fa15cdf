/// The dotted path of a setting, such as `limits.headerBytes`, from which every other spelling of it derives.
package struct SettingName: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    package let description: String
    /// The keys on the way to it in the file.
    package let keys: [String]
    /// Without its dashes: `limits-header-bytes`.
    package let flag: String
    /// `VITRINE_LIMITS_HEADER_BYTES`.
    package let variable: String

    /// The variable that names a file which holds the value, for secrets.
    package var fileVariable: String { variable + "_FILE" }

    static let variablePrefix = "VITRINE_"

    package init(stringLiteral name: StaticString) {
        description = name.description
        keys = description.split(separator: ".").map(String.init)
        flag = keys.map { $0.words(joinedBy: "-") }.joined(separator: "-")
        variable = Self.variablePrefix + keys.map { $0.words(joinedBy: "_").uppercased() }.joined(separator: "_")
    }
}

extension SettingName: Hashable {
    package static func == (a: SettingName, b: SettingName) -> Bool { a.description == b.description }

    package func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension String {
    /// `headerBytes` as `header-bytes`.
    fileprivate func words(joinedBy separator: String) -> String {
        map { $0.isUppercase ? separator + $0.lowercased() : String($0) }.joined()
    }
}
