internal import Artwork
internal import Host

/// The placeholders of generated images, each made once. There are a few thousand styles, so all are kept.
struct PlaceholderCache: Sendable {
    private let made = Locked<[Artwork.ArtworkStyle: Placeholder]>([:])

    /// The placeholder of an artwork. It is made outside the lock, so callers at the same time may each make it.
    subscript(artwork: Artwork) -> Placeholder {
        let style = artwork.style
        if let known = made.withLock({ $0[style] }) { return known }
        let placeholder = artwork.placeholder
        made.withLock { $0[style] = placeholder }
        return placeholder
    }
}
