internal import CatalogImport
import Host
internal import JSON
internal import Values

/// A writer of rejects: all of them to a file, or the first ones to standard error.
final class RejectWriter: Sendable {
    private static let visible = 10

    private let console: Console
    private let path: String?
    private let file: OpenFile?
    private let received = Locked((records: 0, first: [String]()))
    /// The number of rejects that the server has counted. It does not store all of them.
    private let counted = Locked(0)

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
        received.withLock { received in
            received.records += records.count
            for rejects in records.prefix(Self.visible - received.first.count) { received.first += Self.line(rejects).map { [$0] } ?? [] }
        }
        guard let path else { return }
        var lines: [UInt8] = []
        for reject in records.joined() { lines += try reject.json() + [UInt8(ascii: "\n")] }
        try file?.descriptor.write(lines, subject: path)
    }

    /// Returns the first issue of a record, and the number of its others.
    private static func line(_ rejects: [Reject]) -> String? {
        let others = rejects.count - 1
        return rejects.first.map { "\($0)" + (others > 0 ? " and \(others == 1 ? "1 more issue" : "\(others) more issues")" : "") }
    }

    func expect(_ records: Int) { counted.withLock { $0 = records } }

    /// Prints a summary of the rejects: the name of their file, or the first ones.
    func summarize() {
        let (written, first) = received.withLock { $0 }
        let records = max(written, counted.withLock { $0 })
        guard written > 0 else { return }
        if written < records { console.printStatus("warning: the server stored only the first \(written) of \(records) rejects\n") }
        if let path { return console.printStatus("\(written == 1 ? "1 reject" : "\(written) rejects") in \(path.printable())\n") }
        console.printStatus(first.map { "\($0)\n" }.joined())
        let others = written - first.count
        if others > 0 {
            console.printStatus(
                "hint: there \(others == 1 ? "is 1 more reject" : "are \(others) more rejects"); write all of them to a file with --rejects FILE\n"
            )
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
