package import Feeds
package import Layout
package import Postgres
package import Values

/// Takes what has changed from the outbox, composes again what that or the clock has touched, and publishes it with the next versions.
///
/// To be used by one task. Another sequencer at work beside it makes a drain fail, and is otherwise harmless.
package struct Sequencer {
    package struct Report: Sendable {
        package var versions = 0
        package var head = 0
        /// How many changes it took from the outbox: ids and keys.
        package var changes = 0
        /// Whether it left nothing that was committed before.
        package var isComplete = true
        package var composedSections = 0
        /// When there is something to publish though nobody changes anything; nil for never.
        package var nextTime: Timestamp?
        package var notices: [SequencerWarning] = []
        /// How many sections show what they did before, as their rules find too little.
        package var keptSections = 0
        /// How many do so as their rules take too long.
        package var slowSections = 0
        /// How many do so as the rules of others took the time of the drain.
        package var waitingSections = 0
        /// How many revisions, and how many feeds in storefronts, this program cannot read.
        package var unreadable = 0
    }

    /// What is notified when something was published.
    package static let channel = "vitrine_published"

    /// How many rules of one drain may take too long.
    static let maxSlow = 2
    let hash: LayoutHash
    /// How long one rule may take.
    let ruleTime: Duration
    /// How long all rules of one drain may take together, for which it holds the head.
    let timeForRules: Duration
    /// With more changes at once than this, all is composed again rather than asked what they touch.
    let maxTraced: Int
    /// How many changes a drain takes beside those of the oldest transaction.
    let maxChanges: Int
    /// How much is forgotten at once, as the head is held for so long.
    let maxPurged: Int
    /// How far ahead of the clock of the database it publishes; for those who try what will be.
    package var clockAhead = Duration.zero
    private var state: SequencerState?

    package init(
        ruleTime: Duration = .seconds(1), timeForRules: Duration = .seconds(5),
        maxTraced: Int = 20_000, maxChanges: Int = 10_000, maxPurged: Int = 1_000,
        hashedBy hash: @escaping LayoutHash
    ) {
        self.maxTraced = maxTraced
        self.maxChanges = maxChanges
        self.maxPurged = maxPurged
        self.ruleTime = ruleTime
        self.timeForRules = timeForRules
        self.hash = hash
    }

    /// Whether this session is the one that drains; once it is, until it ends.
    package func elect(_ session: PostgresSession) async throws -> Bool {
        try await session.rows(of: PostgresQuery(SequencerQueries.elect), as: Bool.self).first ?? false
    }

    /// Whether somebody has changed something, and the time by the clock of the database.
    package func inspect(_ session: PostgresSession) async throws -> (hasChanges: Bool, time: Timestamp) {
        let rows = try await session.rows(of: PostgresQuery(SequencerQueries.inspect), as: Bool.self, Timestamp.self)
        guard let row = rows.first else {
            throw PostgresError(.undecodable, "the clock does not answer", query: SequencerQueries.inspect.name.description)
        }
        return (row.0, row.1)
    }

    /// Publishes transactions that were committed before, in one transaction: all of them, or a share where there are many. After a failure
    /// nothing is published.
    ///
    /// What is known of what is published stays known after an error that the state of the world explains. After any other, and where nobody
    /// knows whether the drain was committed, the next one reads it again.
    package mutating func drain(_ session: PostgresSession) async throws -> Report {
        let before = state
        state = nil
        do {
            let (after, report) = try await session.transaction(TransactionOptions(isolation: .repeatableRead)) { session in
                var drain = Drain(self, before, session)
                return try await drain.run()
            }
            state = after
            return report
        } catch {
            if Self.isPassing(error) { state = before }
            throw error
        }
    }

    /// Whether the same drain may succeed later, as it was taken back for a lock, a limit or a conflict and not for what it did.
    package static func isPassing(_ error: any Error) -> Bool {
        guard let error = error as? PostgresError, error.code != .outcomeUnknown else { return false }
        return error.classification == .retry || error.classification == .unavailable
    }

    /// Compares what is published of the feeds of a storefront with what should be, and changes nothing. Nil while changes wait to be published.
    package func audit(_ storefront: String, _ session: PostgresSession) async throws -> FeedConsistencyCheck? {
        try await session.transaction(TransactionOptions(isolation: .repeatableRead, isReadOnly: true)) { session in
            var drain = Drain(self, nil, session)
            return try await drain.audit(storefront)
        }
    }

    /// Forgets some of what has been gone for so many days, the oldest first. False where there was no more of it.
    package func purge(_ session: PostgresSession, olderThan age: Duration) async throws -> Bool {
        let query = PostgresQuery(SequencerQueries.purge, Int(age.components.seconds), Int32(maxPurged))
        let purged = try await session.rows(of: query, as: Int.self).first
        return purged == maxPurged
    }

    /// Gives the space of an outbox back that everything was taken from: while another transaction stays open, what was taken would be passed
    /// by each time. Not while anybody waits for the table.
    package func emptyOutbox(_ session: PostgresSession) async throws {
        let (bytes, hasChanges) = try await outboxSize(session)
        guard !hasChanges, bytes > 1 << 20 else { return }
        do {
            try await session.transaction { session in
                try await session.run([PostgresQuery(SequencerQueries.hurryOutbox), PostgresQuery(SequencerQueries.lockOutbox)])
                guard try await !outboxSize(session).hasChanges else { return }
                try await session.run(PostgresQuery(SequencerQueries.emptyOutbox))
            }
        } catch let error as PostgresError where error.sqlState == .lockNotAvailable {
            return
        }
    }

    private func outboxSize(_ session: PostgresSession) async throws -> (bytes: Int, hasChanges: Bool) {
        let rows = try await session.rows(of: PostgresQuery(SequencerQueries.outboxSize), as: Int.self, Bool.self)
        return rows.first.map { ($0.0, $0.1) } ?? (0, true)
    }
}

package enum SequencerWarning: Sendable, Equatable {
    /// A section shows what it showed before, as its rule finds too little; nothing where it had nothing.
    case kept(section: String, storefront: String, ComposedSection.RetentionReason)
    /// A revision that this program cannot read; what was published of the feed stays.
    case unreadable(feed: String, revision: Int, String)
    /// Something is published that this program cannot read, as a newer one may have written it; it stays.
    case sealed(feed: String, storefront: String, String)
    /// A section shows again what its rule finds.
    case asArranged(section: String, storefront: String)
    /// What a section's rule took longer to find than it may; the section stays as it was.
    case tooSlow(section: String, storefront: String)
    /// A section whose rule was not asked, as others have taken the time of a drain; it stays as it was until the next.
    case notAsked(section: String, storefront: String)
}
