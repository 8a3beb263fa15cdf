internal import Host

/// The number of requests by route and status, and their durations.
package final class RequestMetrics: Sendable {
    static let noRoute = "none"

    let ofNoRoute = RouteMetrics()
    private let routes = Locked<[Route]>([])

    package init() {}

    func add(_ routes: [Route]) {
        self.routes.withLock { known in known += routes.filter { route in !known.contains { $0 === route } } }
    }

    /// The metrics by the pattern of the route. Routes without requests are left out.
    package var snapshot: [String: RouteMetrics.Snapshot] {
        var snapshot = [Self.noRoute: ofNoRoute.snapshot]
        for route in routes.withLock({ $0 }) {
            snapshot[route.pattern.description, default: RouteMetrics.Snapshot()].add(route.metrics.snapshot)
        }
        return snapshot.filter { !$0.value.requests.isEmpty || $0.value.durations.contains { $0 > 0 } }
    }
}
