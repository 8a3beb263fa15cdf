internal import APIFiles
package import HTTP
package import HTTPMessages
internal import Security

/// What is done with the requests of one method for the paths of one pattern.
package final class Route: Sendable {
    package typealias Handler = @Sendable (RequestContext) throws(Problem) -> HandlerResult

    package let method: Method
    package let pattern: PathPattern
    package let bodyLimit: BodyLimit
    /// Whether machines ask it so often that no answer is worth a warning.
    let isProbe: Bool
    /// What is refused by its head and its client, so that nobody reads its body. A handler with such a check takes the body as an upload.
    let refusal: (@Sendable (RequestHead, Request.Client) -> Problem?)?
    let handler: Handler
    let metrics = RouteMetrics()

    /// A route for GET answers HEAD as well, for the body is left out as it is sent.
    package convenience init(_ method: Method, _ pattern: PathPattern, bodyLimit: BodyLimit = .none, _ handler: @escaping Handler) {
        self.init(method, pattern, bodyLimit, isProbe: false, nil, handler)
    }

    private init(
        _ method: Method, _ pattern: PathPattern, _ bodyLimit: BodyLimit, isProbe: Bool,
        _ refusal: (@Sendable (RequestHead, Request.Client) -> Problem?)?,
        _ handler: @escaping Handler
    ) {
        self.method = method
        self.pattern = pattern
        self.bodyLimit = bodyLimit
        self.isProbe = isProbe
        self.refusal = refusal
        self.handler = handler
    }

    package var asProbe: Route { Route(method, pattern, bodyLimit, isProbe: true, refusal, handler) }

    func refusing(_ refusal: @escaping @Sendable (RequestHead, Request.Client) -> Problem?) -> Route {
        Route(method, pattern, bodyLimit, isProbe: isProbe, refusal, handler)
    }
}

extension Route {
    /// The OpenAPI document, and the reference that is rendered from it.
    package static func documentation() -> [Route] {
        [
            file("/openapi.json", APIFiles.openAPI, "application/json"), file("/docs", APIFiles.page, "text/html; charset=utf-8"),
            file("/docs/style.css", APIFiles.style, "text/css; charset=utf-8"),
        ]
    }

    private static func file(_ path: PathPattern, _ bytes: [UInt8], _ type: String) -> Route {
        let representation = Representation(
            bytes, type: type, version: Digest.tag(of: bytes), fields: [ResponseField(.cacheControl, "public, max-age=3600")],
            effort: .quick)
        return Route(.get, path) { context in context.answer(representation) }
    }
}

/// The most bytes that the body of a request may have.
package enum BodyLimit: Sendable, Hashable {
    /// There is to be no body.
    case none
    /// As the settings say for all routes that take no more.
    case standard
    case bytes(Int)
    /// The request is answered while its body comes.
    case stream(Int)
}
