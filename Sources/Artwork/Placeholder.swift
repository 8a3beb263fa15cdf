/// What stands for a picture until it is there.
package struct Placeholder: Sendable, Hashable {
    /// The colour that most of it has, as `#RRGGBB`.
    package let color: String
    /// In four by three waves.
    package let blurhash: String
}
