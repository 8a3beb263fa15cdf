/// Reads a file chunk by chunk. It reads bytes only when a chunk is requested.
package struct FileChunker {
    /// The maximum number of bytes of a chunk, which limits chunks of large records.
    private static let bytesOfChunk = 16 << 20
    /// The maximum number of rows for texts, categories, prices and times. Ten thousand typical records have fewer.
    private static let partsOfChunk = 60_000
    /// The number of bytes after which a file is long. Shorter ones are read faster than the lines of a large catalog.
    package static let bytesOfLongFile = 1 << 20

    private var reader: CatalogFileReader
    private let size: Int
    private let read: () throws -> ArraySlice<UInt8>
    /// Returns the lines of the catalog. nil after they were returned.
    private var knownLines: (() -> KnownLines?)?
    private let bytesOfLongFile: Int
    private var hasAsked = false
    private var events: [FileEvent] = []
    /// The index of the first event that is in no chunk.
    private var nextEvent = 0
    private var bytesRead = 0
    private var isAtEnd = false
    private var hasEnded = false

    /// Creates a chunker. `read` returns an empty slice at the end of the file.
    ///
    /// If the file is long, one chunk asks for the lines of the catalog. The chunk after it calls `knownLines`, which waits for
    /// them, and returns nil if they are unknown.
    package init(
        _ reader: CatalogFileReader, size: Int, bytesOfLongFile: Int = bytesOfLongFile, knownLines: (() -> KnownLines?)? = nil,
        read: @escaping () throws -> ArraySlice<UInt8>
    ) {
        self.knownLines = knownLines
        self.bytesOfLongFile = bytesOfLongFile
        self.reader = reader
        self.size = max(1, size)
        self.read = read
    }

    /// Returns the next chunk, or nil after the last one, which has the summary.
    package mutating func next() throws -> FileChunk? {
        guard !hasEnded else { return nil }
        var chunk = FileChunk()
        if hasAsked, let knownLines {
            reader.skip(knownLines())
            self.knownLines = nil
        }
        var parts = 0
        let start = bytesRead
        while true {
            while nextEvent < events.count {
                let event = events[nextEvent]
                // A chart refers only to items above it in the file.
                if event.isItem, !chunk.charts.isEmpty { return finished(chunk) }
                nextEvent += 1
                if case .wordChanges = event, chunk.itemCount > 0 { return finished(chunk) }
                add(event, to: &chunk)
                if case .item(let item) = event { parts += item.parts }
                if chunk.itemCount >= size || parts >= Self.partsOfChunk { return finished(chunk) }
            }
            if isAtEnd { break }
            if knownLines != nil, bytesRead >= bytesOfLongFile {
                if bytesRead > start { return finished(chunk) }
                hasAsked = true
                chunk.asksForLines = true
                return chunk
            }
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
        if !chunk.unchanged.isEmpty { chunk.lines = reader.unchangedLines }
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
        (events, nextEvent) = (found, 0)
    }

    private func add(_ event: FileEvent, to chunk: inout FileChunk) {
        switch event {
        case .storefront(let record, let line): chunk.storefronts.append((record, line))
        case .category(let record, let line): chunk.categories.append((record, line))
        case .item(let item): chunk.items.append(item)
        case .unchanged(let line): chunk.unchanged.append(line)
        case .chart(let record, let line): chunk.charts.append((record, line))
        case .rejected(let rejects): chunk.rejects.append(rejects)
        case .wordChanges: break
        }
    }
}

extension FileEvent {
    fileprivate var isItem: Bool {
        switch self {
        case .item, .unchanged: true
        case .storefront, .category, .chart, .wordChanges, .rejected: false
        }
    }
}

extension FileChunk {
    /// The number of items, read or not.
    fileprivate var itemCount: Int { items.count + unchanged.count }
}
