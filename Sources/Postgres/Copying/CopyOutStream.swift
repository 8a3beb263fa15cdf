internal import CPostgres
internal import EventLoop

/// The chunks of a COPY to the client, read from the socket only as fast as they are taken; to be gone through once, within its scope.
package final class CopyOutStream: AsyncSequence, AsyncIteratorProtocol {
    package typealias Element = [UInt8]
    package typealias Failure = PostgresError

    /// What has come already is joined up to this size: a row at a time costs more to hand over than to read.
    private static let size = 32_768

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

    package func makeAsyncIterator() -> CopyOutStream { self }

    package func next() async throws(PostgresError) -> [UInt8]? { try await take() }

    package func next(isolation actor: isolated (any Actor)?) async throws(PostgresError) -> [UInt8]? { try await take() }

    private func take() async throws(PostgresError) -> [UInt8]? {
        var chunk: [UInt8] = []
        while !isFinished, chunk.count < Self.size {
            var start: UnsafeMutablePointer<CChar>?
            let count = unsafe PQgetCopyData(handle.pointer, &start, 1)
            if count > 0, let start = unsafe start {
                unsafe chunk.append(contentsOf: UnsafeRawBufferPointer(start: start, count: Int(count)))
                unsafe PQfreemem(start)
            } else if count < 0 {
                isFinished = true
            } else if chunk.isEmpty {
                try await connection.waitForSocket(handle, .readable, query, until: deadline)
            } else {
                break
            }
        }
        return chunk.isEmpty ? nil : chunk
    }
}
