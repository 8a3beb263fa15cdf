package import Items

/// An item that a curator put at a place of a section.
package struct Pin: Sendable, Hashable {
    /// From 0, below the section's limit.
    package let slot: Int
    package let item: ItemReference
}
