package import CatalogImport
internal import EventLoop
internal import HTTP
internal import HTTPMessages
package import Postgres

extension ImportWorker {
    /// `failed` hears of what no client is told.
    package convenience init(
        _ configuration: PostgresConfiguration, limits: FileLimits = FileLimits(),
        failed: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        let session = ImportSession(configuration, limits)
        self.init(
            work: { order, loop in try await session.work(order, on: loop, failed: failed) },
            sweep: { loop in try await session.sweep(on: loop) },
            failed: failed)
    }
}

/// How the database is reached for imports.
private struct ImportSession: Sendable {
    private let configuration: PostgresConfiguration
    private let limits: FileLimits

    init(_ configuration: PostgresConfiguration, _ limits: FileLimits) {
        self.limits = limits
        var configuration = configuration
        configuration.applicationName = "vitrine import"
        configuration.statementTimeout = .seconds(600)
        configuration.lockTimeout = .seconds(600)
        configuration.idleInTransactionTimeout = .seconds(600)
        self.configuration = configuration
    }

    func work(_ order: ImportWorker.Order, on loop: EventLoop, failed: @Sendable (any Error) -> Void) async throws -> ImportRecord {
        // Whatever reads it is let go.
        defer { order.upload.fail(RequestError(.badRequest, "nobody takes it any more")) }
        let connection = try await connect(on: loop)
        defer { connection.close() }
        try await InterruptedImportReaper().run(connection, until: .after(.seconds(5)))
        var described = order.file
        described.limits = limits
        let file = ImportRun(described, connection) { try await self.connect(on: loop) }
        let outcome = try await file.run {
            { try order.upload.take()[...] }
        } endingFor: { error in
            (order.upload.failure ?? error as? RequestError).map(\.importFailure)
        }
        // Of a failure of the database the log of the server is to tell.
        if let cause = outcome.cause as? PostgresError, outcome.record.failure == "failed" { throw cause }
        if order.waitsForListing, outcome.cause == nil, !outcome.record.isDryRun {
            // What is not listed now is listed by a server, this one perhaps.
            do { try await file.list() } catch { failed(error) }
        }
        return outcome.record
    }

    func sweep(on loop: EventLoop) async throws {
        let connection = try await connect(on: loop)
        defer { connection.close() }
        try await InterruptedImportReaper().run(connection, until: .after(.seconds(30)))
    }

    private func connect(on loop: EventLoop) async throws -> PostgresConnection {
        try await PostgresConnection.connect(configuration, on: loop, until: .after(.seconds(5)))
    }
}

extension RequestError {
    /// Why an import ended whose file did not come to its end, as its log has it.
    fileprivate var importFailure: String {
        switch status {
        case .requestTimeout: "tooSlow"
        case .contentTooLarge: "tooLarge"
        case .unauthorized: "revoked"
        case .unavailable: "givenUp"
        default: "cutShort"
        }
    }
}
