/// What an item says in one locale.
package struct ItemText: Sendable, Equatable {
    package let title: String
    package let subtitle: String?
    /// What the image shows.
    package let imageAlt: String?
}
