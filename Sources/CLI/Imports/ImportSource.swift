internal import Arguments
internal import CatalogImport
import Host

/// Where an import reads from: a file, standard input, or what apt-cache prints.
final class ImportSource: Sendable {
    let format: FileFormat
    /// Of the file, where that is known.
    let size: Int?
    let identity: FileStatus.Identity
    private let name: String
    private let descriptor: Descriptor
    /// What was read to find out what it is.
    private let beginning: ArraySlice<UInt8>
    /// What writes it, where that is a program of ours.
    private let writer: Writer?

    private init(
        _ descriptor: consuming Descriptor, name: String, size: Int?, format: FileFormat?, writer: Writer? = nil
    ) throws(HostError) {
        self.writer = writer
        identity = try FileStatus(of: descriptor, subject: name).identity
        beginning = try descriptor.readSome(subject: name)
        self.descriptor = descriptor
        self.name = name
        self.size = size
        self.format = format ?? FileFormat.guess(name: name, beginning: beginning)
    }

    static func open(_ file: String?, _ format: FileFormat?, _ invocation: Invocation) throws -> ImportSource {
        guard let file else {
            guard format == .apt else { throw invocation.usageError("A FILE is missing; - is standard input.") }
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

    /// Reads piece by piece from the beginning; to be called once. An end that comes too early is a failure: what is missing could be taken
    /// for gone.
    func reader() -> () throws -> ArraySlice<UInt8> {
        var beginning: ArraySlice<UInt8>? = beginning
        var count = 0
        return { [self] in
            let bytes = try beginning.take() ?? descriptor.readSome(subject: name)
            count += bytes.count
            guard bytes.isEmpty else { return bytes }
            if let status = try writer?.process.waitOnce(), !status.isSuccess { throw CutShort(reason: "\(name) ended with \(status)") }
            if let size, count < size { throw CutShort(reason: "\(name) became shorter while it was read") }
            return []
        }
    }

    /// A file whose end is not all there is.
    struct CutShort: Error, CustomStringConvertible {
        let reason: String

        var description: String { reason }
    }
}

private final class Writer: Sendable {
    let process: ChildProcess

    init(_ process: consuming ChildProcess) { self.process = process }
}
