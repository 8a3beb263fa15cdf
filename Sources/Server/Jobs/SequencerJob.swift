internal import EventLoop
internal import Host
internal import Postgres
internal import Publishing
internal import Security
internal import Values

/// A job that publishes changes while this process is the leader.
///
/// A lock of the database session elects one of all processes. When that session ends, another process is elected
/// within a second. The lock decides which process works, and the head row which one may publish. Two processes that
/// both believe to be the leader are therefore slow, but correct.
struct SequencerJob: Sendable {
    struct Session {
        let elect: () async throws -> Bool
        let inspect: () async throws -> (hasChanges: Bool, time: Timestamp)
        let drain: () async throws -> Sequencer.Report
        let emptyOutbox: () async throws -> Void
        /// A closure that deletes some old tombstones, and returns false if none are left for now.
        let purge: (_ age: Duration) async throws -> Bool
        let isClosed: () -> Bool
        let close: () -> Void
        /// A closure that returns when a transaction with changes commits, or at the deadline. Nil if the session receives no
        /// notifications, so that the job looks for changes more often.
        var awaitChanges: ((_ deadline: Deadline) async throws -> Void)?
        /// A closure that moves scheduled times if the rules of time zones have changed.
        var followZones: () async throws -> Sequencer.ZoneCheck = { Sequencer.ZoneCheck() }
    }

    private static let standby = Duration.milliseconds(500)
    private static let betweenPurges = Duration.seconds(60)
    private static let afterFailure = Duration.milliseconds(250)
    private static let betweenZoneChecks = Duration.seconds(86_400)
    private static let afterFailedZoneCheck = Duration.seconds(60)

    /// The pauses between inspections of the outbox.
    struct Timing: Sendable {
        /// The pause without notifications, and for a while after each drain. Of several transactions that commit at the same time
        /// only the first notifies, and the drain of its changes can miss those of the others.
        var tick = Duration.milliseconds(30)
        /// The time after a drain for which the pause stays short.
        var attention = Duration.seconds(1)
        /// The pause of a session that is notified. The database ends a session that is idle for five seconds.
        var slowTick = Duration.milliseconds(250)
        /// The pause after a drain, so that the changes of many small transactions share the next one.
        var rest = Duration.milliseconds(5)
    }

    var timing = Timing()
    private let connect: @Sendable (EventLoop) async throws -> Session
    private let log: ServeLog
    /// The number of days for which tombstones are kept.
    let retention: Duration
    private let meter: SequencerMetricsRecorder

    init(
        retention: Duration, _ log: ServeLog, _ meter: SequencerMetricsRecorder,
        connect: @escaping @Sendable (EventLoop) async throws -> Session
    ) {
        self.connect = connect
        self.retention = retention
        self.log = log
        self.meter = meter
    }

    /// Runs until it is canceled. The task must prefer the executor `loop`.
    func run(on loop: EventLoop) async {
        var isAway = false
        while !Task.isCancelled {
            do {
                let session = try await connect(loop)
                defer { session.close() }
                isAway = false
                try await work(session, on: loop)
            } catch {
                meter.noteFailure()
                if Task.isCancelled { return }
                if !isAway { log.recordSequencerFailed(error) }
                isAway = (error as? PostgresError)?.classification == .unavailable
            }
            do throws(EventLoopError) { try await loop.sleep(until: .after(Self.afterFailure), named: "sequencer: retry") } catch { return }
        }
    }

    private func work(_ session: Session, on loop: EventLoop) async throws {
        while try await !session.elect() {
            try await loop.sleep(until: .after(Self.standby), named: "sequencer: wait for election")
        }
        log.recordSequencerStarted()
        meter.noteElection()
        var nextTime: Timestamp? = .earliest
        var nextPurge = Deadline.now
        var nextZoneCheck = Timestamp.earliest
        var drained = Deadline.now
        var hasDrained = false
        while !Task.isCancelled {
            var isComplete = true
            let (hasChanges, time) = try await session.inspect()
            if nextZoneCheck <= time {
                let (next, isChanged) = await followZones(session, at: time)
                nextZoneCheck = next
                // A session that has drained keeps the rules that it has read, so the leader continues in another one.
                if isChanged, hasDrained { return }
            }
            if hasChanges || nextTime.map({ $0 <= time }) ?? false {
                hasDrained = true
                let began = Deadline.now
                let report: Sequencer.Report
                do {
                    report = try await session.drain()
                } catch  where Sequencer.isPassing(error) && !session.isClosed() {
                    // The session still has the lock and its memory of the published state.
                    meter.noteFailedDrain()
                    log.recordDrainFailed(error)
                    try await loop.sleep(until: .after(Self.afterFailure), named: "sequencer: drain again")
                    continue
                }
                nextTime = report.nextTime
                let duration = Deadline.now.duration(since: began)
                log.record(report, took: duration)
                meter.note(report, took: duration)
                isComplete = report.isComplete
                if report.waiting == OutboxCounts() { try await session.emptyOutbox() }
                drained = .now
            }
            if nextPurge <= .now, try await !session.purge(retention) {
                nextPurge = .after(Self.betweenPurges)
            }
            guard isComplete else { continue }
            let isAttentive = drained.advanced(by: timing.attention) > .now || nextPurge <= .now
            let pause = isAttentive || session.awaitChanges == nil ? timing.tick : timing.slowTick
            let scheduled = nextTime.map { max(timing.tick, time.duration(to: $0)) }
            try await rest(session, until: .after(min(pause, scheduled ?? pause)), on: loop)
            if drained.advanced(by: timing.rest) > .now {
                try await loop.sleep(until: drained.advanced(by: timing.rest), named: "sequencer: rest")
            }
        }
    }

