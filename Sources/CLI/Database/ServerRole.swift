internal import Arguments
internal import EventLoop
internal import Postgres
internal import SQLFiles

/// The role that servers connect as. It has the rights that a server needs and owns nothing.
struct ServerRole: Sendable {
    let name: String
    private let role, choose, grant: NamedQuery

    init(_ name: String) throws {
        self.name = name
        let library = try QueryLibrary(SQLFiles.queries)
        role = try library.query("roles.role")
        choose = try library.query("roles.choose")
        grant = try library.query("roles.grant")
    }

    /// Grants the rights in a transaction. Rights that the role had before and does not need are revoked.
    func grantRights(_ connection: PostgresConnection) async throws {
        let question = PostgresQuery(role, name, isPrepared: false)
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
            try await connection.run(PostgresQuery(choose, name, isPrepared: false), until: .after(.seconds(30)))
            try await connection.run(PostgresQuery(grant, isPrepared: false), until: .after(.seconds(30)))
        }
    }
}
