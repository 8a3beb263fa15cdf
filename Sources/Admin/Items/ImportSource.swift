internal import CatalogImport
internal import Commands
import Host

/// Where an import reads from: a file, standard input, or what apt-cache prints.
final class ImportSource: Sendable {
    let format: FileFormat
    /// Of the file, where that is known.
    let size: Int?
    private let name: String
    private let descriptor: Descriptor
    /// What was read to find out what it is.
    private let beginning: ArraySlice<UInt8>

    private init(_ descriptor: consuming Descriptor, name: String, size: Int?, format: FileFormat?) throws(HostError) {
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
            return try ImportSource(Descriptor(opening: "/dev/stdin", .read), name: "standard input", size: nil, format: format)
        }
        return try ImportSource(
            Descriptor(opening: file, .read), name: file, size: FileStatus(following: file).map(\.size), format: format)
    }

    private static func apt() throws(HostError) -> ImportSource {
        let pipe = try Pipe()
        let nothing = try Descriptor(opening: "/dev/null", .read)
        _ = try Program("apt-cache", ["dumpavail"]).start(input: nothing, output: pipe.writing)
        return try ImportSource(pipe.readingEnd(), name: "apt-cache", size: nil, format: .apt)
    }

    /// Reads piece by piece from the beginning; to be called once.
    func reader() -> () throws -> ArraySlice<UInt8> {
        var beginning: ArraySlice<UInt8>? = beginning
        return { [self] in
            if let first = beginning.take() { return first }
            return try descriptor.readSome(subject: name)
        }
    }
}
