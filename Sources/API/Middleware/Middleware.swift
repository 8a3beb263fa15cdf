internal import EventLoop
internal import HTTP
internal import HTTPMessages
package import Telemetry

package struct Middleware: Sendable {
    /// What is answered in place of the route; nil to go on.
    var answer: (@Sendable (RequestContext) -> HandlerResult?)?
    /// Changes each response, or looks at it; also one of its own, and those of the ones behind it.
    var finish: @Sendable (RequestContext, inout Response) -> Void = { _, _ in }
}

extension [Middleware] {
    /// What is around every answer of `vitrine serve`.
    package static func ofServe(_ metrics: RequestMetrics, _ telemetry: Telemetry) -> [Middleware] {
        [.observing(metrics, telemetry), .requestID, .forwarding, .cors]
    }

    /// The first of the list is the outermost: those behind one that answers are passed by.
    func around(_ context: RequestContext, _ answer: (RequestContext) -> HandlerResult) -> HandlerResult {
        for place in indices {
            if let answer = self[place].answer?(context) { return finish(answer, context, from: place) }
        }
        return finish(answer(context), context, from: count - 1)
    }

    private func finish(_ answer: consuming HandlerResult, _ context: RequestContext, from last: Int) -> HandlerResult {
        switch answer {
        case .now(var response):
            finish(&response, context, from: last)
            return .now(response)
        case .later(let deadline, let work):
            let context = deadline.map { context.lasting(until: $0) } ?? context
            return .later(until: deadline) { loop in
                var response = await work(loop)
                finish(&response, context, from: last)
                return response
            }
        case .waiting(let deadline, let work):
            let context = context.lasting(until: deadline, isWaiting: true)
            return .waiting(until: deadline) { loop in
                var response = await work(loop)
                finish(&response, context, from: last)
                return response
            }
        }
    }

    private func finish(_ response: inout Response, _ context: RequestContext, from last: Int) {
        // What the server would refuse is refused before anybody takes it for the answer.
        do throws(RequestError) {
            try context.request.checkRoom(for: response)
        } catch {
            response = Problem(error).response(id: context.id)
        }
        for place in stride(from: last, through: 0, by: -1) { self[place].finish(context, &response) }
    }
}

extension Middleware {
    /// Tells a client to come encrypted again, where it is a proxy that encrypts; of its own connections the server says so itself.
    package static let forwarding = Middleware(finish: { context, response in
        if context.client.isEncrypted, !context.request.peer.isEncrypted { response.fields += .encryption }
    })
}

extension Middleware {
    /// Tells the client the id of its request, and hands back what traces it.
    package static let requestID = Middleware(finish: { context, response in
        response.requestID = context.id
        if let trace = context.request.head.fields["traceparent"] { response.fields.append(ResponseField("traceparent", trace)) }
    })
}

extension Middleware {
    /// Lets pages of any origin read what needs no token, and answers their question whether they may.
    package static let cors = Middleware(
        answer: { context in
            let head = context.request.head
            guard head.method == .options else { return nil }
            guard head.target != .server else { return .now(Response(.noContent)) }
            guard case .wrongMethod(let allowed) = context.match else { return nil }
            let methods = allowed.map(\.description).joined(separator: ", ")
            var fields = [ResponseField(.allow, methods)]
            if head.fields.contains("access-control-request-method"), !context.isForCurators {
                fields += [
                    ResponseField("access-control-allow-methods", methods),
                    ResponseField("access-control-allow-headers", head.fields.list("access-control-request-headers") ?? ""),
                    ResponseField("access-control-max-age", "86400"),
                ]
            }
            return .now(Response(.noContent, fields: fields))
        },
        finish: { context, response in
            // Also without an Origin: a shared cache gives the answer to one client to the browser of another.
            if !context.isForCurators { response.common = .anyOrigin }
        })
}

extension PrebuiltHeaders {
    /// Lets pages of any origin read a response with all its fields.
    static let anyOrigin = PrebuiltHeaders([
        ResponseField("access-control-allow-origin", "*"),
        ResponseField("access-control-expose-headers", "etag, x-request-id, retry-after, link"),
    ])
}

extension Middleware {
    package static func observing(_ metrics: RequestMetrics, _ telemetry: Telemetry) -> Middleware {
        Middleware(finish: { context, response in
            let nanoseconds = Deadline.now.nanoseconds(since: context.began)
            let routeMetrics = context.route?.metrics ?? metrics.ofNoRoute
            var status: Status? = response.status
            if Task.isCancelled {
                // Its client was told 503 when the time was up, or is gone.
                status = context.request.deadline <= .now ? .unavailable : nil
                if !context.isWaiting { routeMetrics.count(nanoseconds: nanoseconds) }
            } else if context.isWaiting {
                routeMetrics.count(method: context.request.head.method, status: response.status)
            } else {
                routeMetrics.count(method: context.request.head.method, status: response.status, nanoseconds: nanoseconds)
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
    /// Has no status if the client left before its response.
    fileprivate init(of context: RequestContext, _ status: Status?, _ level: Level, _ duration: Duration) {
        let head = context.request.head
        let method = Value.text(head.method.description.truncated)
        let path = Value.text(head.target.path.truncated)
        let route = Value.text(context.routeName)
        let client = Value.text(context.client.address)
        if let status {
            self.init(
                "request.completed", level, "request completed",
                fields: [
                    "method": method, "path": path, "route": route, "status": .integer(status.rawValue), "duration": .duration(duration),
                    "client": client,
                ], requestID: context.id.text)
        } else {
            self.init(
                "request.canceled", level, "request canceled by its client",
                fields: ["method": method, "path": path, "route": route, "duration": .duration(duration), "client": client],
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
