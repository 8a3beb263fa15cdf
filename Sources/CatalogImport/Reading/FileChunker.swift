/// Reads a file chunk by chunk. It reads bytes only when a chunk is requested.
package struct FileChunker {
    /// The maximum number of bytes of a chunk, which limits chunks of large records.
    private static let bytesOfChunk = 16 << 20
    /// The maximum number of rows for texts, categories, prices and times. Ten thousand typical records have fewer.
    private static let partsOfChunk = 60_000

    private var reader: CatalogFileReader
    private let size: Int
    private let read: () throws -> ArraySlice<UInt8>
    private var events: ArraySlice<FileEvent> = []
    private var bytesRead = 0
    private var isAtEnd = false
    private var hasEnded = false

    /// Creates a chunker. `read` returns an empty slice at the end of the file.
    package init(_ reader: CatalogFileReader, size: Int, read: @escaping () throws -> ArraySlice<UInt8>) {
        self.reader = reader
        self.size = max(1, size)
        self.read = read
    }

    /// Returns the next chunk, or nil after the last one, which has the summary.
    package mutating func next() throws -> FileChunk? {
        guard !hasEnded else { return nil }
        var chunk = FileChunk()
        var parts = 0
        let start = bytesRead
        while true {
            while let event = events.first {
                // A chart refers only to items above it in the file.
                if case .item = event, !chunk.charts.isEmpty { return finished(chunk) }
                events.removeFirst()
                if case .wordChanges = event, !chunk.items.isEmpty { return finished(chunk) }
                add(event, to: &chunk)
                if case .item(let item) = event { parts += item.record.parts }
                if chunk.items.count >= size || parts >= Self.partsOfChunk { return finished(chunk) }
            }
            if isAtEnd { break }
            if bytesRead - start >= Self.bytesOfChunk || chunk.rejects.count >= size { return finished(chunk) }
            try fill()
        }
        hasEnded = true
        chunk.isTooLong = reader.isTooLong
        chunk.isUnreadable = reader.isRefused && !reader.isTooLong
        chunk.ending = FileSummary(reader)
        return finished(chunk)
    }

    private func finished(_ chunk: FileChunk) -> FileChunk {
        var chunk = chunk
        chunk.bytesRead = bytesRead
        return chunk
    }

    private mutating func fill() throws {
        let bytes = reader.isRefused ? [] : try read()
        bytesRead += bytes.count
        var found: [FileEvent] = []
        if bytes.isEmpty {
            isAtEnd = true
            reader.end { found.append($0) }
        } else {
            reader.consume(bytes) { found.append($0) }
        }
        events = found[...]
    }

    private func add(_ event: FileEvent, to chunk: inout FileChunk) {
        switch event {
        case .storefront(let record, let line): chunk.storefronts.append((record, line))
        case .category(let record, let line): chunk.categories.append((record, line))
        case .item(let item): chunk.items.append(item)
        case .chart(let record, let line): chunk.charts.append((record, line))
        case .rejected(let rejects): chunk.rejects.append(rejects)
        case .wordChanges: break
        }
    }
}
