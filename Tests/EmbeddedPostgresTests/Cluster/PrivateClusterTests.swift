import Host
import TestSupport
import Testing

@testable import EmbeddedPostgres

/// Runs the PostgreSQL server of this machine. Each test has its own folder and stops the server that it starts.
@Suite(.onOwnThread) struct PrivateClusterTests {
    private let temporary: TemporaryFolder
    private let folder: String
    private let request: ClusterRequest

    init() throws {
        temporary = try TemporaryFolder("cluster")
        folder = "\(temporary.path)/pg"
        request = ClusterRequest(directory: folder)
    }

    private static func pause(_ duration: Duration) throws(ClusterError) { _ = Signal.next(of: [], within: duration) }

    private func start(_ steps: (ClusterProgress) -> Void = { _ in }) throws(ClusterError) -> PrivateCluster {
        try withoutActuallyEscaping(steps) { steps throws(ClusterError) in
            try PrivateCluster.start(request, progress: steps, pause: Self.pause)
        }
    }

    /// Runs a body with a running cluster and stops the cluster, even if the body fails.
    private func withCluster(
        telling steps: (ClusterProgress) -> Void = { _ in }, _ body: (borrowing PrivateCluster) throws -> Void
    ) throws {
        let cluster = try start(steps)
        do { try body(cluster) } catch {
            try cluster.stop(pause: Self.pause)
            throw error
        }
        try cluster.stop(pause: Self.pause)
    }

    /// Returns the output of psql for a statement.
    private func query(_ sql: String, _ paths: ClusterPaths) throws -> String {
        let (text, status) = try ProcessLaunch("psql", ["-XAtq", "-v", "ON_ERROR_STOP=1", "-d", paths.url, "-c", sql]).output()
        #expect(status.isSuccess, "\(text)")
        return text
    }

    private func expect(_ sql: String, at paths: ClusterPaths, responses response: String) throws {
        #expect(try query(sql, paths) == response)
    }

    /// Returns the process of the server from its pid file.
    private func postmaster() throws -> Int32 {
        try #require(PostmasterFile(at: "\(folder)/data/postmaster.pid")).process
    }

    @Test("A cluster is created with the right settings, keeps its data, and is found again")
    func lifecycle() throws {
        try withCluster { cluster in
            #expect(cluster.origin == .created)
            let facts = """
                SELECT current_setting('data_checksums'), pg_encoding_to_char(encoding), datcollate, datctype, current_setting('listen_addresses')
                FROM pg_database WHERE datname = 'vitrine'
                """
            try expect(facts, at: cluster.paths, responses: "on|UTF8|C|C.UTF-8|\n")
            _ = try query("CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)", cluster.paths)
        }
        #expect(PostmasterFile(at: "\(folder)/data/postmaster.pid") == nil)
        try withCluster { cluster in
            #expect(cluster.origin == .started)
            try expect("SELECT n FROM kept", at: cluster.paths, responses: "7\n")
        }
    }

    @Test("A folder may have an unusual name")
    func comma() throws {
        let odd = PrivateClusterTests(temporary, ClusterRequest(directory: "\(temporary.path)/a b; \"c\""))
        try odd.withCluster { try expect("SELECT 1", at: $0.paths, responses: "1\n") }
    }

    @Test("Requested parameters override Vitrine's own")
    func parameters() throws {
        var request = request
        request.parameters = ["fsync": "off", "cluster_name": "it's \"mine\""]
        try PrivateClusterTests(temporary, request).withCluster { cluster in
            try expect(
                "SELECT current_setting('fsync'), current_setting('cluster_name')", at: cluster.paths, responses: "off|it's \"mine\"\n")
        }
    }

    @Test("A second Vitrine on the same folder is refused with the process of the first")
    func inUse() throws {
        try withCluster { _ in
            let error = #expect(throws: ClusterError.self) { _ = try self.start() }
            #expect(error?.code == .inUse)
            #expect(error?.message.contains("process \(SystemInfo.processID)") == true)
        }
    }

    @Test("A server that outlived its Vitrine is adopted, and stopped with the new one")
    func attaches() throws {
        let folder = try ClusterFolder(request) { _ in }
        _ = try FileLock(path: folder.paths.lock)
        let birth = ClusterInitializer(folder: folder, request: request)
        let binaries = try #require(ServerBinaries.installed().first)
        try birth.create(with: binaries, pause: Self.pause)
        let first = try ServerLaunch(
            folder: folder, request: request, binaries: binaries, progress: { _ in }, pause: Self.pause
        ).bringUp()

        try withCluster { cluster in
            #expect(cluster.origin == .attached)
            let process = try postmaster()
            #expect(process == first.process)
        }
        #expect(RunningProcess(id: first.process) == nil)
    }

