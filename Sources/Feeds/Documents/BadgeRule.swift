package import Items

/// A mark on some of a section's placements, such as `new`.
package struct BadgeRule: Sendable, Hashable {
    package enum Selector: Sendable, Hashable {
        case rule(Rule)
        /// Never empty.
        case items([ItemReference])
    }

    package static let most = 20

    package let badge: String
    package let bearers: Selector
}
