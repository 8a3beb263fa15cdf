internal import Artwork
internal import HTTP
internal import HTTPMessages
internal import Values

extension Route {
    /// The drawn pictures of items that bring none of their own. They follow from the id alone, so that every id has them and no table is read.
    ///
    /// A drawing is shapes and gradients, and what every answer says of scripts, styles and frames holds for it as well, also where somebody
    /// opens it as a page.
    package static func images() -> Route {
        let drawings = ImageCache(limit: 1_000)
        return Route(.get, "/v1/images/{id}/{variant}") { call throws(Problem) in
            let id = try call.parameters.value("id", as: UUID.init)
            let variant = try call.parameters.value("variant", as: ArtworkVariant.init(rawValue:))
            return call.answer(drawings[id, variant])
        }
    }
}
