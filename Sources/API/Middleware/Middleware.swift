internal import EventLoop
internal import HTTP
internal import HTTPMessages
package import Telemetry

package struct Middleware: Sendable {
    /// A response in place of the route; nil to continue.
    var respond: (@Sendable (RequestContext) -> HandlerResult?)?
    /// Inspects or changes each response, including its own and those of the middleware after it.
    var finish: @Sendable (RequestContext, inout Response) -> Void = { _, _ in }
}

extension [Middleware] {
    /// The middleware around every response of `vitrine serve`.
    package static func ofServe(_ metrics: RequestMetrics, _ telemetry: Telemetry) -> [Middleware] {
        [.observing(metrics, telemetry), .requestID, .forwarding, .cors, .deprecation]
    }

    /// Runs the middleware. The first is the outermost. If one of them responds, those after it are skipped.
    func around(_ context: RequestContext, _ respond: (RequestContext) -> HandlerResult) -> HandlerResult {
        for index in indices {
            if let response = self[index].respond?(context) { return finish(response, context, from: index) }
        }
        return finish(respond(context), context, from: count - 1)
    }

    private func finish(_ result: consuming HandlerResult, _ context: RequestContext, from last: Int) -> HandlerResult {
        switch result {
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
        // A response that the server cannot send is replaced before the middleware sees it.
        do throws(RequestError) {
            try context.request.checkRoom(for: response)
        } catch {
            response = Problem(error).response(id: context.id)
        }
        for index in stride(from: last, through: 0, by: -1) { self[index].finish(context, &response) }
    }
}

extension Middleware {
    /// Requires clients to use TLS from now on if a trusted proxy terminates TLS. For its own TLS connections the
    /// server sends the header itself.
    package static let forwarding = Middleware(finish: { context, response in
        if context.observedClient.isEncrypted, !context.request.peer.isEncrypted { response.fields += .encryption }
    })
}

extension Middleware {
    /// Sends the ID of the request to the client, and returns its `traceparent`, but not in a response that a cache may store: later
    /// requests would get the trace of the first one.
    package static let requestID = Middleware(finish: { context, response in
        response.requestID = context.id
        // Such a response does not look up the field, so that requests with different traces share it.
        if !response.isStorable, let trace = context.request.head.fields[.traceparent] {
            response.fields.append(ResponseField(.traceparent, trace))
        }
    })
}

extension Middleware {
    /// Allows pages of any origin to read public resources, and responds to their preflight requests.
    package static let cors = Middleware(
        respond: { context in
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
            // Also without an Origin: a shared cache may give the response to the browser of another client.
            if !context.isForCurators { response.common = .anyOrigin }
        })
}

extension PrebuiltHeaders {
    /// Allows pages of any origin to read a response with all its fields. With these values, browsers send no credentials, so that both
    /// mean all.
    static let anyOrigin = PrebuiltHeaders([
        ResponseField("access-control-allow-origin", "*"), ResponseField("access-control-expose-headers", "*"),
    ])
}

extension Middleware {
    package static func observing(_ metrics: RequestMetrics, _ telemetry: Telemetry) -> Middleware {
        Middleware(finish: { context, response in
            let nanoseconds = Deadline.now.nanoseconds(since: context.began)
            let routeMetrics = context.route?.metrics ?? metrics.ofNoRoute
            var status: Status? = response.status
            if Task.isCancelled {
                // The client received 503 when the time was up, or has closed the connection.
                status = context.request.deadline <= .now ? .unavailable : nil
                if !context.isWaiting { routeMetrics.count(nanoseconds: nanoseconds) }
            } else if context.isWaiting {
                routeMetrics.count(method: context.request.head.method, status: response.status)
            } else {
                routeMetrics.count(method: context.request.head.method, status: response.status, nanoseconds: nanoseconds)
            }
            let isFailure = status.map { $0.rawValue >= 500 } ?? false
            let level: Observation.Level = isFailure && !context.isProbe ? .warning : .debug
            // The record is not built if its level is not logged.
            if telemetry.takes(level) {
                let observation = Observation(
                    of: context.request.head, context.observedClient, context.id, route: context.routeName, status, level,
                    .nanoseconds(nanoseconds))
                telemetry.record(
                    level == .warning ? observation.repeating("\(context.routeName) \(response.status.rawValue)") : observation)
            }
            if let repetition = response.repetition {
                let (head, route, status) = (context.request.head, context.routeName, response.status)
                let count = routeMetrics.counter(method: head.method, status: status)
                response.repetition = repetition.observed(
                    counting: { requests, nanoseconds in
                        count(requests, nanoseconds)
                        return telemetry.takes(.debug)
                    },
                    recording: { repeated, nanoseconds in
                        telemetry.record(
                            Observation(
                                of: head, repeated.client, repeated.id, route: route, status, .debug, .nanoseconds(nanoseconds)))
                    })
            }
        })
    }
}

extension Observation {
    /// Creates the observation of a request. `status` is nil if the client left before its response.
    fileprivate init(
        of head: RequestHead, _ client: Request.Client, _ id: RequestID, route: String, _ status: Status?, _ level: Level,
        _ duration: Duration
    ) {
        let method = Value.text(head.method.description.truncated)
        let path = Value.text(head.target.path.truncated)
        let route = Value.text(route)
        let client = Value.text(client.address)
        if let status {
            self.init(
                "request.completed", level, "request completed",
                fields: [
                    "method": method, "path": path, "route": route, "status": .integer(status.rawValue), "duration": .duration(duration),
                    "client": client,
                ], requestID: id.text)
        } else {
            self.init(
                "request.canceled", level, "request canceled by the client",
                fields: ["method": method, "path": path, "route": route, "duration": .duration(duration), "client": client],
                requestID: id.text)
        }
    }
}

extension String {
    /// The text, cut to a length that is acceptable in a line of the log.
    fileprivate var truncated: String {
        let limit = 200
        return utf8.count <= limit ? self : String(decoding: utf8.prefix(limit), as: UTF8.self) + "…"
    }
}
