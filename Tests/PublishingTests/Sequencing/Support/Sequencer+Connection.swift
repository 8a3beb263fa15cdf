import EventLoop
import Postgres
import Publishing

extension Sequencer {
    mutating func drain(_ connection: PostgresConnection, until deadline: Deadline) async throws -> Report {
        try await drain(PostgresSession(connection, until: deadline))
    }
}
