/// The lines of the catalog from which its items were imported, by their hashes. A record with one of them is not read again.
///
/// A line takes about 36 bytes, or 64 if its record has an ID or a serial number.
package struct KnownLines: Sendable {
    /// The snapshot before the lines were read.
    let snapshot: LineSnapshot
    private var short: LineTable
    private var long: LineTable

    init(_ snapshot: LineSnapshot, shortLines: Int, longLines: Int) {
        self.snapshot = snapshot
        short = LineTable(words: ItemNames.wordCounts.short, for: shortLines)
        long = LineTable(words: ItemNames.wordCounts.long, for: longLines)
    }

    /// Adds lines in the form in which they are stored, one after another.
    mutating func insert(shortLines: [UInt8], longLines: [UInt8]) {
        short.insert(shortLines)
        long.insert(longLines)
    }

    /// Returns the names of the record with this hash, or nil if the line is unknown.
    func names(of hash: LineHash) -> ItemNames? {
        (short.words(of: hash) ?? long.words(of: hash)).map { ItemNames(words: $0) }
    }
}
