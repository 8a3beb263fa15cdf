package import Items

/// As many records as are written at once, in the order in which they need each other.
package struct FileChunk: Sendable {
    package var storefronts: [(record: StorefrontRecord, line: Int)] = []
    package var categories: [(record: CategoryRecord, line: Int)] = []
    package var items: [PreparedItem] = []
    package var charts: [(record: ChartRecord, line: Int)] = []
    package var rejects: [[Reject]] = []
    /// Of the file up to the end of the chunk.
    package var bytesRead = 0
    /// Of the last chunk: whether nothing behind its beginning could be read, as that says what the rest means.
    package var isUnreadable = false
    /// Of the last chunk: whether the file has more records than an import takes.
    package var isTooLong = false
    /// Of the last chunk, what the whole file had.
    package var ending: FileSummary?
}

/// What is known once a file has been read.
package struct FileSummary: Sendable {
    /// Of its items.
    package let kinds: Set<ItemKind>
    private let reader: CatalogFileReader

    init(_ reader: CatalogFileReader) {
        kinds = reader.kinds
        self.reader = reader
    }

    /// Whether the file had an item of this kind and source.
    package func has(_ kind: ItemKind, source: String) -> Bool { reader.hasSeen(kind, source: source) }
}
