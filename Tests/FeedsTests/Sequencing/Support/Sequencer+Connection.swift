import EventLoop
import Feeds
import Postgres

extension Sequencer {
    mutating func drain(_ connection: PostgresConnection, until deadline: Deadline) async throws -> Report {
        try await drain(PostgresSession(connection, until: deadline))
    }
}
