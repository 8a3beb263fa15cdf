internal import EventLoop
internal import HTTP
internal import HTTPMessages
package import Telemetry

extension Middleware {
    /// Counts every answer, and puts it in the log.
    package static func observing(_ metrics: RequestMetrics, _ telemetry: Telemetry) -> Middleware {
        Middleware(finish: { context, response in
            let nanoseconds = Deadline.now.nanoseconds(since: context.began)
            let figures = context.route?.figures ?? metrics.ofNoRoute
            var status: Status? = response.status
            if Task.isCancelled {
                // Its client was told 503 when the time was up, or is gone.
                status = context.request.deadline <= .now ? .unavailable : nil
                if !context.isWaiting { figures.count(nanoseconds: nanoseconds) }
            } else if context.isWaiting {
                figures.count(method: context.request.head.method, status: response.status)
            } else {
                figures.count(method: context.request.head.method, status: response.status, nanoseconds: nanoseconds)
            }
            let isFailure = status.map { $0.rawValue >= 500 } ?? false
            let level: Observation.Level = isFailure && !context.isProbe ? .warning : .debug
            // A line that nobody writes is not made.
            if telemetry.takes(level) {
                let observation = Observation(of: context, status, level, .nanoseconds(nanoseconds))
                telemetry.record(
                    level == .warning ? observation.repeating("\(context.routeName) \(response.status.rawValue)") : observation)
            }
        })
    }
}

extension Observation {
    /// Without a status where nobody is there any more to be told of it.
    fileprivate init(of context: RequestContext, _ status: Status?, _ level: Level, _ duration: Duration) {
        let head = context.request.head
        let (verb, place) = (head.method.description.truncated, head.target.path.truncated)
        let method = Value.text(verb)
        let path = Value.text(place)
        let route = Value.text(context.routeName)
        let client = Value.text(context.client.address)
        if let status {
            self.init(
                "http.answered", level, "\(verb) \(place) \(status.rawValue)",
                fields: [
                    "method": method, "path": path, "route": route, "status": .integer(status.rawValue), "took": .duration(duration),
                    "client": client,
                ], requestID: context.id.text)
        } else {
            self.init(
                "http.unanswered", level, "\(verb) \(place): the client has left",
                fields: ["method": method, "path": path, "route": route, "took": .duration(duration), "client": client],
                requestID: context.id.text)
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