    @Test("A stale pid file with the number of another program does not prevent a start")
    func stalePidFile() throws {
        try withCluster { _ in }
        let socket = try ClusterPaths(directory: folder).socketLock
        for path in ["\(folder)/data/postmaster.pid", socket] {
            let text = "\(SystemInfo.processID)\n\(folder)/data\n1700000000\n5432\n\(folder)\n\n  1 1\nready   \n"
            try Descriptor(opening: path, .create).write(Array(text.utf8), subject: path)
        }
        try withCluster { #expect($0.origin == .started) }
    }

    @Test("A killed server recovers with its committed data")
    func killedServer() throws {
        var cluster = try start()
        _ = try query("CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)", cluster.paths)
        try RunningProcess.send(.kill, to: try postmaster())
        let limit = ContinuousClock.now + .seconds(10)
        var failure: ClusterError?
        while failure == nil, ContinuousClock.now < limit {
            try Self.pause(.milliseconds(10))
            failure = cluster.failure()
        }
        #expect(failure?.code == .serverEnded)
        try cluster.stop(pause: Self.pause)
        try withCluster { try expect("SELECT n FROM kept", at: $0.paths, responses: "7\n") }
    }

    @Test("Interrupting the creation of a cluster leaves none, and the next start creates one")
    func interrupted() throws {
        var pauses = 0
        let error = #expect(throws: ClusterError.self) {
            _ = try PrivateCluster.start(request, progress: { _ in }) { duration throws(ClusterError) in
                pauses += 1
                if pauses > 3 { throw ClusterError(.interrupted, "interrupted", advice: "") }
                try Self.pause(duration)
            }
        }
        #expect(error?.code == .interrupted)
        #expect(!(try Files.names(in: folder)).contains { $0 == "data" || $0 == "vitrine-input" || $0.hasPrefix("vitrine-unfinished") })
        try withCluster { _ in }
    }

    @Test("Leftovers of a killed attempt are removed and reported, and other files stay")
    func unfinished() throws {
        try withCluster { _ in }
        try Files.makeDirectory("\(folder)/vitrine-unfinished/base")
        try Files.makeDirectory("\(folder)/unfinished-novel")
        if let owner { for name in ["", "/base"] { try Files.give(folder: "\(folder)/vitrine-unfinished\(name)", to: owner) } }
        var steps: [ClusterProgress] = []
        try withCluster(telling: { steps.append($0) }) { _ in }
        #expect(steps.contains(.removedUnfinished("\(folder)/vitrine-unfinished")))
        #expect(FileStatus(following: "\(folder)/vitrine-unfinished") == nil)
        #expect(FileStatus(following: "\(folder)/unfinished-novel") != nil)
    }

    @Test("A folder with other files is refused and left unchanged")
    func foreignFolder() throws {
        try Files.makeDirectory("\(folder)/vitrine-unfinished")
        let error = #expect(throws: ClusterError.self) { _ = try self.start() }
        #expect(error?.code == .notACluster)
        #expect(try Files.names(in: folder) == ["vitrine-unfinished"])
    }

