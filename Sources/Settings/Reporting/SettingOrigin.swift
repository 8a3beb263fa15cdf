package import JSON
internal import Values

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
        case .flag(let name), .variable(let name): name.discreetName
        case .secretFile(let variable, let path): "\(variable) (\(path.discreetName))"
        case .file(let path, let position, let pointer):
            "\(path.discreetName):\(position.line):\(position.column)" + (pointer.tokens.isEmpty ? "" : " (\(pointer.discreetName))")
        case .default: "default"
        }
    }
}

/// A path and a key may be a password that went astray, so no other way to print them shows more than the description.
extension SettingOrigin: CustomDebugStringConvertible, CustomReflectable {
    package var debugDescription: String { description }

    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension JSONPointer {
    fileprivate var discreetName: String {
        JSONPointer(tokens: tokens.map { $0.mayHoldPassword ? "…" : $0 }).description.discreetName
    }
}
