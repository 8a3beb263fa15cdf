internal import EventLoop
internal import HTTP
internal import HTTPMessages
package import Telemetry

extension Middleware {
    /// Counts every answer, and puts it in the log.
    package static func observing(_ metrics: RequestMetrics, _ telemetry: Telemetry) -> Middleware {
        Middleware(finish: { exchange, response in
            let nanoseconds = Deadline.now.nanoseconds(since: exchange.began)
            let figures = exchange.route?.figures ?? metrics.ofNoRoute
            var status: Status? = response.status
            if Task.isCancelled {
                // Its client was told 503 when the time was up, or is gone.
                status = exchange.request.deadline <= .now ? .unavailable : nil
                figures.count(nanoseconds: nanoseconds)
            } else {
                figures.count(method: exchange.request.head.method, status: response.status, nanoseconds: nanoseconds)
            }
            let isFailure = status.map { $0.rawValue >= 500 } ?? false
            let level: Observation.Level = isFailure && !exchange.isProbe ? .warning : .debug
            // A line that nobody writes is not made.
            if telemetry.takes(level) {
                telemetry.record(Observation(of: exchange, status, level, .nanoseconds(nanoseconds)))
            }
        })
    }
}

extension Observation {
    /// Without a status where nobody is there any more to be told of it.
    fileprivate init(of exchange: Exchange, _ status: Status?, _ level: Level, _ duration: Duration) {
        let head = exchange.request.head
        let method = Value.text(head.method.description)
        let path = Value.text(head.target.path)
        let route = Value.text(exchange.routeName)
        let client = Value.text(exchange.client.address)
        if let status {
            self.init(
                "http.answered", level, "\(head.method) \(head.target.path) \(status.rawValue)",
                fields: [
                    "method": method, "path": path, "route": route, "status": .integer(status.rawValue), "took": .duration(duration),
                    "client": client,
                ], requestID: exchange.id.text)
        } else {
            self.init(
                "http.unanswered", level, "\(head.method) \(head.target.path): the client has left",
                fields: ["method": method, "path": path, "route": route, "took": .duration(duration), "client": client],
                requestID: exchange.id.text)
        }
    }
}