    @Test("A folder that a killed start left before it changed the owner is used")
    func notYetGiven() throws {
        try Files.makeDirectory(folder)
        try withCluster { #expect($0.origin == .created) }
    }

    @Test("A link to a missing folder is reported, not replaced")
    func danglingLink() throws {
        try Files.makeLink(at: folder, to: "\(temporary.path)/gone")
        let error = #expect(throws: ClusterError.self) { _ = try self.start() }
        #expect(error?.message.contains("\(temporary.path)/gone") == true)
        #expect(FileStatus(following: folder) == nil)
    }

    @Test("Root does not write through a link that the owner of the folder created", arguments: ["vitrine.lock", "postgres.log"])
    func links(name: String) throws {
        try withCluster { _ in }
        let victim = "\(temporary.path)/victim"
        try Descriptor(opening: victim, .create).write([1], subject: victim)
        try Files.remove("\(folder)/\(name)")
        try Files.makeLink(at: "\(folder)/\(name)", to: victim)
        do { try withCluster { _ in } } catch { #expect(error is ClusterError) }
        #expect(try Files.read(victim) == [1])
    }

    @Test("A cluster of another major version is refused and left unchanged")
    func otherMajor() throws {
        try withCluster { _ in }
        let version = "\(folder)/data/PG_VERSION"
        try Files.remove(version)
        try Descriptor(opening: version, .create).write(Array("9\n".utf8), subject: version)
        let error = #expect(throws: ClusterError.self) { _ = try self.start() }
        #expect(error?.code == .wrongMajorVersion)
    }

    @Test("A data folder that is not a cluster is refused and left unchanged")
    func notACluster() throws {
        _ = try ClusterFolder(request) { _ in }
        try Descriptor(opening: "\(folder)/vitrine.lock", .create).write([], subject: "lock")
        try Files.makeDirectory("\(folder)/data")
        if let owner { try Files.give(folder: "\(folder)/data", to: owner) }
        let error = #expect(throws: ClusterError.self) { _ = try self.start() }
        #expect(error?.code == .notACluster)
        #expect(FileStatus(following: "\(folder)/data") != nil)
    }

    /// The account of the server.
    private var owner: User? { FileStatus(following: folder).flatMap { User(id: $0.owner) } }

    @Test("A socket that another server uses is named")
    func socketInUse() throws {
        try withCluster { _ in
            let error = #expect(throws: ClusterError.self) {
                _ = try PrivateCluster.start(
                    ClusterRequest(directory: "\(self.temporary.path)/other", socketDirectory: self.folder), progress: { _ in },
                    pause: Self.pause)
            }
            #expect(error?.code == .socketInUse)
            #expect(error?.advice.contains("--postgres-socket-directory") == true)
        }
    }

    @Test("A folder without write permission is an error that names the folder")
    func unwritable() throws {
        try Files.makeDirectory(folder)
        if User.current.isRoot { try Files.give(folder: folder, to: try #require(User(named: "nobody"))) }
        #expect(try ProcessLaunch("chmod", ["0555", folder]).output().status.isSuccess)
        let error = #expect(throws: ClusterError.self) { _ = try self.start() }
        #expect(error?.code == .unwritableFolder)
        #expect(error?.message.contains(folder) == true)
    }

    @Test(
        "A socket is not placed in a folder of another user",
        .enabled(if: User.current.isRoot, "only root can give a folder away"))
    func foreignSocketFolder() throws {
        let sockets = "\(temporary.path)/sockets"
        try Files.makeDirectory(sockets)
        try Files.give(folder: sockets, to: try #require(User(named: "nobody")))
        let error = #expect(throws: ClusterError.self) {
            _ = try PrivateCluster.start(
                ClusterRequest(directory: self.folder, socketDirectory: sockets), progress: { _ in }, pause: Self.pause)
        }
        #expect(error?.message.contains("belongs to the user nobody") == true)
    }

    @Test("A path that is a file is an error that names it")
    func notAFolder() throws {
        let error = #expect(throws: ClusterError.self) {
            _ = try PrivateCluster.start(ClusterRequest(directory: "/etc/passwd"), progress: { _ in }, pause: Self.pause)
        }
        #expect(error?.message.contains("/etc/passwd") == true)
    }

    @Test(
        "A full disk is reported, and the data survives until there is space",
        .enabled(if: User.current.isRoot, "only root mounts a small disk"))
    func fullDisk() throws {
        let disk = "\(temporary.path)/disk"
        try Files.makeDirectory(disk)
        #expect(try ProcessLaunch("mount", ["-t", "tmpfs", "-o", "size=90m,mode=755", "tmpfs", disk]).output().status.isSuccess)
        defer { do { #expect(try ProcessLaunch("umount", [disk]).output().status.isSuccess) } catch { Issue.record(error) } }
        let small = PrivateClusterTests(temporary, ClusterRequest(directory: "\(disk)/cluster"))
        let filler = "\(disk)/filler"
        let fill = { (megabytes: Int) in
            let path = try Descriptor(opening: filler, .create)
            for _ in 0..<megabytes { try path.write([UInt8](repeating: 1, count: 1 << 20), subject: filler) }
        }

        try fill(80)
        let unmade = #expect(throws: ClusterError.self) { _ = try small.start() }
        #expect(unmade?.code == .diskFull)
        #expect(try Files.names(in: small.folder).contains("data") == false)

        try Files.remove(filler)
        try small.withCluster { _ = try query("CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)", $0.paths) }
        let room = try #require(Files.freeSpace(at: disk))
        #expect(throws: HostError.self) { try fill((room >> 20) + 1) }
        do { try small.withCluster { _ in } } catch let error as ClusterError {
            #expect(error.code == .diskFull, "\(error)")
        }

        try Files.remove(filler)
        try small.withCluster { try expect("SELECT n FROM kept", at: $0.paths, responses: "7\n") }
    }

    private init(_ temporary: TemporaryFolder, _ request: ClusterRequest) {
        self.temporary = temporary
        folder = request.directory
        self.request = request
    }

    @Test("A missing server program is an error that names the wrong flag")
    func noBinaries() {
        let wrong = ClusterRequest(directory: folder, binDirectory: "/nowhere/at-all")
        let error = #expect(throws: ClusterError.self) { _ = try PrivateCluster.start(wrong, progress: { _ in }, pause: Self.pause) }
        #expect(error?.code == .noServerBinaries)
        #expect(error?.message.contains("/nowhere/at-all") == true)
    }
}
