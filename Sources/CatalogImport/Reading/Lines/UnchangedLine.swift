internal import JSON
internal import Synchronization

/// A record that was not read, because its line is the one from which its item was imported.
package struct UnchangedLine: Sendable {
    /// The first line of the record in the file.
    package let line: Int
    let hash: LineHash
    /// The record as JSON.
    let json: [UInt8]
}

/// A snapshot of the database. Lines that are lost later are not visible in it.
struct LineSnapshot: Sendable {
    let text: String
    let time: String
}

/// The reader of records that were skipped, and whose lines were lost before their chunk is written.
struct UnchangedLineReader: Sendable {
    /// The snapshot before the lines were read.
    let snapshot: LineSnapshot
    let limits: JSONLimits
    let digest: @Sendable ([UInt8]) -> [UInt8]
    let lineLoss = LineLossFlag()

    /// Returns nil if the record is not an item.
    func item(of line: UnchangedLine) throws(JSONError) -> PreparedItem? {
        guard case .item(let record) = try CatalogRecord(parsing: line.json, limits: limits) else { return nil }
        return PreparedItem(record, from: .file(line.json, limits), line: line.line, hash: line.hash, digest: digest)
    }
}

/// Whether the catalog has lost lines since they were read. The session that writes chunks sets it, for the thread that reads the
/// file.
final class LineLossFlag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }

    func set() { flag.store(true, ordering: .relaxed) }
}
