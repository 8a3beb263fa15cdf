internal import Artwork
internal import HTTP
internal import HTTPMessages
internal import Host
internal import Security
internal import Values

/// Drawn pictures as they are served, each drawn once; those that were asked for last are kept.
final class ImageCache: Sendable {
    private struct Key: Hashable {
        let id: UUID
        let variant: ArtworkVariant
    }

    private let drawn: Locked<RecentlyUsed<Key, Representation>>

    /// `limit` is how many are kept.
    init(limit: Int) { drawn = Locked(RecentlyUsed(limit: limit)) }

    subscript(id: UUID, variant: ArtworkVariant) -> Representation {
        let key = Key(id: id, variant: variant)
        if let known = drawn.withLock({ $0.value(of: key) }) { return known }
        let drawing = Artwork(high: id.high, low: id.low).svg(variant)
        let immutable = ResponseField(.cacheControl, "public, max-age=31536000, immutable")
        let representation = Representation(
            drawing, type: "image/svg+xml", version: Digest.tag(of: drawing), fields: [immutable], effort: .quick)
        drawn.withLock { $0.insert(representation, key, size: 1) }
        return representation
    }
}
