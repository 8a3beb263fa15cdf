internal import APIFiles
internal import HTTP
internal import HTTPMessages
internal import Security

extension Route {
    /// What all routes answer, for whoever writes a client.
    package static func openAPI() -> Route {
        let document = APIFiles.openAPI
        let representation = Representation(
            document, type: "application/json", version: Digest.tag(of: document),
            fields: [ResponseField(.cacheControl, "public, max-age=3600")], effort: .quick)
        return Route(.get, "/openapi.json") { context in context.answer(representation) }
    }
}
