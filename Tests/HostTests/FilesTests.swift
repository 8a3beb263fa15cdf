import Host
import TestSupport
import Testing

@Suite struct FilesTests {
    private let temporary: TemporaryFolder
    private var folder: String { temporary.path }

    init() throws { temporary = try TemporaryFolder("files") }

    @Test("A new folder is private to its owner, and created parent folders can be traversed by others")
    func makeDirectory() throws {
        try Files.makeDirectory("\(folder)/a/b/c")
        #expect(FileStatus(following: "\(folder)/a/b/c")?.mode == 0o700)
        #expect(FileStatus(following: "\(folder)/a/b")?.mode == 0o755)
        try Files.makeDirectory("\(folder)/a/b/c")
    }

    @Test("Creating a folder in place of a file is an error that names the path")
    func fileInTheWay() throws {
        try Descriptor(opening: "\(folder)/file", .create).write([1], subject: "file")
        #expect(throws: HostError(.alreadyExists, "create the folder", "\(folder)/file")) { try Files.makeDirectory("\(folder)/file") }
    }

    @Test("A file is opened for writing only if it is neither a link nor has other names", arguments: [Descriptor.Access.append, .lock])
    func linked(access: Descriptor.Access) throws {
        try Descriptor(opening: "\(folder)/victim", .create).write([1], subject: "victim")
        try Files.makeLink(at: "\(folder)/link", to: "\(folder)/victim")
        #expect(throws: HostError.self) { _ = try Descriptor(opening: "\(self.folder)/link", access) }
        #expect(try ProcessLaunch("ln", ["\(folder)/victim", "\(folder)/twin"]).output().status.isSuccess)
        #expect(throws: HostError.self) { _ = try Descriptor(opening: "\(self.folder)/twin", access) }
        #expect(try Files.read("\(folder)/victim") == [1])
    }

    @Test("The end of a file is read without the rest")
    func readEnd() throws {
        try Descriptor(opening: "\(folder)/file", .create).write([1, 2, 3, 4], subject: "file")
        #expect(try Files.readEnd(of: "\(folder)/file", bytes: 2) == [3, 4])
        #expect(try Files.readEnd(of: "\(folder)/file", bytes: 9) == [1, 2, 3, 4])
    }

    @Test("A file above the limit is refused, and one of exactly that size is read")
    func limit() throws {
        let path = "\(folder)/file"
        try Descriptor(opening: path, .create).write([1, 2, 3], subject: path)
        #expect(try Files.read(path, limit: 3) == [1, 2, 3])
        #expect(throws: HostError(.fileTooLarge, "read", path)) { try Files.read(path, limit: 2) }
    }

    @Test("An error names the operation, the path and the reason")
    func errors() {
        #expect(throws: HostError(.notFound, "open", "\(folder)/missing")) { try Files.read("\(folder)/missing") }
        #expect("\(HostError(.noSpace, "write", "/x"))" == "cannot write /x: No space left on device")
    }

    @Test("A lock is refused to a second owner and is free once the first releases it")
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

    @Test("The free space of a disk is known, and that of a missing path is not")
    func freeSpace() {
        #expect(Files.freeSpace(at: folder) ?? 0 > 0)
        #expect(Files.freeSpace(at: "/nowhere/at-all") == nil)
    }
}
