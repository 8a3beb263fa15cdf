package import Arguments

extension Settings {
    /// The settings as options, for the commands that read them.
    package static var flagGroup: OptionGroup {
        OptionGroup("Settings", declarations.map(\.option))
    }
}
