import EventLoop
import Host
import Postgres
import Settings

/// A change of one line of a file that a catalog was imported from, and what it changes on the measured page.
struct ImportedChange {
    /// The script for sed that changes the line.
    let script: String
    /// The query that returns whether the change is committed.
    let committed: PostgresQuery
    let isShown: @Sendable (_ page: String) -> Bool

    init(script: String, committed: PostgresQuery, isShown: @escaping @Sendable (_ page: String) -> Bool) {
        self.script = script
        self.committed = committed
        self.isShown = isShown
    }

    /// Imports the changed file. Returns the time of the import with its wait for lists and searches, and the delay from its commit
    /// until a server shows the change. The commit is before that wait, and is noticed within some milliseconds.
    func times(
        _ file: String, in url: DatabaseURL, _ client: PostgresClient, on server: VitrineServer
    ) throws -> (imported: Duration, shown: Duration) {
        let edited = "\(file).edited"
        defer { do { try Files.remove(edited) } catch { print("\(edited) was not removed: \(error)") } }
        let (text, status) = try ProcessLaunch("sh", ["-c", #"LC_ALL=C sed "$1" "$0" >"$0.edited""#, file, script]).output(
            within: .seconds(600))
        guard status.isSuccess else { throw BenchmarkFailure(reason: "sed: \(text)") }
        let isImporting = Locked(true)
        let shown = BlockingPromise<Result<Duration, any Error>>()
        try Thread.start { [self, port = server.port] in
            shown.fulfill(Result { try self.delay(to: port, client) { isImporting.withLock { $0 } } })
        }
        let outcome = Result { try BuiltProgram(["db", "load", edited], url: url).run() }
        isImporting.withLock { $0 = false }
        let delay = shown.wait()
        let run = try outcome.get()
        guard run.output.contains(" 1 updated") else { throw BenchmarkDisagreement(what: run.output) }
        return (run.time, try delay.get())
    }

    /// Returns the delay from the commit until a server shows the change. Throws if an import ends without it.
    private func delay(to port: Int, _ client: PostgresClient, while isImporting: @escaping @Sendable () -> Bool) throws -> Duration {
        try client.run { [committed, isShown] pool in
            let poller = try await PagePoller(port: port, on: pool.loop)
            while true {
                let isLast = !isImporting()
                if try await pool.rows(of: committed, as: Bool.self, until: .late).first == true { break }
                guard !isLast else { throw BenchmarkFailure(reason: "the import did not change the item") }
                try await pool.loop.sleep(until: .after(.milliseconds(5)))
            }
            let start = ContinuousClock.now
            try await poller.wait(on: pool.loop, until: isShown)
            return start.duration(to: .now)
        }
    }
}
