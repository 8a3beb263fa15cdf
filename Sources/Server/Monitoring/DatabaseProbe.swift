internal import EventLoop
internal import Host
internal import Postgres

/// A probe of whether the database responds and has a compatible schema.
///
/// It has its own connection outside the serving loops, so that neither a full pool nor a stalled loop looks like an
/// outage. Only one task at a time may use it, and that task must prefer the probe's loop.
final class DatabaseProbe: Sendable {
    private struct Known {
        var connection: PostgresConnection?
        var state = DatabaseState.away
    }

    /// The maximum time of a probe, including a new connection if it needs one.
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

    /// Returns the state of the database. An incompatible schema stays so until the database responds again.
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
                // A closed session does not prove an outage, because another one may open. A session that does not
                // respond does.
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
        if let error = status.error {
            return .unsuitable("the database schema does not match this program: \(error.reasons.joined(separator: "; "))")
        }
        return status.isCurrent ? .current : .unsuitable("the database has pending migrations")
    }

    /// Closes the connection. Call it on the loop, after the last probe.
    func close() {
        known.withLock { known in
            known.connection?.close()
            known.connection = nil
        }
    }
}
