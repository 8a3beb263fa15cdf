import Host
import Testing

@Suite final class FilesTests {
    private let folder: String

    init() throws {
        folder = "/tmp/vitrine-files-\(UInt64.random(in: .min ... .max))"
        try Files.makeDirectory(folder)
    }

    deinit {
        do { try Files.removeTree(folder) } catch { Issue.record(error) }
    }

    @Test("a new folder is its owner's alone, the ones made above it are open to pass through")
    func makeDirectory() throws {
        try Files.makeDirectory("\(folder)/a/b/c")
        #expect(FileStatus(following: "\(folder)/a/b/c")?.mode == 0o700)
        #expect(FileStatus(following: "\(folder)/a/b")?.mode == 0o755)
        try Files.makeDirectory("\(folder)/a/b/c")
    }

    @Test("removing a tree removes links and not what they point to")
    func removeTree() throws {
        try Files.makeDirectory("\(folder)/tree/inner")
        try Files.makeDirectory("\(folder)/kept")
        try Files.makeLink(at: "\(folder)/tree/inner/link", to: "\(folder)/kept")
        try Files.removeTree("\(folder)/tree")
        #expect(try Files.names(in: folder) == ["kept"])
        try Files.removeTree("\(folder)/tree")
    }

    @Test("a file larger than the limit is refused, one as large is read")
    func limit() throws {
        let path = "\(folder)/file"
        try Descriptor(opening: path, .create).write([1, 2, 3], subject: path)
        #expect(try Files.read(path, limit: 3) == [1, 2, 3])
        #expect(throws: HostError(.fileTooLarge, "read", path)) { try Files.read(path, limit: 2) }
    }

    @Test("an error says what was tried, on what, and why it failed")
    func errors() {
        #expect(throws: HostError(.notFound, "open", "\(folder)/missing")) { try Files.read("\(folder)/missing") }
        #expect("\(HostError(.noSpace, "write", "/x"))" == "cannot write /x: No space left on device")
    }

    @Test("a lock is refused to a second holder and free again when the first lets go")
    func lock() throws {
        let path = "\(folder)/lock"
        do {
            let lock = try FileLock(path: path)
            try lock.note("1234\n", subject: path)
            #expect(throws: HostError(.wouldBlock, "lock", path)) { _ = try FileLock(path: path) }
        }
        _ = try FileLock(path: path)
        #expect(try Files.read(path) == Array("1234\n".utf8))
    }

    @Test("the free space of a disk is known, of a missing place it is not")
    func freeSpace() {
        #expect(Files.freeSpace(at: folder) ?? 0 > 0)
        #expect(Files.freeSpace(at: "/nowhere/at-all") == nil)
    }
}
