/// What a task writes the body of a response to; one task at a time.
package struct BodyWriter: Sendable {
    private let send: @Sendable ([UInt8]) async throws(CancellationError) -> Void

    init(_ send: @escaping @Sendable ([UInt8]) async throws(CancellationError) -> Void) { self.send = send }

    /// Returns when the client has taken so much that there is room for more; throws when it is gone.
    package func write(_ bytes: [UInt8]) async throws(CancellationError) { try await send(bytes) }
}
