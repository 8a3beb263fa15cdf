/// What a task writes a stream of events to; one task at a time.
package struct EventWriter: Sendable {
    private let body: BodyWriter

    init(_ body: BodyWriter) { self.body = body }

    /// Returns when there is room for the next; throws when the client is gone, or the server wants the stream to end.
    package func send(_ event: ServerSentEvent) async throws(CancellationError) { try await body.write(event.bytes) }
}
