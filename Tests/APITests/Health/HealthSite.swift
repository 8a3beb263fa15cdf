import Access
import EventLoop
import Feeds
import HTTPMessages
import Host
import JSON
import Postgres
import Security
import Settings
import TestDatabase
import Testing
import Values

@testable import API
@testable import HTTP
@testable import Publishing
@testable import Server

/// The admin routes over a database whose changes a sequencer publishes, as in a server.
struct HealthSite: Sendable {
    let admin: AdminSite
    let curator: AccessToken
    /// The time by which the clock of the sequencer is ahead of that of the database.
    private let ahead = Locked(Duration.zero)
    private let meter: SequencerMetricsRecorder

    /// Runs a body while the sequencer publishes. Nine TopApps `app-1` to `app-9` exist, in the category `tools`, for the served
    /// platforms `ios` and `ipados`.
    static func run(
        _ script: String = "", ruleTime: Duration = .seconds(30), _ body: @escaping @Sendable (HealthSite) async throws -> Void
    ) async throws {
        let configuration = try ScratchDatabase.current.configuration
        try await AdminSite.run { admin in
            try await admin.sql(script)
            let (meter, log) = (SequencerMetricsRecorder(), try log())
            defer { log.output.close() }
            let site = HealthSite(admin: admin, curator: try await admin.token(.read, "health"), meter: meter)
            let job = SequencerJob(retention: .seconds(30 * 86_400), log, meter) { loop in
                try await session(configuration, ruleTime, ahead: site.ahead, on: loop)
            }
            try await withThrowingTaskGroup { group in
                group.addTask(executorPreference: admin.pool.loop) { await job.run(on: admin.pool.loop) }
                defer { group.cancelAll() }
                try await body(site)
            }
        }
    }

    /// Returns a log at a level that these tests do not reach.
    private static func log() throws -> ServeLog {
        let environment = ["VITRINE_LOG_LEVEL": "error", "VITRINE_LOG_FORMAT": "text"]
        let sources = SettingsSources(flagText: { _ in nil }, environment: environment) { _ throws(FileFailure) in
            throw FileFailure(isMissing: true, reason: "there are no files")
        }
        return ServeLog(try LogOutput(try Settings.load(from: sources).settings.log, isColored: false))
    }

    private static func session(
        _ configuration: PostgresConfiguration, _ ruleTime: Duration, ahead: Locked<Duration>, on loop: EventLoop
    ) async throws -> SequencerJob.Session {
        let connection = try await PostgresConnection.connect(configuration, on: loop, until: .soon)
        let session = PostgresSession(connection, within: .seconds(60))
        var sequencer = Sequencer(ruleTime: ruleTime, hashedBy: Digest.sha256)
        return SequencerJob.Session(
            elect: { try await sequencer.elect(session) },
            inspect: {
                let (hasChanges, time) = try await sequencer.inspect(session)
                return (hasChanges, time.advanced(by: ahead.withLock { $0 }))
            },
            drain: {
                sequencer.clockAhead = ahead.withLock { $0 }
                return try await sequencer.drain(session)
            }, emptyOutbox: {}, purge: { _ in false },
            isClosed: { connection.isClosed }, close: { connection.close() },
            followZones: { try await Sequencer.followZones(session) })
    }

    func sql(_ script: String) async throws { try await admin.sql(script) }

    /// Saves a document of a feed and publishes it immediately.
    func publish(_ document: String, line: String = "main", of feed: String = "today", as order: String = "'base', %") async throws {
        let revision = "vitrine.save_revision('\(feed)', '\(line)', $document$\(document)$document$)"
        try await sql("SELECT vitrine.publish('\(feed)', \(order.replacing("%", with: revision)))")
    }

    /// Lets time pass for the sequencer.
    func advance(by time: Duration) { ahead.withLock { $0 += time } }

    /// The time of the sequencer, as SQL.
    var now: String { "(clock_timestamp() + interval '\(ahead.withLock { $0 }.wholeMicroseconds) microseconds')" }

    // MARK: Reports

    /// The findings that the report, the status and the metrics of the process have at the same time.
    struct Report {
        let findings: [JSONNode]
        let texts: [String]
        /// The number of each code with its severity in the metrics, if it is not zero.
        let counts: [String: Int]
        /// The findings of the status, as JSON.
        let ofStatus: [String]

        func findings(_ code: String) -> [JSONNode] { findings.filter { $0["code"]?.string == code } }

        /// Whether all three agree. The metrics follow the commit of the drain by an instant.
        var isConsistent: Bool {
            let kinds = findings.map { "\($0["code"]?.string ?? "") \($0["severity"]?.string ?? "")" }
            return counts == Dictionary(kinds.map { ($0, 1) }, uniquingKeysWith: +) && ofStatus == texts
        }
    }

    func report(_ query: String = "") async throws -> Report {
        let report = try await admin.expect(.ok, "GET /admin/v1/health-report\(query)", curator).json
        let status = try await admin.expect(.ok, "GET /admin/v1/status", curator).json
        let metrics = Metrics(
            requests: RequestMetrics(), counters: { ServerCounters() }, pools: { [] }, loops: { [] }, sequencer: { meter.metrics })
        let samples = try Exposition(await metrics.text()).samples.filter { $0.name == "vitrine_live_findings" && $0.value > 0 }
        let findings = report["findings"]?.elements.map { $0 } ?? []
        return Report(
            findings: findings, texts: try findings.map(Self.text),
            counts: Dictionary(
                samples.map { ("\($0.labels["code"] ?? "") \($0.labels["severity"] ?? "")", Int($0.value)) }, uniquingKeysWith: +),
            ofStatus: try status["findings"]?.elements.map(Self.text) ?? [])
    }

    private static func text(of finding: JSONNode) throws -> String { String(decoding: try JSONValue(finding).json(), as: UTF8.self) }

    /// Waits until the report meets a condition and the metrics and the status agree with it. Returns the report and the
    /// time that it took.
    func wait(for isMet: (Report) -> Bool, at location: SourceLocation = #_sourceLocation) async throws -> (Report, Duration) {
        let (start, limit) = (ContinuousClock.now, Deadline.soon)
        while true {
            let report = try await report()
            if isMet(report), report.isConsistent { return (report, ContinuousClock.now - start) }
            try #require(
                Deadline.now < limit, "\(report.texts) \(report.ofStatus) \(report.counts)", sourceLocation: location)
            try await admin.pool.loop.sleep(until: .after(.milliseconds(5)))
        }
    }

    /// Waits until all changes are published.
    func settle() async throws {
        let limit = Deadline.soon
        let waiting = "SELECT 'waiting' FROM vitrine.sync_head WHERE due_sections > 0 OR EXISTS (SELECT FROM vitrine.sync_outbox)"
        while try await !admin.rows(waiting).isEmpty {
            try #require(Deadline.now < limit)
            try await admin.pool.loop.sleep(until: .after(.milliseconds(5)))
        }
    }
}
