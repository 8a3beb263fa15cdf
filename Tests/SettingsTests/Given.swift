import Settings

/// What a test gives as sources: flags without their dashes, variables, files by their path.
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

    /// The mistakes, a line each, without the heading.
    var issues: [String] {
        do throws(SettingsError) {
            _ = try load()
            return []
        } catch {
            return error.issues.map(\.description)
        }
    }
}
