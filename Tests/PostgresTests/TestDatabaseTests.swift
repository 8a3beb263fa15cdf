import EventLoop
import Host
import Postgres
import TestDatabase
import TestSupport
import Testing

@Suite("Test databases")
struct TestDatabaseTests {
    private struct Failure: Error {}

    /// Returns the names of the databases of the server.
    private static func databases() async throws -> Set<String> {
        let found = Locked<Set<String>>([])
        try await ScratchDatabase.run(.empty) { database in
            try await withConnection(database.configuration) { connection in
                let query = PostgresQuery("databases", "SELECT datname::text FROM pg_database")
                let names: [String] = try await connection.rows(of: query, as: String.self, until: .soon)
                found.withLock { $0 = Set(names) }
            }
            #expect(found.withLock { $0.contains(database.name) })
        }
        return found.withLock { $0 }
    }

    @Test("Test databases have the schema, are created many at a time, do not disturb each other and are dropped afterwards")
    func many() async throws {
        let names = Locked<Set<String>>([])
        try await withThrowingDiscardingTaskGroup { group in
            for _ in 0..<16 {
                group.addTask {
                    try await ScratchDatabase.run { database in
                        names.withLock { _ = $0.insert(database.name) }
                        try await withConnection(database.configuration) { connection in
                            try await connection.run(PostgresQuery("create", "CREATE TABLE vitrine.marks (n int8)"), until: .soon)
                        }
                    }
                }
            }
        }
        let used = names.withLock { $0 }
        #expect(used.count == 16)
        let left = try await Self.databases()
        #expect(left.isDisjoint(with: used))
    }

    @Test("A test database is dropped with a failing body, even if a client is connected")
    func failing() async throws {
        let name = Locked("")
        try await withLoop { loop in
            await #expect(throws: Failure.self) {
                try await ScratchDatabase.run { database in
                    name.withLock { $0 = database.name }
                    let connection = try await PostgresConnection.connect(database.configuration, on: loop, until: .soon)
                    #expect(connection.isUsable)
                    throw Failure()
                }
            }
        }
        let left = try await Self.databases()
        #expect(!left.contains(name.withLock { $0 }))
    }

    @Test("The leftovers of killed tests are removed with their server, and those of running tests are kept", .onOwnThread)
    func leftovers() throws {
        let folder = try TemporaryFolder("leftovers")
        let (text, status) = try BuiltProgram.runScenario("abandoned-server", folder.path)
        #expect(status == .signal(Signal.kill.number), "\(text)")
        let name = try #require(try Files.names(in: folder.path).first)
        let file = String(decoding: try Files.read("\(folder.path)/\(name)/data/postmaster.pid"), as: UTF8.self)
        let process = try #require(file.split(separator: "\n").first.flatMap { Int32($0) })
        #expect(RunningProcess(id: process) != nil)
        let own = ServerFolders.path(in: folder.path, process: SystemInfo.processID, 1)
        try Files.makeDirectory(own)

        ServerFolders.removeLeftovers(in: folder.path)
        #expect(RunningProcess(id: process) == nil)
        #expect(try Files.names(in: folder.path).map { "\(folder.path)/\($0)" } == [own])
    }
}
