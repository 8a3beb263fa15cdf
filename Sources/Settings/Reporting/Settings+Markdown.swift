extension Settings {
    /// The table of settings in Markdown, as the README holds it.
    package static var settingsTable: String {
        let rows = declarations.map { setting in
            let variables = setting.variables.map { "`\($0)`" }.joined(separator: ", ")
            return "| `\(setting.name)` | `--\(setting.name.flag)` | \(variables) | \(setting.shownDefault) | \(setting.meaning) |\n"
        }
        return "| setting | flag | environment | default | meaning |\n| --- | --- | --- | --- | --- |\n" + rows.joined()
    }
}
