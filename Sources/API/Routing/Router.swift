package import HTTPMessages

package final class Router: Sendable {
    package enum Match: Sendable {
        case found(Route, PathParameterRanges)
        case wrongMethod(allowed: [Method])
        case notFound
    }

    private let tree: RouteTree

    /// Creates a router. Two routes must not differ only in the names of their parameters.
    package init(_ routes: [Route]) { tree = RouteTree(routes) }

    package func match(_ method: Method, _ target: RequestTarget) -> Match {
        var ranges = PathParameterRanges()
        let routes = tree.routes(for: target, &ranges)
        let requested = method == .head ? Method.get : method
        for route in routes where route.method == requested { return .found(route, ranges) }
        return routes.isEmpty ? .notFound : .wrongMethod(allowed: Self.allowed(routes))
    }

    private static func allowed(_ routes: [Route]) -> [Method] {
        let methods = routes.map(\.method)
        return methods + (methods.contains(.get) ? [.head] : []) + (methods.contains(.options) ? [] : [.options])
    }
}
