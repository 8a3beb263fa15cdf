internal import CatalogImport
import Host
internal import JSON

/// A writer of rejects: all of them to a file, or the first ones to standard error.
final class RejectWriter: Sendable {
    private static let shown = 10

    private let console: Console
    private let path: String?
    private let file: OpenFile?
    private let seen = Locked((records: 0, first: [Reject]()))
    /// The number of rejects, if the server has not stored all of them.
    private let expected = Locked(0)

    /// Empties the file. Throws if it is the source.
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
            // A record can have many rejects, of which the first ones are enough.
            for reject in records.flatMap({ $0.prefix(3) }) where seen.first.count < Self.shown { seen.first.append(reject) }
        }
        guard let path else { return }
        var lines: [UInt8] = []
        for reject in records.joined() { lines += try reject.json() + [UInt8(ascii: "\n")] }
        try file?.descriptor.write(lines, subject: path)
    }

    func expect(_ records: Int) { expected.withLock { $0 = records } }

    /// Prints a summary of the rejects: the name of their file, or the first ones.
    func summarize() {
        let (reported, first) = seen.withLock { $0 }
        let records = max(reported, expected.withLock { $0 })
        guard records > 0 else { return }
        if reported < records {
            console.printStatus("warning: the server stored only the first \(reported) of \(records) rejects\n")
        }
        if let path { return console.printStatus("\(records) rejects in \(path)\n") }
        console.printStatus(first.map { "\($0)\n" }.joined())
        if Set(first.map(\.line)).count < records {
            console.printStatus("hint: \(records) records were rejected; --rejects FILE writes all of them\n")
        }
    }
}

/// An error thrown if the file for the rejects is the source.
struct RejectsFileConflict: Error {
    let path: String
}

private final class OpenFile: Sendable {
    let descriptor: Descriptor
    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
}
