import Host

/// A file that takes the place of an older one once it is complete.
struct AtomicFileWriter {
    private let path: String

    init(_ path: String) {
        self.path = path
    }

    func write(_ text: String) throws(HostError) {
        if path == "-" { return try StandardStream.output.write(text) }
        let draft = "\(path).\(SystemInfo.processID).part"
        try Files.remove(draft)
        try Descriptor(opening: draft, .create).write(Array(text.utf8), subject: draft)
        try Files.rename(draft, to: path)
    }
}
