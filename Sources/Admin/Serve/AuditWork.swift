internal import API
internal import EventLoop
internal import Feeds
internal import Host
internal import Postgres
internal import SQLFiles
internal import Security
internal import Settings
internal import Sync

/// Compares each night what is published with what should be, as long as this process is the one that publishes.
struct AuditWork: Sendable {
    /// The clock may be set meanwhile.
    private static let longestSleep = Duration.seconds(60)
    /// How long one query of it may take.
    static let patience = Duration.seconds(120)

    private let time: TimeOfDay
    private let configuration: PostgresConfiguration
    private let audit: AuditQueries
    private let sequencer: SequencerQueries
    private let rules: RuleQueries
    private let log: ServeLog
    private let meter: SequencerMeter

    /// Nil where it is never to be done.
    init?(_ configuration: PostgresConfiguration, at time: TimeOfDay?, _ log: ServeLog, _ meter: SequencerMeter) throws {
        guard let time else { return nil }
        self.time = time
        self.configuration = Self.patient(configuration)
        let library = try QueryLibrary(SQLFiles.queries)
        audit = try AuditQueries(library)
        sequencer = try SequencerQueries(library)
        rules = try RuleQueries(library)
        self.log = log
        self.meter = meter
    }

    static func patient(_ configuration: PostgresConfiguration) -> PostgresConfiguration {
        var configuration = configuration
        configuration.applicationName = "vitrine audit"
        configuration.statementTimeout = patience
        return configuration
    }

    /// Until it is cancelled; for a task that prefers the loop.
    func run(on loop: EventLoop) async {
        while !Task.isCancelled {
            do throws(EventLoopError) { try await sleep(on: loop) } catch { return }
            guard meter.figures.isElected else { continue }
            let began = ContinuousClock.now
            do {
                let report = try await compare(on: loop)
                let duration = ContinuousClock.now - began
                log.record(report, took: duration)
                meter.note(report, took: duration)
            } catch {
                if Task.isCancelled { return }
                meter.noteAuditFailure()
                log.recordAuditFailed(error)
            }
        }
    }

    /// Until the time of day comes.
    private func sleep(on loop: EventLoop) async throws(EventLoopError) {
        var wait = TimeOfDay.Wait(for: time, from: Machine.wallClock)
        while true {
            let left = wait.left(at: Machine.wallClock)
            if left <= 0 { return }
            try await loop.sleep(until: .after(min(.microseconds(left), Self.longestSleep)), named: "audit: wait for the night")
        }
    }

    private func compare(on loop: EventLoop) async throws -> AuditReport {
        let connection = try await PostgresConnection.connect(configuration, on: loop, until: .after(.seconds(5)))
        defer { connection.close() }
        var audit = SyncAudit(
            audit, Sequencer(sequencer, rules, hashedBy: Digest.sha256), SequencerSession(over: connection, within: Self.patience),
            isDry: false,
            pause: { try await loop.sleep(until: .after(.milliseconds(100)), named: "audit: pause") },
            found: { finding in log.record(finding) })
        return try await audit.run()
    }
}
