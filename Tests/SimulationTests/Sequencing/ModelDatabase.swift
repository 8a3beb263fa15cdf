import EventLoop
import Host
import Postgres
import Values

@testable import Publishing
@testable import Server

/// The parts of a database that the sequencer job uses: a lock, an outbox, a head, and random failures.
final class ModelDatabase: Sendable {
    struct Change: Sendable {
        let committed: Deadline
        var published: Deadline?
    }

    struct Contents: Sendable {
        /// The session and worker that hold the leader's lock. The number is negative if only the server assumes that the session exists.
        var elected: Int?
        var worker: Int?
        var released = Deadline.now
        /// The end and length of each period without a leader.
        var vacancies: [(end: Deadline, length: Duration)] = []
        var sessions: Set<Int> = []
        var lastSession = 0
        /// The time at which each worker last lost its session or failed to get one.
        var ends: [Int: Deadline] = [:]
        var changes: [Change] = []
        /// Whether a committed change has notified the leader since its last pause.
        var isNotified = false
        /// The number of published changes. Later ones are not published.
        var taken = 0
        /// The number of commits. Of two concurrent drains at most one succeeds.
        var head = 0
        /// The scheduled changes in order, and the times at which they were published.
        var times: [(due: Deadline, published: Deadline?)] = []
        /// The number of purges that leave more to delete, the time of the last purge, and whether it deleted everything.
        var purgeable = 0
        var purged: (at: Deadline, isDone: Bool)?
        var isEmptied = true
        var inspections = 0
        /// The time after which nothing fails.
        var calm = Deadline.never
        var isTakenOver = false
    }

    /// The wall clock at the start of the scenario.
    private static let wallClock = 1_800_000_000_000_000
    /// The maximum time until the server notices a lost session whose machine did not report it.
    static let longestLease = Duration.seconds(2)
    /// The maximum duration of one step, and the maximum number of changes in one drain.
    static let slowest = Duration.milliseconds(15)
    static let share = 4
    /// The maximum time from a commit until its notification arrives.
    static let delivery = Duration.milliseconds(5)
    /// The pauses of a worker after a failure, between full inspections and between purges.
    private static let pause = Duration.milliseconds(250)
    private static let round = Duration.milliseconds(600)
    private static let betweenPurges = Duration.seconds(60)

    let contents: Locked<Contents>
    let stage: Stage
    /// Whether sessions receive notifications.
    let listens: Bool

    init(_ stage: Stage, listens: Bool) {
        self.stage = stage
        self.listens = listens
        contents = Locked(Contents())
    }

    /// A session of one worker, used by one task.
    final class Connection: @unchecked Sendable {
        // Unchecked: accessed only on the thread of the event loop.
        let number: Int
        var isClosed = false
        var isBusy = false
        var isElected = false
        var wasClosed = false
        var failed: Deadline?
        var hasDrained = false
        var isListening = false
        let worker: Int

        init(number: Int, worker: Int) { (self.number, self.worker) = (number, worker) }
    }

    var time: Timestamp { Timestamp(clamping: Self.wallClock + Int(stage.elapsed / .microseconds(1))) }

    private func timestamp(of deadline: Deadline) -> Timestamp {
        Timestamp(clamping: Self.wallClock + Int(deadline.duration(since: stage.start) / .microseconds(1)))
    }

    private var isRough: Bool { contents.withLock { $0.calm > .now } }

    /// Forgets the last failure of a worker that restarts, so that it may connect immediately.
    func restart(_ worker: Int) { contents.withLock { $0.ends[worker] = nil } }

    /// Returns true once, for the worker that is the leader.
    func mayEndElected(_ worker: Int) -> Bool {
        contents.withLock { contents in
            guard !contents.isTakenOver, contents.elected != nil, contents.worker == worker else { return false }
            contents.isTakenOver = true
            return true
        }
    }

