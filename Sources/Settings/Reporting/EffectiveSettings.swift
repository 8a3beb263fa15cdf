/// Each setting as it is in force, with the place where it was given; holds no secret.
package struct EffectiveSettings: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        package let name: SettingName
        /// Without what is secret in it.
        package let text: String
        package let origin: SettingOrigin
    }

    /// In the order of the declarations.
    package let entries: [Entry]
}
