internal import Arguments
internal import EventLoop
internal import Postgres
internal import SQLFiles

/// The role that servers connect as. It has the rights that a server needs and owns nothing.
struct ServerRole: Sendable {
    let name: String
    private static let role = NamedQuery("roles.role")
    private static let choose = NamedQuery("roles.choose")
    private static let grant = NamedQuery("roles.grant")

    init(_ name: String) { self.name = name }

    /// Grants the rights in a transaction. Rights that the role had before and does not need are revoked.
    func grantRights(_ connection: PostgresConnection) async throws {
        let question = PostgresQuery(Self.role, name, isPrepared: false)
        let found = try await connection.rows(of: question, as: Bool.self, Bool.self, until: .after(.seconds(30))).first
        guard let (isSuperuser, isOwner) = found else {
            throw DatabaseFailure(
                message: "the role '\(name)' does not exist", advice: "Create it: CREATE ROLE … LOGIN PASSWORD '…'.", exitCode: .notFound)
        }
        guard !isSuperuser, !isOwner else {
            throw DatabaseFailure(
                message: "the role '\(name)' \(isSuperuser ? "is a superuser" : "owns the tables"), which no rights can bind",
                advice: "Create a role for the servers that is neither a superuser nor a member of the owner.", exitCode: .invalid)
        }
        try await connection.transaction(until: .after(.seconds(60))) { connection in
            try await connection.run(PostgresQuery(Self.choose, name, isPrepared: false), until: .after(.seconds(30)))
            try await connection.run(PostgresQuery(Self.grant, isPrepared: false), until: .after(.seconds(30)))
        }
    }
}
