internal import API
internal import HTTP
internal import HTTPMessages

extension Route {
    /// Returns the routes for monitoring: liveness, readiness and metrics.
    static func operations(_ readiness: ReadinessCheck, _ metrics: Metrics) -> [Route] {
        let routes = [
            Route(.get, "/healthz") { _ in .now(Response(.ok, fields: plain, body: Body("alive\n"))) },
            Route(.get, "/readyz") { _ throws(Problem) in
                switch readiness.state {
                case .ready: return .now(Response(.ok, fields: plain, body: Body("ready\n")))
                case .degraded(let reason): return .now(Response(.ok, fields: plain, body: Body("degraded: \(reason)\n")))
                case .notReady(let reason):
                    throw Problem(.unavailable, code: "notReady", detail: "The server is not ready: \(reason).")
                }
            },
            Route(.get, "/metrics") { _ in
                .later { _ in
                    let type = ResponseField(.contentType, "text/plain; version=0.0.4; charset=utf-8")
                    return Response(.ok, fields: [type, ResponseField(.cacheControl, "no-store")], body: Body(await metrics.text()))
                }
            },
        ]
        return routes.map(\.asProbe)
    }

    private static var plain: [ResponseField] {
        [ResponseField(.contentType, "text/plain; charset=utf-8"), ResponseField(.cacheControl, "no-store")]
    }
}
