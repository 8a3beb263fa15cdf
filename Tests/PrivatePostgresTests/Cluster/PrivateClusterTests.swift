import Host
import Testing

@testable import PrivatePostgres

/// Against the server that is installed here. Each test has a folder of its own and stops what it starts.
@Suite final class PrivateClusterTests {
    private let folder: String
    private var request: ClusterRequest

    init() throws {
        folder = "/tmp/vitrine-cluster-\(UInt64.random(in: .min ... .max))"
        request = ClusterRequest(directory: folder)
    }

    deinit {
        do { try Files.removeTree(folder) } catch { Issue.record(error) }
    }

    private static func pause(_ duration: Duration) throws(ClusterError) { _ = Signal.next(of: [], within: duration) }

    private func start(_ steps: (ClusterProgress) -> Void = { _ in }) throws(ClusterError) -> PrivateCluster {
        try withoutActuallyEscaping(steps) { steps throws(ClusterError) in
            try PrivateCluster.start(request, progress: steps, pause: Self.pause)
        }
    }

    /// What psql prints for a statement.
    private func query(_ sql: String, _ place: ClusterPlace) throws -> String {
        let (text, status) = try Program("psql", ["-XAtq", "-v", "ON_ERROR_STOP=1", "-d", place.url, "-c", sql]).output()
        #expect(status.isSuccess, "\(text)")
        return text
    }

    /// The server's process, as its own file tells it.
    private func postmaster() throws -> Int32 {
        try #require(PostmasterFile(at: "\(folder)/data/postmaster.pid")).process
    }

    @Test("a cluster is made as it should be, keeps what is written, and is found again")
    func lifecycle() throws {
        let cluster = try start()
        #expect(cluster.origin == .created)
        let facts = """
            SELECT current_setting('data_checksums'), pg_encoding_to_char(encoding), datcollate, datctype, current_setting('listen_addresses')
            FROM pg_database WHERE datname = 'vitrine'
            """
        #expect(try query(facts, cluster.place) == "on|UTF8|C|C.UTF-8|\n")
        _ = try query("CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)", cluster.place)
        try cluster.stop(pause: Self.pause)
        #expect(PostmasterFile(at: "\(folder)/data/postmaster.pid") == nil)

        let again = try start()
        #expect(again.origin == .started)
        #expect(try query("SELECT n FROM kept", again.place) == "7\n")
        try again.stop(pause: Self.pause)
    }

    @Test("a second Vitrine on the same folder is refused and told who is there")
    func inUse() throws {
        let cluster = try start()
        let error = #expect(throws: ClusterError.self) { _ = try self.start() }
        #expect(error?.code == .inUse)
        #expect(error?.message.contains("process \(Machine.processID)") == true)
        try cluster.stop(pause: Self.pause)
    }

    @Test("a server that outlived its Vitrine is adopted, and stopped with the new one")
    func adopts() throws {
        let folder = try ClusterFolder(request) { _ in }
        let birth = ClusterBirth(folder: folder, request: request)
        let binaries = try #require(ServerBinaries.installed().first)
        try birth.create(with: binaries, pause: Self.pause)
        let first = try ServerLaunch(
            folder: folder, request: request, binaries: binaries, progress: { _ in }, pause: Self.pause
        ).bringUp()

        let cluster = try start()
        #expect(cluster.origin == .adopted)
        #expect(try postmaster() == first.process)
        try cluster.stop(pause: Self.pause)
        #expect(RunningProcess(id: first.process) == nil)
    }

    @Test("a pid file whose number belongs to another program by now does not stop a start")
    func stalePidFile() throws {
        try start().stop(pause: Self.pause)
        let socket = try ClusterPlace(directory: folder).socketLock
        for path in ["\(folder)/data/postmaster.pid", socket] {
            let text = "\(Machine.processID)\n\(folder)/data\n1700000000\n5432\n\(folder)\n\n  1 1\nready   \n"
            try Descriptor(opening: path, .create).write(Array(text.utf8), subject: path)
        }
        let cluster = try start()
        #expect(cluster.origin == .started)
        try cluster.stop(pause: Self.pause)
    }

    @Test("a server that was killed is recovered with what it had committed")
    func killedServer() throws {
        var cluster = try start()
        _ = try query("CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)", cluster.place)
        try RunningProcess.send(.kill, to: try postmaster())
        while cluster.failure() == nil { try Self.pause(.milliseconds(10)) }
        try cluster.stop(pause: Self.pause)

        let again = try start()
        #expect(try query("SELECT n FROM kept", again.place) == "7\n")
        try again.stop(pause: Self.pause)
    }

