package import Items

/// The records that are written in one transaction, in the order of their dependencies.
package struct FileChunk: Sendable {
    package var storefronts: [(record: StorefrontRecord, line: Int)] = []
    package var categories: [(record: CategoryRecord, line: Int)] = []
    package var items: [PreparedItem] = []
    /// The items that were not read because the catalog has them with an equal line.
    package var unchanged: [UnchangedLine] = []
    package var charts: [(record: ChartRecord, line: Int)] = []
    package var rejects: [[Reject]] = []
    /// The number of bytes of the file up to the end of the chunk.
    package var bytesRead = 0
    /// Whether the header of the CSV file is invalid, so that no record could be read. Only the last chunk sets it.
    package var isUnreadable = false
    /// Whether the file has more records than the limit. Only the last chunk sets it.
    package var isTooLong = false
    /// Whether the file is long, and its reader waits for the lines of the catalog. Such a chunk has no records.
    package var asksForLines = false
    /// The reader of unchanged lines that were lost. nil if every line was read.
    var lines: UnchangedLineReader?
    /// The summary of the whole file. Only the last chunk has it.
    package var ending: FileSummary?
}

/// The summary of a file that has been read.
package struct FileSummary: Sendable {
    /// The kinds of its items.
    package let kinds: Set<ItemKind>
    private let reader: CatalogFileReader

    init(_ reader: CatalogFileReader) {
        kinds = reader.kinds
        self.reader = reader
    }

    /// Whether the file had an item of this kind and source.
    package func has(_ kind: ItemKind, source: String) -> Bool { reader.contains(kind, source: source) }
}
