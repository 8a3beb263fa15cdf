package import Postgres
internal import Settings

/// A database of a suite's or a test's own on the server of the tests.
package struct ScratchDatabase: Sendable {
    /// What it has at the beginning.
    package enum Template: String, Sendable {
        /// The schema of the product and nothing in it.
        case migrated = "template_migrated"
        /// The same, in a database that sorts as Swedish does unless it is told otherwise: ä behind z, and small letters beside large ones.
        case swedish = "template_swedish"
        case empty = "template0"
    }

    /// There is no `.database` trait here.
    package struct NotAssigned: Error {}

    package let url: DatabaseURL
    package let name: String
    /// The path of the socket that leads to it.
    package let socket: String

    /// For a session with it.
    package var configuration: PostgresConfiguration { .patient(url) }

    @TaskLocal static var assigned: ScratchDatabase?

    /// That of the suite or the test, which it has by its trait.
    package static var current: ScratchDatabase {
        get throws {
            guard let assigned else { throw NotAssigned() }
            return assigned
        }
    }

    /// Runs a body with a new database, which is dropped afterwards, whoever is still connected with it.
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
            await server.dropOrTell(name)
            throw error
        }
    }
}