    @Test("giving up while a cluster is made leaves none, and the next start makes one")
    func interrupted() throws {
        var pauses = 0
        #expect(throws: ClusterError.self) {
            _ = try PrivateCluster.start(request, progress: { _ in }) { duration throws(ClusterError) in
                pauses += 1
                if pauses > 3 { throw ClusterError(.interrupted, "interrupted", advice: "") }
                try Self.pause(duration)
            }
        }
        #expect(try Files.names(in: folder).filter { $0 == "data" || $0.hasPrefix("unfinished") } == [])
        try start().stop(pause: Self.pause)
    }

    @Test("what a killed attempt left is removed, and said")
    func unfinished() throws {
        try start().stop(pause: Self.pause)
        try Files.makeDirectory("\(folder)/unfinished-1/base")
        var steps: [ClusterProgress] = []
        try start { steps.append($0) }.stop(pause: Self.pause)
        #expect(steps.contains(.removedUnfinished("unfinished-1")))
        #expect(FileStatus(following: "\(folder)/unfinished-1") == nil)
    }

    @Test("a cluster of another major version is refused and left as it was")
    func otherMajor() throws {
        try start().stop(pause: Self.pause)
        let version = "\(folder)/data/PG_VERSION"
        try Files.remove(version)
        try Descriptor(opening: version, .create).write(Array("9\n".utf8), subject: version)
        if let owner = FileStatus(following: folder)?.owner, let user = User(id: owner) { try Files.give(version, to: user) }
        let error = #expect(throws: ClusterError.self) { _ = try self.start() }
        #expect(error?.code == .wrongMajorVersion)
    }

    @Test("a data folder that is no cluster is refused and left as it was")
    func notACluster() throws {
        _ = try ClusterFolder(request) { _ in }
        try Files.makeDirectory("\(folder)/data")
        if let owner = FileStatus(following: folder)?.owner, let user = User(id: owner) { try Files.give("\(folder)/data", to: user) }
        let error = #expect(throws: ClusterError.self) { _ = try self.start() }
        #expect(error?.code == .notACluster)
        #expect(FileStatus(following: "\(folder)/data") != nil)
    }

    @Test("a socket that another server listens on is named")
    func socketInUse() throws {
        let cluster = try start()
        let other = folder + "-other"
        defer { do { try Files.removeTree(other) } catch { Issue.record(error) } }
        let error = #expect(throws: ClusterError.self) {
            _ = try PrivateCluster.start(
                ClusterRequest(directory: other, socketDirectory: self.folder), progress: { _ in }, pause: Self.pause)
        }
        #expect(error?.code == .socketInUse)
        #expect(error?.advice.contains("--postgres-socket-directory") == true)
        try cluster.stop(pause: Self.pause)
    }

    @Test("a folder that may not be written to is an error that names it")
    func unwritable() {
        let error = #expect(throws: ClusterError.self) {
            _ = try PrivateCluster.start(ClusterRequest(directory: "/proc/vitrine"), progress: { _ in }, pause: Self.pause)
        }
        #expect(error?.message.contains("/proc/vitrine") == true)
    }

    @Test("a folder that is a file is an error that names it")
    func notAFolder() throws {
        let error = #expect(throws: ClusterError.self) {
            _ = try PrivateCluster.start(ClusterRequest(directory: "/etc/passwd"), progress: { _ in }, pause: Self.pause)
        }
        #expect(error?.message.contains("/etc/passwd") == true)
    }

    @Test(
        "a full disk is named, and what was there is still there once there is room",
        .enabled(if: User.current.isRoot, "only root mounts a small disk"))
    func fullDisk() throws {
        let disk = folder + "-disk"
        try Files.makeDirectory(disk)
        #expect(try Program("mount", ["-t", "tmpfs", "-o", "size=90m,mode=755", "tmpfs", disk]).output().status.isSuccess)
        defer {
            do {
                #expect(try Program("umount", [disk]).output().status.isSuccess)
                try Files.removeTree(disk)
            } catch { Issue.record(error) }
        }
        request.directory = "\(disk)/cluster"
        let filler = "\(disk)/filler"
        let fill = { (megabytes: Int) in
            let path = try Descriptor(opening: filler, .create)
            for _ in 0..<megabytes { try path.write([UInt8](repeating: 1, count: 1 << 20), subject: filler) }
        }

        try fill(80)
        let unmade = #expect(throws: ClusterError.self) { _ = try self.start() }
        #expect(unmade?.code == .diskFull)
        #expect(try Files.names(in: request.directory).contains("data") == false)

        try Files.remove(filler)
        let cluster = try start()
        _ = try query("CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)", cluster.place)
        try cluster.stop(pause: Self.pause)
        let room = try #require(Files.freeSpace(at: disk))
        #expect(throws: HostError.self) { try fill((room >> 20) + 1) }
        do {
            try start().stop(pause: Self.pause)
        } catch {
            #expect(error.code == .diskFull, "\(error)")
        }

        try Files.remove(filler)
        let again = try start()
        #expect(try query("SELECT n FROM kept", again.place) == "7\n")
        try again.stop(pause: Self.pause)
    }

    @Test("without a server program the error says which flag was wrong")
    func noBinaries() {
        request.binaries = "/nowhere/at-all"
        let error = #expect(throws: ClusterError.self) { _ = try self.start() }
        #expect(error?.code == .noServerBinaries)
        #expect(error?.message.contains("/nowhere/at-all") == true)
    }
}
