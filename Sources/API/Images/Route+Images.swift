internal import Artwork
internal import HTTPMessages
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
