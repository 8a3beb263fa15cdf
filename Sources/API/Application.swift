internal import EventLoop
package import HTTP
package import HTTPMessages

/// The routes of a server and the middleware around them.
package final class Application: Sendable {
    let router: Router
    private let middleware: [Middleware]
    let failed: @Sendable (any Error, RequestID) -> Void
    private let metrics: RequestMetrics
    let sideWork = SideWork()
    private let bodyLimit: Int
    private let proxies: TrustedProxies

    /// Creates an application. The first middleware is the outermost. `bodyLimit` applies to the routes without their
    /// own limit. `proxies` are trusted to name their clients. `failed` receives the errors that prevented a response.
    package init(
        _ routes: [Route], middleware: [Middleware], bodyLimit: Int = 65_536, proxies: TrustedProxies = TrustedProxies([]),
        metrics: RequestMetrics,
        failed: @escaping @Sendable (any Error, RequestID) -> Void = { _, _ in }
    ) {
        self.bodyLimit = bodyLimit
        router = Router(routes)
        self.metrics = metrics
        self.middleware = middleware
        self.proxies = proxies
        self.failed = failed
        metrics.add(routes)
    }

    package var service: Service {
        Service(
            admit: { [self] head, peer in
                // Without a body the limit of the route is needed only for POST: a route that streams its body also
                // accepts an empty one.
                guard head.framing != .none || head.method == .post else { return .body(limit: 0) }
                // Without a route there is no reason to read the body.
                guard case .found(let route, _) = router.match(head.method, head.target) else { return .stream(limit: bodyLimit) }
                // A request without a body is rejected inside the middleware, so that it is logged.
                if head.framing == .none {
                    return if case .stream(let count) = route.bodyLimit { .stream(limit: count) } else { .body(limit: 0) }
                }
                let error = route.rejection?(head, proxies.client(of: head, from: peer))
                if let error { return .immediate(response(to: head, error, of: route)) }
                return switch route.bodyLimit {
                case .none: .body(limit: 0)
                case .stream(let count): .stream(limit: count)
                // A route with a check of the head runs it before the body is requested.
                case .standard: route.rejection == nil ? .body(limit: bodyLimit) : .stream(limit: bodyLimit)
                case .bytes(let count): route.rejection == nil ? .body(limit: count) : .stream(limit: count)
                }
            },
            respond: { [self] request in
                let match = router.match(request.head.method, request.head.target)
                let context = RequestContext(
                    request: request, client: proxies.client(of: request.head, from: request.peer), id: RequestID(request.head),
                    match: match, began: .now, self)
                return middleware.around(context) { respond($0) }
            },
            refuse: { [self] error, head in
                routeMetrics(of: head).count(method: head?.method ?? .other(""), status: error.status)
                let id = head.map(RequestID.init) ?? RequestID()
                var response = Problem(error).response(id: id)
                response.requestID = id
                if head.map({ !$0.isForCurators }) ?? true { response.common = .anyOrigin }
                return response
            }, fields: .security, encryptedFields: .security + .encryption, proxies: proxies)
    }

    private func response(to head: RequestHead, _ problem: Problem, of route: Route) -> Response {
        route.metrics.count(method: head.method, status: problem.status)
        let id = RequestID(head)
        var response = problem.response(id: id)
        response.requestID = id
        return response
    }

    private func routeMetrics(of head: RequestHead?) -> RouteMetrics {
        guard let head, case .found(let route, _) = router.match(head.method, head.target) else { return metrics.ofNoRoute }
        return route.metrics
    }

    private func respond(_ context: RequestContext) -> HandlerResult {
        switch context.match {
        case .notFound: return .now(Problem(.notFound, detail: "The path does not exist. Check the URL.").response(id: context.id))
        case .wrongMethod(let allowed):
            var problem = Problem(
                .methodNotAllowed,
                detail: "The path does not support this method. Use one of \(allowed.map(\.description).joined(separator: ", ")).")
            problem.allowed = allowed
            return .now(problem.response(id: context.id))
        case .found(let route, _):
            do throws(Problem) {
                return try route.handler(context)
            } catch {
                return .now(error.response(id: context.id))
            }
        }
    }
}
