internal import EventLoop
internal import HTTPMessages

/// An event of a `text/event-stream` response.
package struct ServerSentEvent: Sendable, Equatable {
    /// The event type. Nil means `message`.
    package var name: String?
    /// The ID that a client sends as Last-Event-ID to resume after this event.
    package var id: String?
    /// The data. Without it, clients dispatch no event but still store the ID and the retry time.
    package var data: [UInt8]?
    /// The time that a client waits before it reconnects.
    package var retry: Duration?

    package init(name: String? = nil, id: String? = nil, data: [UInt8]? = nil, retry: Duration? = nil) {
        self.name = name
        self.id = id
        self.data = data
        self.retry = retry
    }

    package init(name: String? = nil, id: String? = nil, data: String, retry: Duration? = nil) {
        self.init(name: name, id: id, data: Array(data.utf8), retry: retry)
    }

    /// The encoded event: a line for each field and for each line of the data, followed by an empty line.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        if let name { Self.append("event", Self.line(name), to: &bytes) }
        if let id { Self.append("id", Self.line(id), to: &bytes) }
        if let retry { Self.append("retry", Array(String(max(0, Int64(retry / .milliseconds(1)))).utf8)[...], to: &bytes) }
        if let data { for line in Self.lines(data) { Self.append("data", line, to: &bytes) } }
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    private static func append(_ name: StaticString, _ value: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(name)
        bytes.append(": ")
        bytes.append(contentsOf: value)
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Replaces the characters that end the line with a space, and also U+0000, because a client ignores an ID that
    /// contains it.
    private static func line(_ text: String) -> ArraySlice<UInt8> {
        text.utf8.map { [0x00, 0x0A, 0x0D].contains($0) ? 0x20 : $0 }[...]
    }

    /// A line ends with LF, CR, or both.
    private static func lines(_ data: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        var position = 0
        while position < data.count {
            let byte = data[position]
            position += 1
            guard byte == 0x0A || byte == 0x0D else { continue }
            lines.append(data[start..<(position - 1)])
            if byte == 0x0D, position < data.count, data[position] == 0x0A { position += 1 }
            start = position
        }
        return lines + [data[start...]]
    }
}

extension Response {
    /// Returns a stream of events. It ends when `write` returns, the client disconnects or the server shuts down.
    ///
    /// A comment is sent after each heartbeat interval without an event. It keeps proxies from closing the connection,
    /// and detects a lost one. Clients reconnect automatically, with the ID of their last event.
    package static func events(
        heartbeat: Duration = .seconds(15), _ write: @escaping @Sendable (EventWriter) async throws -> Void
    ) -> Response {
        let fields = [
            ResponseField(.contentType, "text/event-stream"), ResponseField(.cacheControl, "no-store"),
            // Without it nginx buffers the events.
            ResponseField("x-accel-buffering", "no"),
        ]
        let body = Body.stream(heartbeat: Heartbeat(Array(":\n\n".utf8), every: heartbeat)) { writer in
            do { try await write(EventWriter(writer)) } catch { if !Task.isCancelled { throw error } }
        }
        return Response(.ok, fields: fields, body: body)
    }
}

/// A writer of an event stream, for one task at a time.
package struct EventWriter: Sendable {
    private let body: BodyWriter

    init(_ body: BodyWriter) { self.body = body }

    /// Sends an event, and returns when there is room for the next. Throws if the client has disconnected or the server
    /// shuts down.
    package func send(_ event: ServerSentEvent) async throws(CancellationError) { try await body.write(event.bytes) }
}

/// The bytes that are sent on a stream after an interval without other output.
package struct Heartbeat: Sendable {
    let bytes: SharedBytes
    let interval: Duration

    package init(_ bytes: [UInt8], every interval: Duration) {
        self.bytes = SharedBytes(bytes)
        self.interval = interval
    }

    var next: Deadline { .after(interval) }
}
