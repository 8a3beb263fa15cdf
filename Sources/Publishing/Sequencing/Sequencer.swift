package import Feeds
package import Layout
package import Postgres
package import Values

/// Publishes changes. It reads the outbox, composes the sections that the changes or the clock affect, and publishes
/// them with the next versions.
///
/// Only one task can use it. A second sequencer makes a drain fail and has no other effect.
package struct Sequencer {
    package struct Report: Sendable {
        package var versions = 0
        package var head = 0
        /// The number of IDs and keys that were taken from the outbox.
        package var changes = 0
        /// Whether everything that was committed before is published, in all sections that it affects.
        package var isComplete = true
        /// The number of changes that wait for a later drain, by whether edits or imports made them.
        package var waiting = OutboxCounts()
        package var composedSections = 0
        /// The number of sections that imports have changed and that a later drain composes.
        package var dueSections = 0
        /// The time of the next drain if there are no changes, or nil if none is required. It is in the past if sections are due.
        package var nextTime: Timestamp?
        package var notices: [SequencerWarning] = []
        /// The number of sections that retain their items because their rules find too few.
        package var retainedSections = 0
        /// The number of sections that retain their items because their rules take too long.
        package var slowSections = 0
        /// The number of sections that retain their items because other rules used the time of the drain.
        package var waitingSections = 0
        /// The number of sections that retain their items because their publication has ended a session.
        package var failedSections = 0
        /// The number of revisions, and of feeds in storefronts, that this program cannot read.
        package var unreadable = 0
        /// The findings that started in this drain or spread to other platforms, with the storefronts in which they did.
        package var startedFindings: [LiveFinding] = []
        /// The findings that ended in this drain, with the storefronts in which they did.
        package var endedFindings: [LiveFinding] = []
        /// The number of all findings, as a report lists them.
        package var findingCounts: [LiveFinding.Kind: Int] = [:]
    }

    /// The channel that is notified when a drain has published changes.
    package static let channel = "vitrine_published"
    /// The channel that is notified when a transaction adds the first of the waiting changes to the outbox.
    package static let changeChannel = "vitrine_changed"

    /// The maximum number of rules of one drain that can take too long.
    static let maxSlow = 2
    let hash: LayoutHash
    /// The time limit of one rule.
    let ruleTime: Duration
    /// The time limit of all rules of one drain, during which the head is locked.
    let timeForRules: Duration
    /// The number of changes above which everything is composed again instead of tracing the affected sections.
    let maxTraced: Int
    let limits: OutboxShare.Limits
    /// The maximum number of due sections of one drain, except those that depend on them.
    let maxDue: Int
    /// The time for which imports can add sections while others are due, before a drain composes many of them.
    static let maxDueTime = Duration.seconds(30)
    /// The maximum number of tombstones of one purge, which limits the time for which the head is locked.
    let maxPurged: Int
    /// The offset to the clock of the database, for tests of the future.
    package var clockAhead = Duration.zero
    private var state: SequencerState?
    /// The lanes of the next drain. The next sequencer of a process continues with them, because a failure can end the session.
    package var turn = OutboxShare.Turn.few
    /// The sections that ended the sessions of this process. The next sequencer of the process continues with them.
    package var failed = FailedSections()

    /// Creates a sequencer. A drain takes at most `maxEdits` changes in addition to those of the oldest edit, and
    /// `maxImported` in addition to those of the oldest transaction of an import. It composes at most `maxDue` sections only
    /// because of imports, and eight times as many if it has a few imported changes and no edits, or if sections have been due for
    /// long. It should take a fraction of a second to publish `maxImported` changes or `maxDue` sections, because edits wait for it.
    package init(
        ruleTime: Duration = .seconds(1), timeForRules: Duration = .seconds(5),
        maxTraced: Int = 20_000, maxEdits: Int = 10_000, maxImported: Int = 500, maxDue: Int = 8, maxPurged: Int = 1_000,
        hashedBy hash: @escaping LayoutHash
    ) {
        self.maxTraced = maxTraced
        limits = OutboxShare.Limits(edits: maxEdits, imports: maxImported)
        self.maxDue = maxDue
        self.maxPurged = maxPurged
        self.ruleTime = ruleTime
        self.timeForRules = timeForRules
        self.hash = hash
    }

    /// Whether this session is elected as the leader. It then stays the leader until it ends.
    package func elect(_ session: PostgresSession) async throws -> Bool {
        try await session.rows(of: PostgresQuery(SequencerQueries.elect, SequencerQueries.leaderLock), as: Bool.self).first ?? false
    }

    /// Returns whether there are changes, and the time by the clock of the database.
    package func inspect(_ session: PostgresSession) async throws -> (hasChanges: Bool, time: Timestamp) {
        let rows = try await session.rows(of: PostgresQuery(SequencerQueries.inspect), as: Bool.self, Timestamp.self)
        guard let row = rows.first else {
            throw PostgresError(.undecodable, "the database returned no time", query: SequencerQueries.inspect.name.description)
        }
        return (row.0, row.1)
    }

    /// Publishes transactions that were committed before, in one transaction. It takes all of them, or a share if there
    /// are many or imports wait. After an error, nothing is published.
    ///
    /// The known published state stays valid after an error with a passing cause. After any other error, and if it is
    /// unknown whether the drain was committed, the next drain reads the state again.
    package mutating func drain(_ session: PostgresSession) async throws -> Report {
        let before = state
        state = nil
        var share: OutboxShare?
        var composed: [StorefrontFeed: Set<SectionKey>] = [:]
        var (isAtSections, time, revisions) = (false, Timestamp.earliest, [StorefrontFeed: Int]())
        do {
            let options = TransactionOptions(isolation: .repeatableRead)
            let opening = Drain.openingQueries(of: self, due: before?.due.turn ?? .none)
            var failed = failed
            let (after, report) = try await session.transaction(options, opening: opening) { session, opened in
                var drain = Drain(self, before, session)
                defer {
                    share = drain.share
                    composed = drain.dirty.dirtySections
                    failed = drain.failed
                    (isAtSections, time) = (drain.isAtSections, drain.state.time)
                    revisions = drain.live.compactMapValues(\.revision)
                }
                return (try await drain.run(opened), drain.closing)
            }
            state = after
            self.failed = failed
            turn = share?.turnAfterSuccess ?? .few
            return report
        } catch {
            turn = share?.turnAfterFailure ?? .edits
            if Self.isPassing(error) {
                state = before
                if let share { state?.due.noteFailure(of: share, composing: composed) }
            } else if isAtSections, (error as? PostgresError)?.sqlState != nil {
                failed.noteFailure(of: composed, at: time) { revisions[$0] }
            }
            throw error
        }
    }

    /// Whether the same drain can succeed later, because a lock, a limit or a conflict caused its rollback.
    package static func isPassing(_ error: any Error) -> Bool {
        guard let error = error as? PostgresError, error.code != .outcomeUnknown else { return false }
        return error.classification == .retry || error.classification == .unavailable
    }

    /// Compares the published documents of a storefront with their sources, and changes nothing. Returns nil while
    /// changes are unpublished.
    package func audit(_ storefront: String, _ session: PostgresSession) async throws -> FeedConsistencyCheck? {
        try await session.transaction(TransactionOptions(isolation: .repeatableRead, isReadOnly: true)) { session in
            var drain = Drain(self, nil, session)
            return try await drain.audit(storefront)
        }
    }

    /// The result of a comparison of the rules of time zones with those of the last check.
    package struct ZoneCheck: Sendable, Equatable {
        /// The zones that are new, whose rules have changed, or whose second check was due.
        package var zones: [String] = []
        /// The time of the next second check, or nil if no rules have changed in the last hour.
        package var recheckAt: Timestamp?

        package init(zones: [String] = [], recheckAt: Timestamp? = nil) {
            self.zones = zones
            self.recheckAt = recheckAt
        }
    }

    /// Moves the scheduled starts and ends that were given by wall clock, if the rules of their time zones have changed since
    /// the last call. A session keeps the rules that it has used, so it must be a new one. Sessions of servers that have used
    /// them before publish by the old rules until they end, so an hour later a second check moves these spans.
    ///
    /// Each storefront has a transaction, so publications wait for one only. After a failure, all of them are moved again.
    package static func followZones(_ session: PostgresSession) async throws -> ZoneCheck {
        var (zones, moved): (Set<String>, Set<String>) = ([], [])
        while true {
            // A storefront that was added since can have spans of another session, which knows only the old rules.
            let changed = try await session.rows(of: PostgresQuery(SequencerQueries.changedZones), as: String.self, String.self)
            zones.formUnion(changed.map(\.0))
            let next = changed.map(\.1).filter { moved.insert($0).inserted }
            if next.isEmpty { break }
            for storefront in next { try await session.run(PostgresQuery(SequencerQueries.moveSpans, storefront)) }
        }
        let sorted = zones.sorted()
        try await session.run(PostgresQuery(SequencerQueries.recordZones, sorted))
        let next = try await session.rows(of: PostgresQuery(SequencerQueries.nextZoneCheck), as: Timestamp?.self)
        return ZoneCheck(zones: sorted, recheckAt: next.first ?? nil)
    }

    /// Purges some tombstones that are older than the given days, the oldest first. Returns false if there are no more.
    package func purge(_ session: PostgresSession, olderThan age: Duration) async throws -> Bool {
        let query = PostgresQuery(SequencerQueries.purge, Int(age.components.seconds), Int32(maxPurged))
        let purged = try await session.rows(of: query, as: Int.self).first
        return purged == maxPurged
    }

    /// Releases the space of an outbox that is empty. While another transaction is open, drains would scan the deleted
    /// rows each time. Does nothing if another session waits for the table.
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
    /// The rule of a section was not run, because other rules used the time of a drain. The section stays unchanged
    /// until the next one.
    case skipped(section: String, storefront: String)
    /// The rule of a section was run again after it was skipped.
    case resumed(section: String, storefront: String)
    /// The publication of a section alone failed. It keeps its items until a later attempt.
    case failed(section: String, storefront: String)
    /// A section was published after it had failed.
    case recovered(section: String, storefront: String)
}
