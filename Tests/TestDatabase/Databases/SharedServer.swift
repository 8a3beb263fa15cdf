import Dispatch
import EmbeddedPostgres
import EventLoop
import Glibc
import Host
import Postgres
import SQLFiles
import Security
import Settings
import TestSupport

/// The server of this test run, started for the first test that needs it and removed when the process ends.
final class SharedServer: Sendable {
    private static let started = Task { try await start() }
    private static let running = Locked<DisposableServer?>(nil)

    private let server: DisposableServer
    private let loop: EventLoop
    private let count = Locked(0)
    /// The task that creates the Swedish template, started on first use.
    private let swedish = Locked<Task<Void, any Error>?>(nil)

    static var current: SharedServer {
        get async throws { try await started.value }
    }

    private init(_ server: DisposableServer, _ loop: EventLoop) { (self.server, self.loop) = (server, loop) }

    private static func start() async throws -> SharedServer {
        ServerFolders.removeLeftovers()
        let loop = try EventLoop(name: "databases")
        let server = try await onThread {
            atexit { SharedServer.remove() }
            let path = ServerFolders.next(in: TemporaryFolder.fastestDirectory)
            try PreparedFolder.copy("migrated", to: path) { keep in try makeMigrated(loop, keep) }
            let server = try DisposableServer(at: path)
            running.withLock { $0 = server }
            return server
        }
        return SharedServer(server, loop)
    }

    /// Creates the folder of a server with the migrated template.
    private static func makeMigrated(_ loop: EventLoop, _ keep: (String) throws -> Void) throws {
        let server = try DisposableServer(at: ServerFolders.next(in: TemporaryFolder.fastestDirectory))
        defer { do { try server.remove() } catch { print("\(server.paths.directory) stays: \(error)") } }
        // This thread may block, because it runs no tasks.
        let failure = Locked<(any Error)?>(nil)
        let isOver = DispatchSemaphore(value: 0)
        Task {
            do { try await SharedServer(server, loop).prepare(.migrated) } catch { failure.withLock { $0 = error } }
            isOver.signal()
        }
        isOver.wait()
        if let error = failure.withLock({ $0 }) { throw error }
        try server.stop()
        try keep(server.paths.directory)
    }

    /// The path of the server's socket.
    var socket: String { server.paths.socket }

    func url(of database: String) throws -> DatabaseURL {
        try DatabaseURL(parsing: server.paths.url.replacing("/vitrine?", with: "/\(database)?"))
    }

    /// Creates a database and returns its name.
    func create(from template: ScratchDatabase.Template) async throws -> String {
        if template == .swedish {
            let made = swedish.withLock { made in
                let making = made ?? Task { try await prepare(.swedish, "LOCALE_PROVIDER icu ICU_LOCALE 'sv'") }
                made = making
                return making
            }
            try await made.value
        }
        let number = count.withLock { count in
            count += 1
            return count
        }
        // The other strategy writes each page to the log, which takes twice as long.
        try await administer("CREATE DATABASE test_\(number) TEMPLATE \(template.rawValue) STRATEGY file_copy")
        return "test_\(number)"
    }

    func drop(_ database: String) async throws { try await administer("DROP DATABASE \(database) WITH (FORCE)") }

    /// Drops a database after a failure that is more important than its own error.
    func dropOrReport(_ database: String) async {
        do { try await drop(database) } catch { print("\(database) stays: \(error)") }
    }

    private func prepare(_ template: ScratchDatabase.Template, _ options: String = "") async throws {
        let name = template.rawValue
        try await administer("CREATE DATABASE \(name) TEMPLATE template0 \(options)")
        let runner = MigrationRunner(
            try MigrationSet(SQLFiles.migrations, digest: Digest.sha256))
        try await withSession(in: name) { connection in try await runner.migrate(connection) }
    }

    private func administer(_ sql: String) async throws {
        try await withSession(in: "postgres") { connection in
            _ = try await connection.run(PostgresQuery("administer", sql, isPrepared: false), until: .after(.seconds(60)))
        }
    }

    private func withSession(in database: String, _ body: @escaping @Sendable (PostgresConnection) async throws -> Void) async throws {
        let configuration = PostgresConfiguration.patient(try url(of: database))
        try await Task(executorPreference: loop) { [loop] in
            let connection = try await PostgresConnection.connect(configuration, on: loop, until: .after(.seconds(60)))
            defer { connection.close() }
            try await body(connection)
        }.value
    }

    /// Runs a body on a new thread, because starting a server waits for processes, which would block a thread of the tests' tasks.
    private static func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            do throws(HostError) {
                try Thread.start { continuation.resume(with: Swift.Result { try body() }) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    private static func remove() {
        do { try running.withLock({ $0 })?.remove() } catch { print("the server of the tests stays: \(error)") }
    }
}
