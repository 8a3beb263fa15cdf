import Settings

/// The sources of a test: flags without their dashes, variables, and files by path.
struct Given {
    var flags: [String: String] = [:]
    var variables: [String: String] = [:]
    var files: [String: String] = [:]

    var sources: SettingsSources {
        SettingsSources(flagText: { flags[$0] }, environment: variables, foreignVariables: ["VITRINE_OUTPUT"]) {
            path throws(FileFailure) in
            guard let text = files[path] else { throw FileFailure(isMissing: true, reason: "No such file or directory") }
            return Array(text.utf8)
        }
    }

    func load() throws(SettingsError) -> Settings { try Settings.load(from: sources).settings }

    func report() throws(SettingsError) -> EffectiveSettings { try Settings.load(from: sources).effective }

    /// The issues, one line each, without the heading.
    var issues: [String] {
        do throws(SettingsError) {
            _ = try load()
            return []
        } catch {
            return error.issues.map(\.description)
        }
    }
}
