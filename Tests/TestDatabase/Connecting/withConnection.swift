import EventLoop
package import Postgres

/// Runs a body with a connection to the database of the suite or the test, on a separate event loop.
package func withConnection(
    configuring configure: (inout PostgresConfiguration) -> Void = { _ in },
    _ body: @escaping @Sendable (PostgresConnection) async throws -> Void
) async throws {
    var configuration = try ScratchDatabase.current.configuration
    configure(&configuration)
    try await withConnection(configuration, body)
}

package func withConnection(
    _ configuration: PostgresConfiguration, _ body: @escaping @Sendable (PostgresConnection) async throws -> Void
) async throws {
    try await withLoop { loop in
        let connection = try await PostgresConnection.connect(configuration, on: loop, until: .soon)
        do {
            try await body(connection)
        } catch {
            connection.close()
            throw error
        }
        connection.close()
    }
}
