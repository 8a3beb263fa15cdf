/// A picture, and what stands in its place until it is loaded.
package struct ItemImage: Sendable, Equatable {
    /// Nil for the artwork that is made of the item's id.
    package let url: String?
    package let width: Int
    package let height: Int
    /// `#RRGGBB`.
    package let color: String
    package let blurhash: String
}
