internal import CPostgres
internal import EventLoop

/// The chunks of a COPY to the client, read from the socket only as fast as they are taken; to be gone through once, within its scope.
package final class CopiedChunks: AsyncSequence, AsyncIteratorProtocol {
    package typealias Element = [UInt8]
    package typealias Failure = PostgresError

    private let connection: PostgresConnection
    private let handle: Handle
    private let query: String
    private let deadline: Deadline
    private(set) var isFinished = false

    init(connection: PostgresConnection, handle: Handle, query: String, deadline: Deadline) {
        self.connection = connection
        self.handle = handle
        self.query = query
        self.deadline = deadline
    }

    /// Lets it have no more chunks, for what the connection reads from now on belongs to others.
    func close() { isFinished = true }

    package func makeAsyncIterator() -> CopiedChunks { self }

    package func next() async throws(PostgresError) -> [UInt8]? { try await take() }

    package func next(isolation actor: isolated (any Actor)?) async throws(PostgresError) -> [UInt8]? { try await take() }

    private func take() async throws(PostgresError) -> [UInt8]? {
        while !isFinished {
            var start: UnsafeMutablePointer<CChar>?
            let count = unsafe PQgetCopyData(handle.pointer, &start, 1)
            if count > 0, let start = unsafe start {
                defer { unsafe PQfreemem(start) }
                return unsafe Array(UnsafeRawBufferPointer(start: start, count: Int(count)))
            }
            guard count == 0 else {
                isFinished = true
                break
            }
            try await connection.waitForSocket(handle, .readable, query, until: deadline)
        }
        return nil
    }
}