    func connect(_ worker: Int) async throws -> SequencerJob.Session {
        if let end = contents.withLock({ $0.ends[worker] }) {
            stage.expect(Deadline.now >= end.advanced(by: Self.pause), "connects again without a pause")
        }
        try await stage.sleep(upTo: Self.slowest)
        if isRough, stage.chance.happens(1, in: 6) {
            contents.withLock { $0.ends[worker] = .now }
            throw PostgresError(.connectFailed, "the server does not respond")
        }
        let number = contents.withLock { contents in
            contents.lastSession += 1
            contents.sessions.insert(contents.lastSession)
            return contents.lastSession
        }
        let connection = Connection(number: number, worker: worker)
        var session = SequencerJob.Session(
            elect: { try await self.step(connection) { try await self.elect(connection) } },
            inspect: { try await self.step(connection) { self.inspect() } },
            drain: { try await self.step(connection, asElected: "drain") { try await self.drain(connection) } },
            emptyOutbox: { try await self.step(connection, asElected: "empty the outbox") { self.emptyOutbox() } },
            purge: { _ in try await self.step(connection, asElected: "purge") { self.purge() } },
            isClosed: { connection.isClosed },
            close: { self.close(connection) })
        if listens {
            session.awaitChanges = { deadline in
                try await self.step(connection, asElected: "await changes") { try await self.awaitChanges(connection, until: deadline) }
            }
        }
        return session
    }

    private func close(_ connection: Connection) {
        stage.expect(!connection.wasClosed, "a session was closed twice")
        connection.wasClosed = true
        connection.isClosed = true
        contents.withLock { contents in
            contents.sessions.remove(connection.number)
            contents.ends[connection.worker] = .now
            if contents.elected == connection.number { (contents.elected, contents.released) = (nil, .now) }
        }
    }

    /// Runs one call of an open session. The call takes some time, and may lose the session.
    private func step<Result>(
        _ connection: Connection, asElected name: String? = nil, _ body: () async throws -> Result
    ) async throws -> Result {
        stage.expect(!connection.isBusy && !connection.wasClosed, "a session is used twice at once, or after its end")
        if let name { stage.expect(connection.isElected, "a session that was not elected is to \(name)") }
        guard !connection.isClosed else { throw PostgresError(.connectionClosed, "the connection is closed") }
        connection.isBusy = true
        defer { connection.isBusy = false }
        if stage.chance.happens(1, in: 3) { try await stage.sleep(upTo: Self.slowest) }
        if isRough, stage.chance.happens(1, in: 60) {
            lose(connection)
            throw PostgresError(.connectionLost, "the server has gone")
        }
        return try await body()
    }

    /// Loses a session without notice. The server keeps its lock for some time.
    private func lose(_ connection: Connection) {
        connection.isClosed = true
        guard contents.withLock({ $0.elected == connection.number }) else { return }
        let lease = stage.chance.duration(upTo: Self.longestLease)
        contents.withLock { $0.elected = -connection.number }
        do {
            _ = try stage.loop.schedule(at: .after(lease), named: "the server finds out") { [self] in
                contents.withLock { contents in
                    if contents.elected == -connection.number { (contents.elected, contents.released) = (nil, .now) }
                }
            }
        } catch { stage.fail("\(error)") }
    }
}

// The steps, as the database runs them.
extension ModelDatabase {
    private func elect(_ connection: Connection) async throws -> Bool {
        connection.isElected = contents.withLock { contents in
            if contents.elected == nil {
                (contents.elected, contents.worker) = (connection.number, connection.worker)
                contents.vacancies.append((.now, Deadline.now.duration(since: contents.released)))
                contents.purged = nil
            }
            return contents.elected == connection.number
        }
        return connection.isElected
    }

    private func inspect() -> (hasChanges: Bool, time: Timestamp) {
        let hasChanges = contents.withLock { contents in
            contents.inspections += 1
            return contents.taken < contents.changes.count
        }
        return (hasChanges, time)
    }

