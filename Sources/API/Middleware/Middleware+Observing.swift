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
                if !exchange.isWaiting { figures.count(nanoseconds: nanoseconds) }
            } else if exchange.isWaiting {
                figures.count(method: exchange.request.head.method, status: response.status)
            } else {
                figures.count(method: exchange.request.head.method, status: response.status, nanoseconds: nanoseconds)
            }
            let isFailure = status.map { $0.rawValue >= 500 } ?? false
            let level: Observation.Level = isFailure && !exchange.isProbe ? .warning : .debug
            // A line that nobody writes is not made.
            if telemetry.takes(level) {
                let observation = Observation(of: exchange, status, level, .nanoseconds(nanoseconds))
                telemetry.record(
                    level == .warning ? observation.repeating("\(exchange.routeName) \(response.status.rawValue)") : observation)
            }
        })
    }
}

extension Observation {
    /// Without a status where nobody is there any more to be told of it.
    fileprivate init(of exchange: RequestContext, _ status: Status?, _ level: Level, _ duration: Duration) {
        let head = exchange.request.head
        let (verb, place) = (head.method.description.truncated, head.target.path.truncated)
        let method = Value.text(verb)
        let path = Value.text(place)
        let route = Value.text(exchange.routeName)
        let client = Value.text(exchange.client.address)
        if let status {
            self.init(
                "http.answered", level, "\(verb) \(place) \(status.rawValue)",
                fields: [
                    "method": method, "path": path, "route": route, "status": .integer(status.rawValue), "took": .duration(duration),
                    "client": client,
                ], requestID: exchange.id.text)
        } else {
            self.init(
                "http.unanswered", level, "\(verb) \(place): the client has left",
                fields: ["method": method, "path": path, "route": route, "took": .duration(duration), "client": client],
                requestID: exchange.id.text)
        }
    }
}

extension String {
    /// Of what a client sent, no more than a line of the log can bear.
    fileprivate var truncated: String {
        let limit = 200
        return utf8.count <= limit ? self : String(decoding: utf8.prefix(limit), as: UTF8.self) + "…"
    }
}
