import Host
import Postgres
import Settings
import TestDatabase
import TestSupport

/// The server under the shop; used by one thread, which has to live on.
final class StressDatabase {
    private let server: DisposableServer
    private let psql: [String]
    private var stranger: ChildProcess?

    /// What was committed has to outlive the server; the machine does not die in a test.
    init() throws {
        server = try DisposableServer(parameters: ["synchronous_commit": "on", "full_page_writes": "on"])
        psql = ["-XAtq", "-v", "ON_ERROR_STOP=1", "-d", try server.url.exposed]
    }

    var url: DatabaseURL {
        get throws { try server.url }
    }

    /// What a query answers, in a session that runs a script before.
    @discardableResult
    func send(_ sql: String, with script: String = "SET search_path = vitrine, public", within limit: Duration = .seconds(60)) throws
        -> String
    {
        let (text, status) = try ProcessLaunch("psql", psql + ["-c", script, "-c", sql]).output(within: limit)
        guard status.isSuccess else { throw FleetProcess.Failure(description: "psql: \(text)") }
        return text
    }

    /// Until a query answers yes.
    func wait(_ question: String) throws {
        let end = ContinuousClock.now + .seconds(60)
        while try !send(question).hasPrefix("t") {
            guard ContinuousClock.now < end else { throw FleetProcess.Failure(description: "never so: \(question)") }
            _ = Signal.next(of: [], within: .milliseconds(20))
        }
    }

    /// A script of any length.
    func run(_ script: String, in folder: String) throws {
        let file = "\(folder)/script-\(UInt32.random(in: .min ... .max)).sql"
        try Descriptor(opening: file, .create).write(Array("SET search_path = vitrine, public;\n\(script)".utf8), subject: file)
        let (text, status) = try ProcessLaunch("psql", psql + ["-f", file]).output(within: .seconds(60))
        guard status.isSuccess else { throw FleetProcess.Failure(description: "psql: \(text)") }
    }

    /// Without a checkpoint, as when its machine loses power and its disks do not.
    func restart() throws {
        guard let process = try server.process else { throw FleetProcess.Failure(description: "the server has gone by itself") }
        try RunningProcess.send(.quit, to: process)
        let end = ContinuousClock.now + .seconds(60)
        while RunningProcess(id: process) != nil, ContinuousClock.now < end { _ = Signal.next(of: [], within: .milliseconds(10)) }
        try server.stop()
        try server.start()
    }

    /// Some session dies with signal 9, and all others with it.
    func killSession() throws {
        let text = try send(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1")
        if let process = Int32(text.trimmed) { try RunningProcess.send(.kill, to: process) }
        // Until it is up again.
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            _ = Signal.next(of: [], within: .milliseconds(50))
            do { try send("SELECT 1") } catch { continue }
            return
        }
    }

    /// Somebody begins a transaction that writes, and leaves it open for as long as the server lives.
    func letStrangerIn() throws {
        try endStranger()
        stranger = try start("BEGIN; CREATE TABLE strange (number int); SELECT pg_sleep(86400)", in: "postgres")
    }

    /// A session of its own that runs a script.
    func start(_ script: String, in database: String = "vitrine") throws -> ChildProcess {
        let url = try server.url.exposed.replacing("/vitrine?", with: "/\(database)?")
        return try ProcessLaunch("psql", ["-Xq", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", script]).start(
            input: Descriptor(opening: "/dev/null", .read), output: Descriptor(opening: "/dev/null", .readAndWrite))
    }

    /// Whether the transaction is still there.
    var hasStranger: Bool { stranger?.ended() == nil && stranger != nil }

    private func endStranger() throws {
        guard var process = stranger.take() else { return }
        if process.ended() == nil {
            try RunningProcess.send(.kill, to: process.id)
            _ = try process.wait()
        }
    }

    /// Forgets some of what has gone.
    func purge() throws { try send("SELECT purge_published(interval '0', 100)") }

    func dump(to file: String) throws { try run("pg_dump", ["-Fc", "-f", file, "-d", try server.url.exposed]) }

    /// What a restore does to those who use the database.
    enum Restore: CaseIterable, Sendable {
        /// It ends with all its sessions, and another one begins.
        case another
        /// All that is in it is replaced in one transaction, under the sessions that there are.
        case inPlace
    }

    /// Has again what a dump has.
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

    private func run(_ program: String, _ words: [String]) throws {
        let (text, status) = try ProcessLaunch(program, words).output(within: .seconds(60))
        guard status.isSuccess else { throw FleetProcess.Failure(description: "\(program): \(text)") }
    }

    func remove() throws {
        try endStranger()
        try server.remove()
    }
}

extension String {
    /// Without the end of its line.
    fileprivate var trimmed: String { filter { !$0.isNewline } }
}
