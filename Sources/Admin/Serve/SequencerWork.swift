internal import EventLoop
internal import Feeds
internal import Postgres
internal import SQLFiles
internal import Security
internal import Time

/// Publishes what has changed, as long as this process is the one that does.
///
/// Of all that run, one is elected by a lock of its session; when that ends, another has it within a second. The lock says who is to work, and
/// the row of the head who may: two that both take themselves for elected are slow, and nothing else.
struct SequencerWork: Sendable {
    private static let tick = Duration.milliseconds(30)
    private static let standby = Duration.milliseconds(500)
    private static let betweenPurges = Duration.seconds(60)
    private static let afterFailure = Duration.milliseconds(250)

    private let configuration: PostgresConfiguration
    private let queries: SequencerQueries
    private let rules: RuleQueries
    private let log: ServeLog
    private let retention: Int
    private let meter: SequencerMeter

    /// `retention` is for how many days it is told what has gone.
    init(_ configuration: PostgresConfiguration, retention: Int, _ log: ServeLog, _ meter: SequencerMeter = SequencerMeter()) throws {
        self.configuration = Self.lasting(configuration)
        self.retention = retention
        self.meter = meter
        let library = try QueryLibrary(SQLFiles.queries)
        queries = try SequencerQueries(library)
        rules = try RuleQueries(library)
        self.log = log
    }

    /// Of a session that keeps its lock as long as its process works and not longer. The server finds out within two seconds that the machine is
    /// gone, within five that the process does nothing, and within two minutes that it does nothing within a drain. No version is seen that a crash
    /// could take back without anybody noticing.
    static func lasting(_ configuration: PostgresConfiguration) -> PostgresConfiguration {
        var configuration = configuration
        configuration.applicationName = "vitrine sequencer"
        configuration.statementTimeout = .seconds(300)
        configuration.serverPatience = .seconds(2)
        configuration.idleTimeout = .seconds(5)
        configuration.idleInTransactionTimeout = .seconds(120)
        configuration.commitsDurably = true
        return configuration
    }

    /// Until it is cancelled; for a task that prefers the loop.
    func run(on loop: EventLoop) async {
        var isAway = false
        while !Task.isCancelled {
            do {
                let connection = try await PostgresConnection.connect(configuration, on: loop, until: .after(.seconds(5)))
                defer { connection.close() }
                isAway = false
                try await work(connection, on: loop)
            } catch {
                meter.noteFailure()
                if Task.isCancelled { return }
                if !isAway { log.recordSequencerFailed(error) }
                isAway = (error as? PostgresError)?.classification == .unavailable
            }
            do throws(EventLoopError) { try await loop.sleep(until: .after(Self.afterFailure), named: "sequencer: again") } catch { return }
        }
    }

    private func work(_ connection: PostgresConnection, on loop: EventLoop) async throws {
        var sequencer = Sequencer(queries, rules, hashedBy: Digest.sha256)
        let quick = SequencerSession(over: connection, within: .seconds(5))
        // A transaction of millions of items is one drain: each of its steps is short, and there may be many.
        let patient = SequencerSession(over: connection, within: .seconds(600), transaction: .seconds(86_400))
        while try await !sequencer.elect(quick) {
            try await loop.sleep(until: .after(Self.standby), named: "sequencer: wait for election")
        }
        log.recordElected()
        meter.noteElection()
        var nextMoment: Timestamp? = .earliest
        var nextPurge = Deadline.now
        while !Task.isCancelled {
            var isComplete = true
            let (hasChanges, moment) = try await sequencer.look(quick)
            if hasChanges || nextMoment.map({ $0 <= moment }) ?? false {
                let began = ContinuousClock.now
                let report: Sequencer.Report
                do {
                    report = try await sequencer.drain(patient)
                } catch  where Sequencer.isPassing(error) && !connection.isClosed {
                    // The session still has the lock and the memory of what is published.
                    meter.noteFailedDrain()
                    log.recordDrainFailed(error)
                    try await loop.sleep(until: .after(Self.afterFailure), named: "sequencer: drain again")
                    continue
                }
                nextMoment = report.nextMoment
                let duration = ContinuousClock.now - began
                log.record(report, took: duration)
                meter.note(report, took: duration)
                isComplete = report.isComplete
                if isComplete { try await sequencer.emptyOutbox(quick) }
            }
            if nextPurge <= .now, try await !sequencer.purge(quick, olderThan: retention) {
                nextPurge = .after(Self.betweenPurges)
            }
            if isComplete { try await loop.sleep(until: .after(Self.tick), named: "sequencer: tick") }
        }
    }
}

extension SequencerSession {
    /// Each call may take so long, and a transaction as a whole as long or for another limit.
    init(over connection: PostgresConnection, within limit: Duration, transaction transactionLimit: Duration? = nil) {
        self.init(
            run: { queries throws(PostgresError) in try await connection.run(queries, until: .after(limit)) },
            transaction: { options, body in
                try await connection.transaction(options, until: .after(transactionLimit ?? limit)) { _ in try await body() }
            })
    }
}
