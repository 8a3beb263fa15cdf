internal import APIFiles
package import HTTP
package import HTTPMessages
internal import Security

/// The handler of the requests with one method for the paths of one pattern.
package final class Route: Sendable {
    package typealias Handler = @Sendable (RequestContext) throws(Problem) -> HandlerResult

    package let method: Method
    package let pattern: PathPattern
    package let bodyLimit: BodyLimit
    /// Whether monitoring systems call the route so often that its responses are not logged as warnings.
    let isProbe: Bool
    /// Returns the problem for which the head and the client alone are rejected, so that the body is not read. A
    /// handler with such a check receives the body as an upload.
    let rejection: (@Sendable (RequestHead, Request.Client) -> Problem?)?
    let deprecation: Deprecation?
    let handler: Handler
    let metrics = RouteMetrics()

    /// Creates a route. A GET route also serves HEAD, because the body is left out when the response is sent.
    package convenience init(_ method: Method, _ pattern: PathPattern, bodyLimit: BodyLimit = .none, _ handler: @escaping Handler) {
        self.init(method, pattern, bodyLimit, isProbe: false, nil, nil, handler)
    }

    init(
        _ method: Method, _ pattern: PathPattern, _ bodyLimit: BodyLimit, isProbe: Bool,
        _ rejection: (@Sendable (RequestHead, Request.Client) -> Problem?)?, _ deprecation: Deprecation?,
        _ handler: @escaping Handler
    ) {
        self.method = method
        self.pattern = pattern
        self.bodyLimit = bodyLimit
        self.isProbe = isProbe
        self.rejection = rejection
        self.deprecation = deprecation
        self.handler = handler
    }

    /// Creates a route with the same response to all requests. It rejects parameters, because caches would store a copy for each.
    convenience init(_ pattern: PathPattern, _ representation: Representation) {
        self.init(.get, pattern) { context throws(Problem) in
            try QueryParameters(context.head.target.query, known: []).finish()
            return context.respond(representation)
        }
    }

    package var asProbe: Route { Route(method, pattern, bodyLimit, isProbe: true, rejection, deprecation, handler) }

    /// Returns the route with a check of the head and the client.
    func rejecting(_ rejection: @escaping @Sendable (RequestHead, Request.Client) -> Problem?) -> Route {
        Route(method, pattern, bodyLimit, isProbe: isProbe, rejection, deprecation, handler)
    }
}

extension Route {
    /// The OpenAPI document, and the reference that is rendered from it.
    package static func documentation() -> [Route] {
        [
            Route("/openapi.json", file(APIFiles.openAPI, "application/json")), reference,
            Route("/docs/style.css", file(APIFiles.style, "text/css; charset=utf-8")),
        ]
    }

    /// The page for people. They follow links to which others added parameters, such as `utm_source`. A redirect removes the
    /// parameters, and is not stored, so caches store the page once.
    private static var reference: Route {
        let page = file(APIFiles.page, "text/html; charset=utf-8")
        let redirect = Response(
            .permanentRedirect, fields: [ResponseField("location", "/docs"), ResponseField(.cacheControl, "no-store")])
        return Route(.get, "/docs") { context in
            context.head.target.query.items.isEmpty ? context.respond(page) : .now(redirect)
        }
    }

    private static func file(_ bytes: [UInt8], _ type: String) -> Representation {
        Representation(
            bytes, type: type, version: Digest.tag(of: bytes), fields: [CacheScope.public.cacheControl(fresh: 3_600)],
            effort: .quick)
    }
}

/// The limit of the body of a request, in bytes.
package enum BodyLimit: Sendable, Hashable {
    /// No body is accepted.
    case none
    /// The default limit of the application.
    case standard
    case bytes(Int)
    /// The handler runs while the body arrives.
    case stream(Int)
}
