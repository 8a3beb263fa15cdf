internal import Arguments
internal import CatalogImport
import Host

/// The source of an import: a file, standard input, or the output of apt-cache.
final class ImportSource: Sendable {
    let format: FileFormat
    /// The size of the file, if known.
    let size: Int?
    let identity: FileStatus.Identity
    private let name: String
    private let descriptor: Descriptor
    /// The bytes that were read to detect the format.
    private let start: ArraySlice<UInt8>
    /// The program that writes the source, if this command started one.
    private let writer: Writer?

    private init(
        _ descriptor: consuming Descriptor, name: String, size: Int?, format: FileFormat?, writer: Writer? = nil
    ) throws(HostError) {
        self.writer = writer
        identity = try FileStatus(of: descriptor, subject: name).identity
        start = try descriptor.readSome(subject: name)
        self.descriptor = descriptor
        self.name = name
        self.size = size
        self.format = format ?? FileFormat.guess(name: name, start: start)
    }

    static func open(_ file: String?, _ format: FileFormat?, _ invocation: Invocation) throws -> ImportSource {
        guard let file else {
            guard format == .apt else { throw invocation.usageError("missing argument FILE: expected a file, or - for standard input") }
            return try apt()
        }
        if file == "-" {
            return try ImportSource(Descriptor(sharing: .input), name: "standard input", size: nil, format: format)
        }
        return try ImportSource(
            Descriptor(opening: file, .read), name: file, size: FileStatus(following: file).map(\.size), format: format)
    }

    private static func apt() throws(HostError) -> ImportSource {
        let pipe = try Pipe()
        let nothing = try Descriptor(opening: "/dev/null", .read)
        let writer = Writer(try ProcessLaunch("apt-cache", ["dumpavail"]).start(input: nothing, output: pipe.writing, sharesErrors: true))
        return try ImportSource(pipe.readingEnd(), name: "apt-cache", size: nil, format: .apt, writer: writer)
    }

    /// Returns a closure that reads piece by piece from the start. Call it only one time.
    ///
    /// A premature end is an error, because the import would withdraw the missing items.
    func reader() -> () throws -> ArraySlice<UInt8> {
        var start: ArraySlice<UInt8>? = start
        var count = 0
        return { [self] in
            let bytes = try start.take() ?? descriptor.readSome(subject: name)
            count += bytes.count
            guard bytes.isEmpty else { return bytes }
            if let status = try writer?.process.waitOnce(), !status.isSuccess { throw CutShort(reason: "\(name) ended with \(status)") }
            if let size, count < size { throw CutShort(reason: "\(name) was truncated while it was read") }
            return []
        }
    }

    /// An error thrown if the source ends too early.
    struct CutShort: Error, CustomStringConvertible {
        let reason: String

        var description: String { reason }
    }
}

private final class Writer: Sendable {
    let process: ChildProcess

    init(_ process: consuming ChildProcess) { self.process = process }
}
