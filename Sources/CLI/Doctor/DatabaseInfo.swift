internal import EventLoop
import Host
import Postgres
internal import Server
import Values

struct DatabaseInfo: Sendable {
    /// The version as a number, such as 150018.
    let version: Int
    /// The lead of the database's clock over this machine's.
    let clockLead: Duration
    let status: MigrationStatus

    private static let minVersion = 150_000
    /// The tolerated clock difference. Publications change by the clock, and users watch this to the second.
    private static let maxSeconds = 2.0

    init(of session: DatabaseSession) throws {
        let runner = try MigrationRunner.product()
        let query = PostgresQuery(NamedQuery("doctor.server"), isPrepared: false)
        self = try session.run { connection in
            let sent = SystemInfo.wallClock
            let rows = try await connection.rows(of: query, as: Int.self, Timestamp.self, until: .after(.seconds(2)))
            let arrived = SystemInfo.wallClock
            guard let (version, now) = rows.first else { throw PostgresError(.undecodable, "no row", query: query.name) }
            let lead = now.microseconds - Int64(sent + (arrived - sent) / 2)
            return DatabaseInfo(version: version, clockLead: .microseconds(lead), status: try await runner.status(connection))
        }
    }

    init(version: Int, clockLead: Duration, status: MigrationStatus) {
        self.version = version
        self.clockLead = clockLead
        self.status = status
    }

    func checks(at location: String, program: String) -> [Check] {
        let server = "PostgreSQL \(version / 10_000).\(version % 10_000), \(location)"
        let seconds = clockLead / .seconds(1)
        return [
            version < Self.minVersion
                ? .attention("database", "\(server) is too old", "Vitrine needs PostgreSQL 15 or newer.") : .ok("database", server),
            schema(program: program),
            abs(seconds) > Self.maxSeconds
                ? .attention(
                    "database-clock", "\((abs(seconds) * 10).rounded() / 10) s \(seconds < 0 ? "earlier" : "later") than on this machine",
                    "Synchronize both clocks with NTP. Publications start and end by the clock.")
                : .ok("database-clock", "in sync with this machine"),
        ]
    }

    private func schema(program: String) -> Check {
        if let error = status.error {
            return .attention("schema", error.reasons.joined(separator: "; "), "Run \(program) db status for details.")
        }
        let pending = status.rows.count { $0.state == .pending }
        if pending > 0 {
            return .attention("schema", "\(pending) of \(status.rows.count) migrations pending", "Run \(program) db migrate.")
        }
        return .ok("schema", "\(status.rows.last?.id.description ?? "empty"), current")
    }
}
