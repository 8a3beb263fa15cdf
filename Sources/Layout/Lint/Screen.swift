/// A device that layouts are tried on, known by its name.
package struct Screen: Sendable, Hashable {
    package let name: String
    package let title: String
    /// Held from left to right.
    package let environment: LayoutEnvironment
}

/// The screens that every layout has to work on.
package struct ScreenMatrix: Sendable, Hashable {
    package let screens: [Screen]

    package init(screens: [Screen]) { self.screens = screens }

    package subscript(name: String) -> Screen? { screens.first { $0.name.utf8.elementsEqual(name.utf8) } }
}
