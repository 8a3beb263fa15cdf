internal import CatalogImport
import Host
internal import JSON

/// Where rejects go: all of them to a file, or the first of them to standard error.
final class RejectWriter: Sendable {
    private static let shown = 10

    private let console: Console
    private let path: String?
    private let file: OpenFile?
    private let seen = Locked((records: 0, first: [Reject]()))
    /// How many there are, where whoever tells them has not kept all.
    private let expected = Locked(0)

    /// Empties the file, if it is another one than the source.
    init(_ path: String?, besides source: ImportSource, console: Console) throws {
        self.console = console
        self.path = path
        guard let path else {
            file = nil
            return
        }
        if let status = FileStatus(following: path), status.identity == source.identity { throw RejectsFileConflict(path: path) }
        file = OpenFile(try Descriptor(opening: path, .replace))
    }

    func write(_ records: [[Reject]]) throws {
        guard !records.isEmpty else { return }
        seen.withLock { seen in
            seen.records += records.count
            // Of a record that is wrong altogether the first mistakes tell enough.
            for reject in records.flatMap({ $0.prefix(3) }) where seen.first.count < Self.shown { seen.first.append(reject) }
        }
        guard let path else { return }
        var lines: [UInt8] = []
        for reject in records.joined() { lines += try reject.json() + [UInt8(ascii: "\n")] }
        try file?.descriptor.write(lines, subject: path)
    }

    func expect(_ records: Int) { expected.withLock { $0 = records } }

    /// Tells what no file has told.
    func summarize() {
        let (reported, first) = seen.withLock { $0 }
        let records = max(reported, expected.withLock { $0 })
        guard records > 0 else { return }
        if reported < records {
            console.printStatus("Of \(records) records that were rejected the server has kept the first \(reported).\n")
        }
        if let path { return console.printStatus("rejected: \(records), told in \(path)\n") }
        console.printStatus(first.map { "\($0)\n" }.joined())
        if Set(first.map(\.line)).count < records { console.printStatus("… \(records) records were rejected; --rejects FILE tells all\n") }
    }
}

/// The file that is imported was to take the rejects.
struct RejectsFileConflict: Error {
    let path: String
}

private final class OpenFile: Sendable {
    let descriptor: Descriptor
    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
}
