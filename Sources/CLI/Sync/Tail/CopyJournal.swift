internal import Host
internal import JSON
internal import Security
internal import VitrineClient

/// A local copy as a journal file of JSON lines. Each record ends with a checksum, so that the process may end at any
/// byte.
///
/// An incomplete record at the end of the file counts as not written. A damaged record before others is an error,
/// because the rest may be damaged too. Only one process at a time may use the file.
final class CopyJournal {
    private static let endMark = Array("{\"end\":\"".utf8)
    /// The number of steps per record when the file is rewritten.
    private static let recordSteps = 1_000
    /// The number of steps that a file may have beyond twice its entities.
    private static let slack = 10_000

    let path: String
    private let scope: CopyScope
    private let lock: FileLock
    private var journal: Descriptor
    /// The checksum of the last record, which the next one includes.
    private var chain: String
    private var steps: Int

    private init(
        _ path: String, _ scope: CopyScope, _ lock: consuming FileLock, _ journal: consuming Descriptor, _ reader: CopyFileReader
    ) {
        self.path = path
        self.scope = scope
        self.lock = lock
        self.journal = journal
        (chain, steps) = (reader.chain, reader.steps)
    }

    /// Opens the local copy in a file. Creates an empty one if the file does not exist. Writes a file of an older format again.
    static func open(_ path: String, _ scope: CopyScope) throws -> (file: CopyJournal, copy: LocalCopy) {
        try Files.makeDirectory(Path.parent(of: path))
        let lock: FileLock
        do throws(HostError) { lock = try FileLock(path: "\(path).lock") } catch {
            if error.code == .wouldBlock { throw CopyFileError.inUse }
            throw error
        }
        var reader = CopyFileReader()
        if let status = FileStatus(following: path), status.size > 0 {
            try reader.read(path)
            guard let found = reader.scope else { throw CopyFileError.isNone }
            guard found == scope else { throw CopyFileError.ofAnother(found) }
        }
        let isWhole = reader.scope != nil && !reader.isTorn && !reader.isOutdated
        if !isWhole { try write(reader.copy, of: scope, to: path, &reader) }
        let journal = try Descriptor(opening: path, .append)
        return (CopyJournal(path, scope, lock, journal, reader), reader.copy)
    }

    /// Writes the steps of one response, all of them or none.
    func append(_ edits: [CopyMutation], of copy: LocalCopy) throws {
        guard !edits.isEmpty else { return }
        let (bytes, chain) = try Self.record(try edits.map { try JournalRecord($0).json() }, after: chain)
        try journal.write(bytes, subject: path)
        try Files.synchronize(path)
        self.chain = chain
        steps += edits.count
        if steps > copy.entries.count * 2 + Self.slack { try compact(copy) }
    }

    private func compact(_ copy: LocalCopy) throws {
        var reader = CopyFileReader()
        try Self.write(copy, of: scope, to: path, &reader)
        journal = try Descriptor(opening: path, .append)
        (chain, steps) = (reader.chain, reader.steps)
    }

    /// Writes the whole local copy to a new file, which replaces the old one. `reader` ends in the state after reading
    /// it.
    private static func write(_ copy: LocalCopy, of scope: CopyScope, to path: String, _ reader: inout CopyFileReader) throws {
        let beside = "\(path).new"
        let file = try Descriptor(opening: beside, .replace)
        (reader.chain, reader.steps) = ("", 0)
        var lines = [try scope.header.json()]
        func flush() throws {
            let (bytes, chain) = try record(lines, after: reader.chain)
            try file.write(bytes, subject: beside)
            reader.chain = chain
            lines = []
        }
        try flush()
        try copy.edits { edit in
            lines.append(try JournalRecord(edit).json())
            reader.steps += 1
            if lines.count == recordSteps { try flush() }
        }
        if !lines.isEmpty { try flush() }
        try Files.synchronize(beside)
        try Files.rename(beside, to: path)
        try Files.synchronize(Path.parent(of: path))
    }

    /// Returns the bytes of some lines with their checksum line, and the checksum.
    private static func record(_ lines: [[UInt8]], after chain: String) throws -> (bytes: [UInt8], chain: String) {
        var bytes: [UInt8] = []
        for line in lines { bytes += line + [0x0A] }
        let next = Digest.tag(of: Array(chain.utf8) + bytes)
        bytes += endMark + Array("\(next)\"}\n".utf8)
        return (bytes, next)
    }
}

extension CopyScope {
    fileprivate var header: CopyFileHeader { CopyFileHeader(scope: self) }
}
