/// The dotted path of a setting, such as `limits.headerBytes`, from which every other spelling of it derives.
package struct SettingName: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    package let description: String

    package init(stringLiteral name: StaticString) {
        description = name.description
    }

    /// The keys on the way to it in the file.
    package var keys: [String] { description.split(separator: ".").map(String.init) }

    /// Without its dashes: `limits-header-bytes`.
    package var flag: String { words.joined(separator: "-") }

    /// `VITRINE_LIMITS_HEADER_BYTES`.
    package var variable: String { Self.variablePrefix + words.joined(separator: "_").uppercased() }

    /// The variable that names a file which holds the value, for secrets.
    package var fileVariable: String { variable + "_FILE" }

    static let variablePrefix = "VITRINE_"

    private var words: [String] {
        keys.flatMap { key in
            var words = [""]
            for character in key {
                if character.isUppercase { words.append("") }
                words[words.count - 1] += character.lowercased()
            }
            return words
        }
    }
}
