package import JSON
internal import Spelling

/// Where the value of a setting was given, strongest first.
package enum SettingOrigin: Sendable, Equatable {
    /// With its dashes.
    case flag(String)
    case variable(String)
    /// A file that holds a secret, named by a variable.
    case secretFile(variable: String, path: String)
    case file(path: String, JSONPosition, JSONPointer)
    case `default`
}

extension SettingOrigin: CustomStringConvertible {
    /// A place that a person can go to: `--loops`, `VITRINE_LOOPS`, `config/vitrine.json:4:12 (/loops)`.
    package var description: String {
        switch self {
        case .flag(let name), .variable(let name): name
        case .secretFile(let variable, let path): "\(variable) (\(path.placeName))"
        case .file(let path, let position, let pointer):
            "\(path.placeName):\(position.line):\(position.column)"
                + (pointer.tokens.isEmpty ? "" : " (\(String(describing: pointer).placeName))")
        case .default: "default"
        }
    }
}

extension String {
    /// A path in a message, unless it may be a URL with a password that was taken for one.
    var placeName: String { utf8.contains(UInt8(ascii: "@")) ? "a name with '@', not shown" : printable(limit: 200) }
}
