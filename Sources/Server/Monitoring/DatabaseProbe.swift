internal import EventLoop
internal import Host
internal import Postgres

/// Asks whether the database answers, with a schema that this program works on.
///
/// Its connection is its own and belongs to no serving loop: neither a full pool nor a loop that is held looks like an outage. To be used by one
/// task at a time, which prefers the loop that it gives.
final class DatabaseProbe: Sendable {
    private struct Known {
        var connection: PostgresConnection?
        var state = DatabaseState.away
    }

    /// How long a look takes at most, with a new connection if one is needed.
    private static let limit = Duration.seconds(2)

    private let configuration: PostgresConfiguration
    private let runner: MigrationRunner
    private let known = Locked(Known())

    init(_ configuration: PostgresConfiguration, _ runner: MigrationRunner) {
        var configuration = configuration
        configuration.applicationName = "vitrine readiness"
        self.configuration = configuration
        self.runner = runner
    }

    /// Returns the state of the database. A schema that was unsuitable stays so until the database answers again.
    func inspect(on loop: EventLoop) async -> DatabaseState {
        let found = await fetchState(on: loop, until: .after(Self.limit))
        return known.withLock { known in
            known.state = found.following(known.state)
            return known.state
        }
    }

    private func fetchState(on loop: EventLoop, until deadline: Deadline) async -> DatabaseState {
        if let connection = known.withLock({ $0.connection }), connection.isUsable {
            do throws(MigrationError) {
                return try await state(connection, until: deadline)
            } catch {
                // A session that has ended says nothing of the database: another one may open. One that does not answer does.
                guard connection.isClosed, .now < deadline else { return .away }
            }
        }
        do {
            let connection = try await PostgresConnection.connect(configuration, on: loop, until: deadline)
            known.withLock { $0.connection = connection }
            return try await state(connection, until: deadline)
        } catch {
            return .away
        }
    }

    private func state(_ connection: PostgresConnection, until deadline: Deadline) async throws(MigrationError) -> DatabaseState {
        let status = try await runner.status(connection, until: deadline)
        if let refusal = status.refusal {
            return .unsuitable("the schema is not the program's: \(refusal.reasons.joined(separator: "; "))")
        }
        return status.isCurrent ? .current : .unsuitable("the database is to be migrated")
    }

    /// Closes the connection; to be called on the loop, after the last look.
    func close() {
        known.withLock { known in
            known.connection?.close()
            known.connection = nil
        }
    }
}
