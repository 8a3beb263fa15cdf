internal import Arguments

extension Settings {
    /// Every setting in the order of its declaration.
    package static let declarations: [SettingDeclaration] = {
        var reader = SettingsReader(.none, file: nil, mistakes: [])
        _ = Settings(from: &reader)
        return reader.declarations
    }()

    /// Reads the settings: a flag before a variable before the file before the default.
    ///
    /// - Parameter sources: What was given.
    /// - Returns: The settings, and where each of them was given.
    /// - Throws: Every mistake of every source at once.
    package static func load(from sources: SettingsSources) throws(SettingsError) -> (settings: Settings, effective: EffectiveSettings) {
        var mistakes: [SettingsMistake] = []
        let file = readFile(of: sources, reporting: &mistakes)
        var reader = SettingsReader(sources, file: file, mistakes: mistakes)
        let settings = Settings(from: &reader)
        reader.refuseUnknownVariables()
        guard reader.mistakes.isEmpty else { throw SettingsError(reader.mistakes) }
        return (settings, EffectiveSettings(entries: reader.effective))
    }

    /// Nil where there is none to read.
    private static func readFile(of sources: SettingsSources, reporting mistakes: inout [SettingsMistake]) -> SettingsFile? {
        var choice = SettingsReader(sources, file: nil, mistakes: [])
        let path = choice.value(configuration)
        // What is wrong with the choice itself is reported when all settings are read.
        guard choice.mistakes.isEmpty else { return nil }
        let origin = choice.effective.first?.origin ?? .default
        do throws(FileFailure) {
            return SettingsFile(try sources.readFile(path), path: path, declarations: declarations)
        } catch {
            let isDefault = origin == .default
            if isDefault, error.isMissing { return nil }
            let subject = isDefault ? "\(path): " : ""
            let found = isDefault ? "" : ", found \(path.quoted)"
            mistakes.append(
                SettingsMistake(isDefault ? nil : origin, "\(subject)expected a file that can be read\(found): \(error.reason)"))
            return nil
        }
    }
}
