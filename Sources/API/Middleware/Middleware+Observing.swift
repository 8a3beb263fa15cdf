internal import EventLoop
internal import HTTP
internal import HTTPMessages
package import Telemetry

extension Middleware {
    /// Counts every answer, and puts it in the log.
    package static func observing(_ metrics: RequestMetrics, _ telemetry: Telemetry) -> Middleware {
        Middleware(after: { exchange, response in
            let duration = Deadline.now.duration(since: exchange.began)
            let head = exchange.request.head
            metrics.count(
                route: exchange.routeName, method: head.method, status: response.status, seconds: duration / .seconds(1))
            telemetry.record(
                Observation(
                    "http.answered", response.status.rawValue >= 500 && !exchange.isProbe ? .warning : .debug,
                    "\(head.method) \(head.target.path) \(response.status.rawValue)",
                    fields: [
                        "method": .text(head.method.description), "path": .text(head.target.path), "route": .text(exchange.routeName),
                        "status": .integer(response.status.rawValue), "took": .duration(duration),
                        "client": .text(exchange.request.client.address),
                    ], requestID: exchange.id.text))
            return response
        })
    }
}
