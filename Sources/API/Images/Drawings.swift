internal import Artwork
internal import HTTP
internal import HTTPMessages
internal import Host
internal import Postgres
internal import Security

/// Drawn pictures as they are served, each drawn and compressed once for as long as there is room for it.
final class Drawings: Sendable {
    private struct Key: Hashable {
        let id: UUID
        let variant: ArtworkVariant
    }

    private let limit: Int
    private let drawn = Locked<[Key: Representation]>([:])

    init(limit: Int) { self.limit = limit }

    subscript(id: UUID, variant: ArtworkVariant) -> Representation {
        let key = Key(id: id, variant: variant)
        if let known = drawn.withLock({ $0[key] }) { return known }
        let drawing = Artwork(high: id.high, low: id.low).svg(variant)
        let immutable = ResponseField(.cacheControl, "public, max-age=31536000, immutable")
        let representation = Representation(
            drawing, type: "image/svg+xml", version: Digest.tag(of: drawing), fields: [immutable], effort: .quick)
        drawn.withLock { drawn in
            // Those who ask for one picture after the other push out all, which costs less than an order among them.
            if drawn.count >= limit { drawn.removeAll() }
            drawn[key] = representation
        }
        return representation
    }
}
