/// A file of rows in the binary format of COPY. The database rejects a row with another number of columns than its table.
struct CopyFile: Sendable {
    private(set) var count = 0
    /// The file so far. After the start of a row, its columns are appended here.
    var columns = CopyColumns(after: Self.header)

    /// The signature, the flags, and the length of no extension.
    private static let header = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + Array(repeating: 0, count: 8)

    var bytes: [UInt8] { columns.bytes }

    /// Starts a row with this number of columns.
    mutating func startRow(_ columnCount: Int) {
        columns.count(columnCount)
        count += 1
    }

    /// Ends the file after its last row.
    mutating func end() { columns.count(-1) }
}
