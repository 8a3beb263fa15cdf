internal import Artwork

/// The placeholders of generated images, each made once. There are a few thousand styles, so all are kept.
struct PlaceholderCache: Sendable {
    private let made = BoundedCache<Artwork.ArtworkStyle, Placeholder>(limit: .max)

    subscript(artwork: Artwork) -> Placeholder { made.value(of: artwork.style) { artwork.placeholder } }
}
