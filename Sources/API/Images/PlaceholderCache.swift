internal import Artwork
internal import Host

/// The placeholders of drawn pictures, each made once: there are some thousand looks, so nothing is ever taken out.
final class PlaceholderCache: Sendable {
    private let made = Locked<[Artwork.ArtworkStyle: Placeholder]>([:])

    subscript(artwork: Artwork) -> Placeholder {
        let look = artwork.look
        if let known = made.withLock({ $0[look] }) { return known }
        let placeholder = artwork.placeholder
        made.withLock { $0[look] = placeholder }
        return placeholder
    }
}
