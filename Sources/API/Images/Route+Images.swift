internal import Artwork
internal import HTTP
internal import HTTPMessages
internal import Security
internal import Values

extension Route {
    /// The generated images of items without their own. They depend only on the ID, so every ID has them and no table
    /// is read.
    ///
    /// An image consists of shapes and gradients. The security headers of all responses also protect users who open it
    /// as a page.
    package static func images() -> Route {
        let drawings = ImageCache(limit: 1_000)
        return Route(.get, "/v1/images/{id}/{variant}") { context throws(Problem) in
            let id = try context.parameters.value("id", as: UUID.init)
            let variant = try context.parameters.value("variant", as: ArtworkVariant.init(rawValue:))
            return context.respond(drawings[id, variant])
        }
    }
}

/// A cache of generated images as they are served. It keeps the most recently used ones.
struct ImageCache: Sendable {
    private struct Key: Hashable {
        let id: UUID
        let variant: ArtworkVariant
    }

    private let drawn: BoundedCache<Key, Representation>

    /// `limit` is the number of images.
    init(limit: Int) { drawn = BoundedCache(limit: limit) }

    subscript(id: UUID, variant: ArtworkVariant) -> Representation {
        drawn.value(of: Key(id: id, variant: variant)) {
            let drawing = Artwork(high: id.high, low: id.low).svg(variant)
            let immutable = ResponseField(.cacheControl, "public, max-age=31536000, immutable")
            return Representation(
                drawing, type: "image/svg+xml", version: Digest.tag(of: drawing), fields: [immutable], effort: .quick)
        }
    }
}

/// The placeholders of generated images, each made once. There are a few thousand styles, so all are kept.
struct PlaceholderCache: Sendable {
    private let made = BoundedCache<Artwork.ArtworkStyle, Placeholder>(limit: .max)

    subscript(artwork: Artwork) -> Placeholder { made.value(of: artwork.style) { artwork.placeholder } }
}
