/// Reads a file chunk by chunk. It reads bytes only when a chunk is requested.
package struct FileChunker {
    /// The maximum number of bytes of a chunk, which limits chunks of large records.
    private static let bytesOfChunk = 16 << 20
    /// The maximum number of rows for texts, categories, prices and times. Ten thousand typical records have fewer.
    private static let partsOfChunk = 60_000
    /// The approximate number of bytes of memory for the records that are split before the catalog is available.
    private static let bytesAhead = 32 << 20
    /// The maximum number of unchanged items of a chunk of a long file, for each item that it can have. They are not written.
    private static let unchangedForEachItem = 16
    /// The number of bytes after which a file is long.
    package static let bytesOfLongFile = 1 << 20

    private var reader: CatalogFileReader
    private let size: Int
    /// The maximum number of unchanged items of a chunk, until lines are lost.
    private let unchangedSize: Int
    private let read: () throws -> ArraySlice<UInt8>
    private let bytesOfLongFile: Int
    /// Whether reading never waits for a writer, and the file is long.
    private let isLongFile: Bool
    private let catalog: CatalogSource?
    private var hasVocabulary = false
    private var knownLines = KnownLinesState.unused
    private var lineLoss: LineLossFlag?
    /// The pieces that were split before the catalog was available. Later they are in reverse order.
    private var ahead: [Result<Piece, any Error>] = []
    private var events: [FileEvent] = []
    /// The index of the first event that is in no chunk.
    private var nextEvent = 0
    private var bytesRead = 0
    private var isAtEnd = false
    private var hasEnded = false

    private enum KnownLinesState {
        /// No chunk has asked for the lines of the catalog.
        case unused
        /// The next chunk waits for them.
        case requested
        /// They are used, or every record is read.
        case settled
    }

    /// A piece of the file, whose records are split.
    private struct Piece {
        /// The number of bytes. It is zero at the end of the file.
        let size: Int
        let records: [CatalogFileReader.HashedRecord]

        /// The approximate size in memory, in bytes. Short records take much more than in the file.
        var memory: Int { records.reduce(records.capacity * MemoryLayout<CatalogFileReader.HashedRecord>.stride) { $0 + $1.bytes } }
    }

    /// Creates a chunker. `read` returns an empty slice at the end of the file. Without a catalog, the reader has the vocabulary, and
    /// reads every record.
    ///
    /// If the file is long, one chunk has no records, but asks for the lines of the catalog, and the next one waits for them. If
    /// `isLongFile` is true, this is the first chunk. The second one then splits and hashes records until the lines are available, so
    /// reading must never wait for a writer. If there is no catalog, the file has no more chunks.
    package init(
        _ reader: CatalogFileReader, size: Int, unchangedSize: Int? = nil, bytesOfLongFile: Int = bytesOfLongFile, isLongFile: Bool = false,
        catalog: CatalogSource? = nil, read: @escaping () throws -> ArraySlice<UInt8>
    ) {
        self.reader = reader
        self.size = max(1, size)
        // Chunks of a slow upload would be committed later.
        self.unchangedSize = unchangedSize ?? (isLongFile ? self.size * Self.unchangedForEachItem : self.size)
        self.bytesOfLongFile = bytesOfLongFile
        self.isLongFile = isLongFile
        self.catalog = catalog
        self.read = read
    }

    /// Returns the next chunk, or nil after the last one, which has the summary.
    package mutating func next() throws -> FileChunk? {
        guard !hasEnded else { return nil }
        if let catalog {
            if isLongFile, knownLines == .unused { return chunkForLines() }
            guard prepare(catalog) else {
                hasEnded = true
                return nil
            }
        }
        var chunk = FileChunk()
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
                if chunk.items.count >= size || chunk.unchanged.count >= maxUnchanged || parts >= Self.partsOfChunk {
                    return finished(chunk)
                }
            }
            if isAtEnd { break }
            if catalog != nil, knownLines == .unused, bytesRead >= bytesOfLongFile {
                return bytesRead > start ? finished(chunk) : chunkForLines()
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

    /// The maximum number of unchanged items of a chunk. Items whose lines were lost can have to be written like others.
    private var maxUnchanged: Int { lineLoss?.isSet == true ? min(size, unchangedSize) : unchangedSize }

    /// Returns a chunk that asks for the lines of the catalog.
    private mutating func chunkForLines() -> FileChunk {
        knownLines = .requested
        var chunk = FileChunk()
        chunk.asksForLines = true
        return chunk
    }

    /// Waits for the parts of the catalog that the next chunk needs. Returns false if there is no catalog.
    private mutating func prepare(_ catalog: CatalogSource) -> Bool {
        if !hasVocabulary {
            if isLongFile { splitAhead(of: catalog) }
            guard let context = catalog.context() else { return false }
            reader.use(context.vocabulary)
            if !context.hasLines, knownLines == .unused { knownLines = .settled }
            ahead.reverse()
            hasVocabulary = true
        }
        if knownLines == .requested {
            reader.skip(catalog.lines())
            lineLoss = reader.unchangedLines?.lineLoss
            knownLines = .settled
        }
        return true
    }

    /// Splits pieces until the lines of the catalog are available. An error is thrown later, where the piece would be read.
    private mutating func splitAhead(of catalog: CatalogSource) {
        var bytes = 0
        while bytes < Self.bytesAhead, !catalog.hasLines() {
            do {
                let piece = try nextPiece()
                ahead.append(.success(piece))
                guard piece.size > 0 else { return }
                bytes += piece.memory
            } catch {
                ahead.append(.failure(error))
                return
            }
        }
    }

    private func finished(_ chunk: FileChunk) -> FileChunk {
        var chunk = chunk
        chunk.bytesRead = bytesRead
        if !chunk.unchanged.isEmpty { chunk.lines = reader.unchangedLines }
        return chunk
    }

    private mutating func fill() throws {
        let piece = try ahead.popLast()?.get() ?? nextPiece()
        bytesRead += piece.size
        isAtEnd = piece.size == 0
        var found: [FileEvent] = []
        found.reserveCapacity(piece.records.count)
        for record in piece.records { reader.read(record) { found.append($0) } }
        (events, nextEvent) = (found, 0)
    }

    private mutating func nextPiece() throws -> Piece {
        let bytes = reader.isRefused ? [] : try read()
        return Piece(size: bytes.count, records: reader.split(bytes.isEmpty ? nil : bytes))
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

/// The catalog for which a chunker waits, blocked.
package struct CatalogSource {
    let context: () -> CatalogContext?
    let hasLines: () -> Bool
    let lines: () -> KnownLines?

    /// Creates a source. Each function blocks until it has a result. `context` returns nil if there is no catalog. `lines` is called
    /// only if a chunk has asked for lines, and `hasLines` returns whether it would return without a wait.
    package init(context: @escaping () -> CatalogContext?, hasLines: @escaping () -> Bool, lines: @escaping () -> KnownLines?) {
        self.context = context
        self.hasLines = hasLines
        self.lines = lines
    }
}

/// The names that the records of a file can use, and whether the catalog can have known lines.
package struct CatalogContext: Sendable {
    let vocabulary: Vocabulary
    let hasLines: Bool

    package init(_ vocabulary: Vocabulary, hasLines: Bool) {
        self.vocabulary = vocabulary
        self.hasLines = hasLines
    }
}
