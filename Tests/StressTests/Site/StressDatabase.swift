import Host
import Postgres
import Settings
import TestDatabase
import TestSupport

/// The database server of a stress test, used by one long-lived thread.
final class StressDatabase {
    private let server: DisposableServer
    private let psql: [String]
    private var stranger: ChildProcess?

    /// Starts the server. Committed changes must survive its end, but not that of the machine.
    init() throws {
        server = try DisposableServer(parameters: ["synchronous_commit": "on", "full_page_writes": "on"])
        psql = ["-XAtq", "-v", "ON_ERROR_STOP=1", "-d", try server.url.exposed]
    }

    var url: DatabaseURL {
        get throws { try server.url }
    }

    /// Returns the result of a query, in a session that first runs a script.
    @discardableResult
    func send(_ sql: String, with script: String = "SET search_path = vitrine, public", within limit: Duration = .seconds(60)) throws
        -> String
    {
        let (text, status) = try ProcessLaunch("psql", psql + ["-c", script, "-c", sql]).output(within: limit)
        guard status.isSuccess else { throw FleetProcess.Failure(description: "psql: \(text)") }
        return text
    }

    /// Waits until a query returns true.
    func wait(_ prompt: String) throws {
        let end = ContinuousClock.now + .seconds(60)
        while try !send(prompt).hasPrefix("t") {
            guard ContinuousClock.now < end else { throw FleetProcess.Failure(description: "never so: \(prompt)") }
            _ = Signal.next(of: [], within: .milliseconds(20))
        }
    }

    /// Runs a script of any length.
    func run(_ script: String, in folder: String) throws {
        let file = "\(folder)/script-\(UInt32.random(in: .min ... .max)).sql"
        try Descriptor(opening: file, .create).write(Array("SET search_path = vitrine, public;\n\(script)".utf8), subject: file)
        let (text, status) = try ProcessLaunch("psql", psql + ["-f", file]).output(within: .seconds(60))
        guard status.isSuccess else { throw FleetProcess.Failure(description: "psql: \(text)") }
    }

    /// Restarts the server without a checkpoint, as after a crash.
    func restart() throws {
        guard let process = try server.process else { throw FleetProcess.Failure(description: "the server has gone by itself") }
        try RunningProcess.send(.quit, to: process)
        let end = ContinuousClock.now + .seconds(60)
        while RunningProcess(id: process) != nil, ContinuousClock.now < end { _ = Signal.next(of: [], within: .milliseconds(10)) }
        try server.stop()
        try server.start()
    }

    /// Kills a session with signal 9, which ends all other sessions too.
    func killSession() throws {
        let text = try send(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1")
        if let process = Int32(text.trimmed) { try RunningProcess.send(.kill, to: process) }
        // Waits until the server is up again.
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            _ = Signal.next(of: [], within: .milliseconds(50))
            do { try send("SELECT 1") } catch { continue }
            return
        }
    }

    /// Starts a transaction that writes and stays open while the server runs.
    func letStrangerIn() throws {
        try endStranger()
        stranger = try start("BEGIN; CREATE TABLE strange (number int); SELECT pg_sleep(86400)", in: "postgres")
    }

    /// Starts a separate session that runs a script.
    func start(_ script: String, in database: String = "vitrine") throws -> ChildProcess {
        let url = try server.url.exposed.replacing("/vitrine?", with: "/\(database)?")
        return try ProcessLaunch("psql", ["-Xq", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", script]).start(
            input: Descriptor(opening: "/dev/null", .read), output: Descriptor(opening: "/dev/null", .readAndWrite))
    }

    /// Whether the open transaction still exists.
    var hasStranger: Bool { stranger?.ended() == nil && stranger != nil }

    private func endStranger() throws {
        guard var process = stranger.take() else { return }
        if process.ended() == nil {
            try RunningProcess.send(.kill, to: process.id)
            _ = try process.wait()
        }
    }

    /// Purges some tombstones.
    func purge() throws { try send("SELECT purge_published(interval '0', 100)") }

    func dump(to file: String) throws { try run("pg_dump", ["-Fc", "-f", file, "-d", try server.url.exposed]) }

    /// The way in which a restore replaces the database.
    enum Restore: CaseIterable, Sendable {
        /// The database and its sessions end, and a new database is created.
        case another
        /// The contents are replaced in one transaction, and the sessions continue.
        case inPlace
    }

    /// Restores a dump.
    func restore(_ way: Restore, from file: String) throws {
        let url = try server.url.exposed
        switch way {
        case .another:
            let drop = ["-c", "DROP DATABASE vitrine WITH (FORCE)", "-c", "CREATE DATABASE vitrine"]
            try run("psql", ["-Xq", "-d", url.replacing("/vitrine?", with: "/postgres?")] + drop)
            try run("pg_restore", ["-d", url, file])
        case .inPlace: try run("pg_restore", ["--clean", "--if-exists", "--single-transaction", "-d", url, file])
        }
    }

    private func run(_ program: String, _ arguments: [String]) throws {
        let (text, status) = try ProcessLaunch(program, arguments).output(within: .seconds(60))
        guard status.isSuccess else { throw FleetProcess.Failure(description: "\(program): \(text)") }
    }

    func remove() throws {
        try endStranger()
        try server.remove()
    }
}

extension String {
    /// The text without newlines.
    fileprivate var trimmed: String { filter { !$0.isNewline } }
}