    private func rest(_ session: Session, until end: Deadline, on loop: EventLoop) async throws {
        if let awaitChanges = session.awaitChanges {
            try await awaitChanges(end)
        } else {
            try await loop.sleep(until: end, named: "sequencer: tick")
        }
    }
}

extension SequencerJob {
    /// Moves scheduled times if the rules of time zones have changed, and returns whether they have. The next check is at the
    /// next midnight in UTC, an hour after a change, or soon after a failure.
    private func followZones(_ session: Session, at time: Timestamp) async -> (next: Timestamp, isChanged: Bool) {
        do {
            let check = try await session.followZones()
            log.recordMovedZones(check.zones)
            let day = Int64(Self.betweenZoneChecks.wholeMicroseconds)
            let today = time.microseconds - ((time.microseconds % day) + day) % day
            let midnight = Timestamp(clamping: today).advanced(by: Self.betweenZoneChecks)
            return (min(midnight, check.recheckAt ?? midnight), !check.zones.isEmpty)
        } catch {
            log.recordZoneCheckFailed(error)
            return (time.advanced(by: Self.afterFailedZoneCheck), false)
        }
    }

    init(
        _ configuration: PostgresConfiguration, retention: Duration, _ log: ServeLog,
        _ meter: SequencerMetricsRecorder = SequencerMetricsRecorder()
    ) {
        let configuration = Self.lasting(configuration)
        let kept = Locked((turn: OutboxShare.Turn.few, failed: FailedSections()))
        self.init(retention: retention, log, meter) { loop in
            let connection = try await PostgresConnection.connect(configuration, on: loop, until: .after(.seconds(5)))
            var session = Session(Sequencer(hashedBy: Digest.sha256), kept, over: connection)
            // A session keeps the rules of the zones that it has used, so each check has its own.
            session.followZones = {
                let connection = try await PostgresConnection.connect(configuration, on: loop, until: .after(.seconds(5)))
                defer { connection.close() }
                return try await Sequencer.followZones(PostgresSession(connection, within: .seconds(30)))
            }
            return session
        }
    }

    /// Returns a configuration whose session keeps its lock exactly as long as its process works. The server notices a
    /// dead machine within two seconds, a stopped process within five, and a drain that stopped within two minutes.
    /// Commits are synchronous, so that a crash cannot undo a version that clients have seen.
    static func lasting(_ configuration: PostgresConfiguration) -> PostgresConfiguration {
        var configuration = configuration
        configuration.applicationName = "vitrine sequencer"
        configuration.statementTimeout = .seconds(300)
        configuration.serverTimeout = .seconds(2)
        configuration.idleTimeout = .seconds(5)
        configuration.idleInTransactionTimeout = .seconds(120)
        configuration.commitsDurably = true
        return configuration
    }
}

extension SequencerJob.Session {
    /// Creates a session. `kept` outlives the session.
    fileprivate init(
        _ sequencer: Sequencer, _ kept: Locked<(turn: OutboxShare.Turn, failed: FailedSections)>, over connection: PostgresConnection
    ) {
        var sequencer = sequencer
        (sequencer.turn, sequencer.failed) = kept.withLock { $0 }
        let quick = PostgresSession(connection, within: .seconds(5))
        // A transaction of millions of items is one drain. Each of its steps is short, but there may be many.
        let patient = PostgresSession(connection, within: .seconds(600), transaction: .seconds(86_400))
        var isListening = false
        self.init(
            elect: { try await sequencer.elect(quick) },
            inspect: { try await sequencer.inspect(quick) },
            drain: {
                defer { kept.withLock { $0 = (sequencer.turn, sequencer.failed) } }
                return try await sequencer.drain(patient)
            },
            emptyOutbox: { try await sequencer.emptyOutbox(quick) },
            purge: { age in try await sequencer.purge(quick, olderThan: age) },
            isClosed: { connection.isClosed },
            close: { connection.close() },
            awaitChanges: { deadline in
                if isListening {
                    _ = try await connection.notifications(until: deadline)
                } else {
                    // It returns immediately, because earlier transactions have not notified this session.
                    try await connection.listen(to: [Sequencer.changeChannel], until: .after(.seconds(5)))
                    isListening = true
                }
            })
    }
}
