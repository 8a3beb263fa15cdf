internal import EventLoop
internal import Postgres
internal import Publishing
internal import SQLFiles
internal import Security

extension SequencerJob {
    init(
        _ configuration: PostgresConfiguration, retention: Int, _ log: ServeLog,
        _ meter: SequencerMetricsRecorder = SequencerMetricsRecorder()
    ) throws {
        let configuration = Self.lasting(configuration)
        self.init(retention: retention, log, meter) { loop in
            let connection = try await PostgresConnection.connect(configuration, on: loop, until: .after(.seconds(5)))
            return Session(Sequencer(hashedBy: Digest.sha256), over: connection)
        }
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
}

extension SequencerJob.Session {
    fileprivate init(_ sequencer: Sequencer, over connection: PostgresConnection) {
        var sequencer = sequencer
        let quick = PostgresSession(connection, within: .seconds(5))
        // A transaction of millions of items is one drain: each of its steps is short, and there may be many.
        let patient = PostgresSession(connection, within: .seconds(600), transaction: .seconds(86_400))
        self.init(
            elect: { try await sequencer.elect(quick) },
            look: { try await sequencer.look(quick) },
            drain: { try await sequencer.drain(patient) },
            emptyOutbox: { try await sequencer.emptyOutbox(quick) },
            purge: { days in try await sequencer.purge(quick, olderThan: days) },
            isClosed: { connection.isClosed },
            close: { connection.close() })
    }
}
