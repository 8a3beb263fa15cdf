import EventLoop
import Feeds
import Postgres

extension Sequencer {
    mutating func drain(_ connection: PostgresConnection, until deadline: Deadline) async throws -> Report {
        try await drain(SequencerSession(over: connection, until: deadline))
    }
}

extension SequencerSession {
    init(over connection: PostgresConnection, until deadline: Deadline) {
        self.init(
            run: { queries throws(PostgresError) in try await connection.run(queries, until: deadline) },
            transaction: { options, body in try await connection.transaction(options, until: deadline) { _ in try await body() } })
    }
}
