internal import EventLoop
internal import Host
internal import Postgres
internal import Publishing
internal import Security
internal import Settings
internal import Sync

/// A nightly comparison of the published documents with their sources. It runs while this process is the leader.
struct ConsistencyCheckJob: Sendable {
    /// The maximum sleep, because the clock may be set in between.
    private static let longestSleep = Duration.seconds(60)

    let time: TimeOfDay
    /// A clock that returns microseconds since 1970.
    private let wallClock: @Sendable () -> Int
    private let log: ServeLog
    private let meter: SequencerMetricsRecorder
    private let compare: @Sendable (EventLoop) async throws -> ConsistencyReport

    init(
        at time: TimeOfDay, by wallClock: @escaping @Sendable () -> Int, _ log: ServeLog, _ meter: SequencerMetricsRecorder,
        compare: @escaping @Sendable (EventLoop) async throws -> ConsistencyReport
    ) {
        self.time = time
        self.wallClock = wallClock
        self.log = log
        self.meter = meter
        self.compare = compare
    }

    /// Runs until it is canceled. The task must prefer the executor `loop`.
    func run(on loop: EventLoop) async {
        while !Task.isCancelled {
            do throws(EventLoopError) { try await sleep(on: loop) } catch { return }
            guard meter.metrics.isLeader else { continue }
            let began = Deadline.now
            do {
                let report = try await compare(loop)
                let duration = Deadline.now.duration(since: began)
                log.record(report, took: duration)
                meter.note(report, took: duration)
            } catch {
                if Task.isCancelled { return }
                meter.noteConsistencyCheckFailure()
                log.recordConsistencyCheckFailed(error)
            }
        }
    }

    private func sleep(on loop: EventLoop) async throws(EventLoopError) {
        var wait = TimeOfDay.DailyTimer(for: time, from: wallClock())
        while true {
            let left = wait.left(at: wallClock())
            if left <= 0 { return }
            try await loop.sleep(until: .after(min(.microseconds(left), Self.longestSleep)), named: "consistency check: wait")
        }
    }
}

extension ConsistencyCheckJob {
    /// Returns nil if the check is turned off.
    init?(_ configuration: PostgresConfiguration, at time: TimeOfDay?, _ log: ServeLog, _ meter: SequencerMetricsRecorder) {
        guard let time else { return nil }
        let configuration = Self.patient(configuration)
        self.init(at: time, by: { SystemInfo.wallClock }, log, meter) { loop in
            let connection = try await PostgresConnection.connect(configuration, on: loop, until: .after(.seconds(5)))
            defer { connection.close() }
            var audit = ConsistencyChecker(
                Sequencer(hashedBy: Digest.sha256),
                PostgresSession(
                    connection, within: ConsistencyChecker.statementTimeout, transaction: ConsistencyChecker.transactionTimeout),
                isDry: false,
                pause: { try await loop.sleep(until: .after(.milliseconds(100)), named: "consistency check: pause") },
                found: { finding in log.record(finding) })
            return try await audit.run()
        }
    }

    static func patient(_ configuration: PostgresConfiguration) -> PostgresConfiguration {
        var configuration = configuration
        configuration.applicationName = "vitrine consistency check"
        configuration.statementTimeout = ConsistencyChecker.statementTimeout
        return configuration
    }
}
