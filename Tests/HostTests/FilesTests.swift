import Host
import TestSupport
import Testing

@Suite struct FilesTests {
    private let temporary: TemporaryFolder
    private var folder: String { temporary.path }

    init() throws { temporary = try TemporaryFolder("files") }

    @Test("a new folder is its owner's alone, the ones made above it are open to pass through")
    func makeDirectory() throws {
        try Files.makeDirectory("\(folder)/a/b/c")
        #expect(FileStatus(following: "\(folder)/a/b/c")?.mode == 0o700)
        #expect(FileStatus(following: "\(folder)/a/b")?.mode == 0o755)
        try Files.makeDirectory("\(folder)/a/b/c")
    }

    @Test("a file stands in the way of a folder, and the error says so")
    func fileInTheWay() throws {
        try Descriptor(opening: "\(folder)/file", .create).write([1], subject: "file")
        #expect(throws: HostError(.alreadyExists, "create the folder", "\(folder)/file")) { try Files.makeDirectory("\(folder)/file") }
    }

    @Test("a file that is written on is neither a link nor one of several names", arguments: [Descriptor.Access.append, .lock])
    func linked(access: Descriptor.Access) throws {
        try Descriptor(opening: "\(folder)/victim", .create).write([1], subject: "victim")
        try Files.makeLink(at: "\(folder)/link", to: "\(folder)/victim")
        #expect(throws: HostError.self) { _ = try Descriptor(opening: "\(self.folder)/link", access) }
        #expect(try ProcessLaunch("ln", ["\(folder)/victim", "\(folder)/twin"]).output().status.isSuccess)
        #expect(throws: HostError.self) { _ = try Descriptor(opening: "\(self.folder)/twin", access) }
        #expect(try Files.read("\(folder)/victim") == [1])
    }

    @Test("the end of a file is read without the rest")
    func readEnd() throws {
        try Descriptor(opening: "\(folder)/file", .create).write([1, 2, 3, 4], subject: "file")
        #expect(try Files.readEnd(of: "\(folder)/file", bytes: 2) == [3, 4])
        #expect(try Files.readEnd(of: "\(folder)/file", bytes: 9) == [1, 2, 3, 4])
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
