internal import Artwork
internal import HTTPMessages
internal import Values

extension Route {
    /// The generated images of items without their own. They depend only on the path, so every ID has them and no table
    /// is read.
    ///
    /// An SVG consists of shapes and gradients. The security headers of all responses also protect users who open it as
    /// a page.
    package static func images(_ service: ImageService) -> Route {
        Route(.get, "/v1/images/{drawing}/{id}/{role}/{image}") { context throws(Problem) in
            // Caches store an image for a year, under each URL.
            try QueryParameters(context.head.target.query, known: []).finish()
            let parameters = context.parameters
            _ = try parameters.value("drawing") { $0 == "\(Artwork.drawing)" ? $0 : nil }
            let id = try parameters.value("id", as: UUID.init)
            let role = try parameters.value("role", as: ArtworkRole.init(rawValue:))
            let key = try parameters.value("image") { ImageService.Key(id, role, file: $0) }
            return service.respond(key, to: context)
        }
    }
}

extension ImageService.Key {
    /// Returns the key of a file name such as `480x480.png`; nil if the role has no such file.
    fileprivate init?(_ id: UUID, _ role: ArtworkRole, file: String) {
        let parts = file.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let size = ArtworkSize(role, named: parts[0]), let format = Format(rawValue: String(parts[1])) else {
            return nil
        }
        self.init(id: id, size: size, format: format)
    }
}
