internal import Artwork

/// The placeholders of drawn pictures, each made once: there are some thousand styles, so that all are kept.
struct PlaceholderCache: Sendable {
    private let made = BoundedCache<Artwork.ArtworkStyle, Placeholder>(limit: .max)

    subscript(artwork: Artwork) -> Placeholder { made.value(of: artwork.look) { artwork.placeholder } }
}
