package import Postgres
internal import Settings

/// The database of a suite or a test on the server of the tests.
package struct ScratchDatabase: Sendable {
    /// The initial contents of a database.
    package enum Template: String, Sendable {
        /// The schema of the product without rows.
        case migrated = "template_migrated"
        /// The same schema with the Swedish collation by default: ä after z, and lowercase letters next to uppercase ones.
        case swedish = "template_swedish"
        case empty = "template0"
    }

    /// The error for a suite or test without the `.database` trait.
    package struct NotAssigned: Error {}

    package let url: DatabaseURL
    package let name: String
    /// The path of the server's socket.
    package let socket: String

    /// The configuration of a session with the database.
    package var configuration: PostgresConfiguration { .patient(url) }

    @TaskLocal static var assigned: ScratchDatabase?

    /// The database that the suite or the test has by its trait.
    package static var current: ScratchDatabase {
        get throws {
            guard let assigned else { throw NotAssigned() }
            return assigned
        }
    }

    /// Runs a body with a new database, which is dropped afterwards, even if clients are connected.
    package static func run<Result>(
        _ template: Template = .migrated, _ body: (ScratchDatabase) async throws -> Result
    ) async throws -> Result {
        let server = try await SharedServer.current
        let name = try await server.create(from: template)
        do {
            let result = try await body(ScratchDatabase(url: try server.url(of: name), name: name, socket: server.socket))
            try await server.drop(name)
            return result
        } catch {
            await server.dropOrReport(name)
            throw error
        }
    }
}
