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
            figures.count(method: exchange.request.head.method, status: response.status, nanoseconds: nanoseconds)
            let level: Observation.Level = response.status.rawValue >= 500 && !exchange.isProbe ? .warning : .debug
            // A line that nobody writes is not made.
            if telemetry.takes(level) {
                telemetry.record(Observation(of: exchange, response.status, level, .nanoseconds(nanoseconds)))
            }
        })
    }
}

extension Observation {
    fileprivate init(of exchange: Exchange, _ status: Status, _ level: Level, _ duration: Duration) {
        let head = exchange.request.head
        self.init(
            "http.answered", level, "\(head.method) \(head.target.path) \(status.rawValue)",
            fields: [
                "method": .text(head.method.description), "path": .text(head.target.path), "route": .text(exchange.routeName),
                "status": .integer(status.rawValue), "took": .duration(duration), "client": .text(exchange.client.address),
            ], requestID: exchange.id.text)
    }
}
