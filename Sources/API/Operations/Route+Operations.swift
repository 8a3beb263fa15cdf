internal import HTTP
internal import HTTPMessages

extension Route {
    /// What those who watch the server ask for: whether it lives, whether it can serve, and what it has measured.
    package static func operations(_ readiness: ServerReadiness, _ metrics: Metrics) -> [Route] {
        [
            Route(.get, "/healthz") { _ in .now(Response(.ok, fields: plain, body: Body("alive\n"))) },
            Route(.get, "/readyz") { call in
                .later { loop in
                    switch await readiness.state(on: loop) {
                    case .ready: Response(.ok, fields: plain, body: Body("ready\n"))
                    case .notReady(let reason):
                        Problem(.unavailable, code: "notReady", detail: "The server cannot serve: \(reason).").response(id: call.id)
                    }
                }
            },
            Route(.get, "/metrics") { _ in
                .later { _ in
                    let type = ResponseField(.contentType, "text/plain; version=0.0.4; charset=utf-8")
                    return Response(.ok, fields: [type, ResponseField(.cacheControl, "no-store")], body: Body(await metrics.text()))
                }
            },
        ]
    }

    private static var plain: [ResponseField] {
        [ResponseField(.contentType, "text/plain; charset=utf-8"), ResponseField(.cacheControl, "no-store")]
    }
}
