internal import Postgres

/// The waits of an import before a chunk, while many changes of imports are not published yet.
///
/// Without them, an import can be minutes ahead of the sequencer. It does not wait if no process is the leader. It also does
/// not wait for a leader that publishes nothing: then it continues until there are few changes again.
package struct PublishingWait {
    /// The number of changes up to which an import does not wait.
    private let maxWaiting: Int
    /// The pause between two checks.
    private let pause: Duration
    /// The time after which a leader counts as one that publishes nothing.
    private let timeout: Duration
    private let sleep: (Duration) async throws -> Void
    private var isStalled = false

    /// Creates the wait of an import. The default of `maxWaiting` is about 20 drains.
    package init(
        maxWaiting: Int = 20_000, pause: Duration = .milliseconds(100), timeout: Duration = .seconds(30),
        sleep: @escaping (Duration) async throws -> Void
    ) {
        self.maxWaiting = maxWaiting
        self.pause = pause
        self.timeout = timeout
        self.sleep = sleep
    }

    /// Returns when the import can write the next chunk. `notify` receives the number of changes before each pause.
    mutating func run(_ session: PostgresSession, _ notify: (_ changes: Int, _ pause: Duration) throws -> Void) async throws {
        var oldest = ""
        var idle = Duration.zero
        let query = PostgresQuery(ImportStatements.backlog)
        while let (changes, first, hasLeader) = try await session.rows(of: query, as: Int.self, String.self, Bool.self).first {
            if changes <= maxWaiting { isStalled = false }
            // Each drain that publishes imports includes the oldest transaction.
            if first != oldest { (oldest, idle) = (first, .zero) }
            if idle >= timeout { isStalled = true }
            guard changes > maxWaiting, hasLeader, !isStalled else { return }
            try notify(changes, pause)
            try await sleep(pause)
            idle += pause
        }
    }
}
