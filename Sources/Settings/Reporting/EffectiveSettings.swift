package import JSON
internal import Values

/// Each setting in force with its source, without secrets.
package struct EffectiveSettings: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        package let name: SettingName
        /// The value without its secret part.
        package let text: String
        package let origin: SettingOrigin
    }

    /// The entries in the order of the declarations.
    package let entries: [Entry]
}

/// Encodes an array of objects with the strings `name`, `value` and `from`.
extension EffectiveSettings: JSONEncodable {
    @usableFromInline
    package func encode(to json: inout JSONWriter) { json.value(entries) }
}

extension EffectiveSettings.Entry: JSONObjectEncodable {
    @usableFromInline
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("name", name.description)
        json.member("value", text)
        json.member("from", origin.description)
    }
}

extension EffectiveSettings {
    /// Returns aligned columns with a heading, at least 40 wide. Without a width, they are as wide as needed. A
    /// truncated text ends in an ellipsis.
    package func table(width: Int?) -> String {
        let rows = [["SETTING", "VALUE", "FROM"]] + entries.map { [$0.name.description, $0.text.printable(), $0.origin.description] }
        var widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
        if let width {
            let room = max(width, 40) - widths[0] - 4
            let least = min(widths[1], max(room / 2, room - widths[2]))
            widths[2] = min(widths[2], room - least)
            widths[1] = min(widths[1], room - widths[2])
        }
        return rows.map { row in
            let cells = zip(row, widths).map { $0.cut(to: $1) }
            return "\(cells[0].padded(to: widths[0]))  \(cells[1].padded(to: widths[1]))  \(cells[2])\n"
        }.joined()
    }
}

extension String {
    fileprivate func cut(to width: Int) -> String {
        count <= width ? self : prefix(max(0, width - 1)) + "…"
    }

    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}

/// The source of a setting's value, strongest first.
package enum SettingOrigin: Sendable, Equatable {
    /// A flag, with its dashes.
    case flag(String)
    case variable(String)
    /// A file that holds a secret, named by a variable.
    case secretFile(variable: String, path: String)
    case file(path: String, JSONPosition, JSONPointer)
    case `default`
}

extension SettingOrigin: CustomStringConvertible {
    /// The location for a user: `--loops`, `VITRINE_LOOPS`, `config/vitrine.json:4:12 (/loops)`.
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

/// Prints no more than the description in every form, because a path or a key may be a misplaced password.
extension SettingOrigin: CustomDebugStringConvertible, CustomReflectable {
    package var debugDescription: String { description }

    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension JSONPointer {
    fileprivate var discreetName: String {
        JSONPointer(tokens: tokens.map { $0.mayHoldPassword ? "…" : $0 }).description.discreetName
    }
}

extension String {
    /// The name of a file, a variable or a key. It is omitted if it may be a URL with a misplaced password.
    var discreetName: String { mayHoldPassword ? "(a name that may hold a password)" : printable(limit: 200) }
}

extension Settings {
    /// The table of settings in Markdown, as docs/settings.md contains it.
    package static var settingsTable: String {
        let rows = declarations.map { setting in
            let variables = setting.variables.map { "`\($0)`" }.joined(separator: ", ")
            return
                "| `\(setting.name)` | `--\(setting.displayedFlag)` | \(variables) | \(setting.displayedDefault) | \(setting.meaning) |\n"
        }
        return "| Setting | Option | Environment | Default | Description |\n| --- | --- | --- | --- | --- |\n" + rows.joined()
    }
}
