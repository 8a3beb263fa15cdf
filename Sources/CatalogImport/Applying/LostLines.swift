package import Postgres

/// The lines that other transactions have lost since the reader of the file learned them.
struct LostLines {
    private var hashes: Set<LineHash> = []
    /// The point up to which lost lines are known. nil before the first query.
    private var point: LineSnapshot?
    /// The importer's own transaction at that point.
    private var transaction = ""
    /// Whether lost lines can be missing.
    private var isIncomplete = false

    /// Returns the items of the chunk that have to be read because their lines were lost.
    ///
    /// A line that is lost later, by a transaction that is still open, is lost after this chunk.
    mutating func items(in chunk: FileChunk, _ session: PostgresSession) async throws -> [PreparedItem] {
        guard let reader = chunk.lines else { return [] }
        let start = point ?? reader.snapshot
        let rows = try await session.rows(
            of: PostgresQuery(ImportStatements.lostLines, start.text, transaction, start.time), as: Bytes?.self, String.self, String.self,
            String.self, Bool.self)
        guard let (lost, snapshot, transaction, time, isLate) = rows.first else { return [] }
        if let lost {
            for start in stride(from: 0, to: lost.bytes.count, by: 16) {
                hashes.insert(
                    LineHash(high: UInt64(bigEndian: lost.bytes, at: start), low: UInt64(bigEndian: lost.bytes, at: start + 8)))
            }
        }
        point = LineSnapshot(text: snapshot, time: time)
        self.transaction = transaction
        isIncomplete = isIncomplete || isLate
        if isIncomplete || !hashes.isEmpty { reader.lineLoss.set() }
        var items: [PreparedItem] = []
        for line in chunk.unchanged where isIncomplete || hashes.contains(line.hash) {
            if let item = try reader.item(of: line) { items.append(item) }
        }
        return items
    }
}

extension KnownLines {
    /// Reads the lines of the catalog.
    package static func read(_ session: PostgresSession) async throws -> KnownLines? {
        let counts = try await session.rows(
            of: PostgresQuery(ImportStatements.countLines), as: String.self, String.self, Int.self, Int.self, Int.self)
        guard let (snapshot, time, pages, shortLines, longLines) = counts.first else { return nil }
        var lines = KnownLines(LineSnapshot(text: snapshot, time: time), shortLines: shortLines, longLines: longLines)
        for page in 0..<pages {
            for (short, long) in try await session.rows(of: PostgresQuery(ImportStatements.lines, page), as: Bytes?.self, Bytes?.self) {
                lines.insert(shortLines: short?.bytes ?? [], longLines: long?.bytes ?? [])
            }
        }
        return lines
    }
}
