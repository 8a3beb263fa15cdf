internal import HTTPMessages

extension Response {
    /// A stream of events, which ends when `write` returns, when the client leaves, and when the server is told to stop.
    ///
    /// A comment is sent where nothing else was for the interval of the heartbeat: it keeps those in between from taking the connection for
    /// dead, and finds out when it is. The client comes again by itself after any end, and names the last event that it has.
    package static func events(
        heartbeat: Duration = .seconds(15), _ write: @escaping @Sendable (EventWriter) async throws -> Void
    ) -> Response {
        let fields = [
            ResponseField(.contentType, "text/event-stream"), ResponseField(.cacheControl, "no-store"),
            // nginx would keep the events back until it has a buffer full of them.
            ResponseField("x-accel-buffering", "no"),
        ]
        let body = Body.stream(heartbeat: Heartbeat(Array(":\n\n".utf8), every: heartbeat)) { writer in
            do { try await write(EventWriter(writer)) } catch { if !Task.isCancelled { throw error } }
        }
        return Response(.ok, fields: fields, body: body)
    }
}
