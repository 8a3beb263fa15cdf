internal import Artwork
internal import HTTP
internal import HTTPMessages
internal import Security
internal import Values

extension Route {
    /// The drawn pictures of items that bring none of their own. They follow from the id alone, so that every id has them and no table is read.
    ///
    /// A drawing is shapes and gradients, and what every answer says of scripts, styles and frames holds for it as well, also where somebody
    /// opens it as a page.
    package static func images() -> Route {
        let drawings = ImageCache(limit: 1_000)
        return Route(.get, "/v1/images/{id}/{variant}") { context throws(Problem) in
            let id = try context.parameters.value("id", as: UUID.init)
            let variant = try context.parameters.value("variant", as: ArtworkVariant.init(rawValue:))
            return context.answer(drawings[id, variant])
        }
    }
}

/// Drawn pictures as they are served, each drawn once; those that were asked for last are kept.
struct ImageCache: Sendable {
    private struct Key: Hashable {
        let id: UUID
        let variant: ArtworkVariant
    }

    private let drawn: BoundedCache<Key, Representation>

    /// `limit` is how many are kept.
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

/// The placeholders of drawn pictures, each made once: there are some thousand styles, so that all are kept.
struct PlaceholderCache: Sendable {
    private let made = BoundedCache<Artwork.ArtworkStyle, Placeholder>(limit: .max)

    subscript(artwork: Artwork) -> Placeholder { made.value(of: artwork.style) { artwork.placeholder } }
}