    private func drain(_ connection: Connection) async throws -> Sequencer.Report {
        if let failed = connection.failed { stage.expect(failed.advanced(by: Self.pause) <= .now, "drains again without a pause") }
        let before = contents.withLock { $0 }
        let time = self.time
        let isDue = before.times.contains { $0.published == nil && timestamp(of: $0.due) <= time }
        if connection.hasDrained, !isRough {
            stage.expect(isDue || before.taken < before.changes.count, "drains though there is nothing")
        }
        let last = min(before.changes.count, before.taken + Self.share)
        try await stage.sleep(upTo: Self.slowest)
        if isRough { try fail(connection) }
        (connection.failed, connection.hasDrained) = (nil, true)
        let isCommitted = contents.withLock { contents in
            guard contents.head == before.head else { return false }
            contents.head += 1
            for index in contents.taken..<max(contents.taken, last) { contents.changes[index].published = .now }
            contents.taken = last
            contents.isEmptied = false
            for index in contents.times.indices where timestamp(of: contents.times[index].due) <= time {
                contents.times[index].published = contents.times[index].published ?? .now
            }
            return true
        }
        guard isCommitted else { throw PostgresError(.refused, "another was faster", sqlState: SQLState(rawValue: "40001")) }
        stage.note("\(connection.number) published up to \(last)")
        if isRough, stage.chance.happens(1, in: 30) {
            lose(connection)
            throw PostgresError(.outcomeUnknown, "no response arrived")
        }
        var report = Sequencer.Report()
        report.isComplete = last == before.changes.count
        report.waiting.edits = before.changes.count - last
        report.nextTime = contents.withLock { $0.times.first { $0.published == nil } }.map { timestamp(of: $0.due) }
        return report
    }

    /// Throws a lock timeout, which the session survives, or an unreadable document.
    private func fail(_ connection: Connection) throws {
        switch stage.chance.below(20) {
        case 0...1:
            connection.failed = .now
            throw PostgresError(.refused, "a lock did not come", sqlState: SQLState(rawValue: "55P03"))
        case 2: throw PostgresError(.undecodable, "what is this?")
        case 3:
            lose(connection)
            throw PostgresError(.connectionLost, "the server has gone")
        default: return
        }
    }

    /// Returns when a change notifies the session, or at the deadline. The first call of a session starts to listen.
    private func awaitChanges(_ connection: Connection, until deadline: Deadline) async throws {
        guard connection.isListening else {
            connection.isListening = true
            contents.withLock { $0.isNotified = false }
            return
        }
        while deadline > .now {
            let isNotified = contents.withLock { contents in
                defer { contents.isNotified = false }
                return contents.isNotified
            }
            if isNotified { return }
            try await stage.loop.sleep(until: min(deadline, .after(Self.delivery)), named: "await changes")
        }
    }

    /// Commits a change. Its notification is sent only if `notifies`.
    func commit(notifies: Bool) {
        contents.withLock { contents in
            contents.changes.append(Change(committed: .now))
            if notifies { contents.isNotified = true }
        }
    }

    private func emptyOutbox() { contents.withLock { $0.isEmptied = true } }

    private func purge() -> Bool {
        let (before, isMore) = contents.withLock { contents in
            let before = contents.purged
            contents.purgeable = max(0, contents.purgeable - 1)
            contents.purged = (.now, contents.purgeable == 0)
            return (before, contents.purgeable > 0)
        }
        guard let before else { return isMore }
        let due = before.isDone ? before.at.advanced(by: Self.betweenPurges) : before.at
        stage.expect(Deadline.now >= due, "purges again though nothing was left")
        if !isRough { expectNoPurgeOverdue(since: before) }
        return isMore
    }

    /// Checks that the leader's next purge is not overdue, while nothing fails.
    func expectPurge() {
        guard let last = contents.withLock({ $0.purged }) else { return stage.fail("nothing was purged") }
        expectNoPurgeOverdue(since: last)
    }

    private func expectNoPurgeOverdue(since last: (at: Deadline, isDone: Bool)) {
        let soon = max(last.at, contents.withLock { $0.calm }).advanced(by: Self.round)
        let due = last.isDone ? last.at.advanced(by: Self.betweenPurges + Self.round) : soon
        stage.expect(Deadline.now <= max(due, soon), "a purge is overdue")
    }
}
