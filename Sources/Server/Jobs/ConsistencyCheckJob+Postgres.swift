internal import EventLoop
internal import Host
internal import Postgres
internal import Publishing
internal import SQLFiles
internal import Security
internal import Settings
internal import Sync

extension ConsistencyCheckJob {
    /// Nil where it is never to be done.
    init?(_ configuration: PostgresConfiguration, at time: TimeOfDay?, _ log: ServeLog, _ meter: SequencerMetricsRecorder) throws {
        guard let time else { return nil }
        let configuration = Self.patient(configuration)
        self.init(at: time, by: { SystemInfo.wallClock }, log, meter) { loop in
            let connection = try await PostgresConnection.connect(configuration, on: loop, until: .after(.seconds(5)))
            defer { connection.close() }
            var audit = ConsistencyChecker(
                Sequencer(hashedBy: Digest.sha256),
                PostgresSession(connection, within: ConsistencyChecker.statementTimeout),
                isDry: false,
                pause: { try await loop.sleep(until: .after(.milliseconds(100)), named: "audit: pause") },
                found: { finding in log.record(finding) })
            return try await audit.run()
        }
    }

    static func patient(_ configuration: PostgresConfiguration) -> PostgresConfiguration {
        var configuration = configuration
        configuration.applicationName = "vitrine audit"
        configuration.statementTimeout = ConsistencyChecker.statementTimeout
        return configuration
    }
}
