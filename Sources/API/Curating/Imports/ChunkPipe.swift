package import CatalogImport
package import Host
internal import Postgres

/// Reads the chunks of a file on a thread of its own, one ahead of whoever writes them and no further.
package final class ChunkPipe {
    private struct Delivery: Sendable {
        let chunk: Result<FileChunk?, any Error>
        /// Told whether to go on.
        let isTaken: Handover<Bool>
    }

    private var deliveries: AsyncStream<Delivery>.Iterator
    private var last: Handover<Bool>?
    private var hasEnded = false

    package init(_ open: @escaping @Sendable () -> FileChunker) throws(HostError) {
        let (stream, continuation) = AsyncStream.makeStream(of: Delivery.self)
        deliveries = stream.makeAsyncIterator()
        try Thread.start {
            var chunker = open()
            var before: Handover<Bool>?
            while true {
                let chunk = Result { try chunker.next() }
                guard before?.take() ?? true else { break }
                let isTaken = Handover<Bool>()
                continuation.yield(Delivery(chunk: chunk, isTaken: isTaken))
                guard case .success(.some) = chunk else { break }
                before = isTaken
            }
            continuation.finish()
        }
    }

    deinit { last?.put(false) }

    /// The next chunk, or nil behind the last one; the one before is done with.
    package func next() async throws -> FileChunk? {
        guard !hasEnded else { return nil }
        last.take()?.put(true)
        guard let delivery = await deliveries.next(isolation: nil) else { throw PostgresError(.cancelled, "the import was interrupted") }
        last = delivery.isTaken
        let chunk = try delivery.chunk.get()
        hasEnded = chunk == nil
        return chunk
    }
}
