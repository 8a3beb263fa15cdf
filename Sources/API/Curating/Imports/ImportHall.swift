internal import CatalogImport
internal import Curating
package import EventLoop
internal import HTTP
internal import HTTPMessages
internal import Host
package import Postgres
internal import Security
internal import Telemetry

/// Imports of curators, one at a time on each server: read on a thread and written on a loop that serve nobody else, as they come.
package final class ImportHall: Sendable {
    struct Order: Sendable {
        let upload: Upload
        var options = ImportOptions()
        let chunkSize: Int
        let curator: Curator
        let request: String
    }

    private struct Job: Sendable {
        let order: Order
        let ended: AsyncStream<Result<ImportRecord, any Error>>.Continuation
    }

    private let library: QueryLibrary
    private let configuration: PostgresConfiguration
    private let jobs: AsyncStream<Job>
    private let begin: AsyncStream<Job>.Continuation
    private let isBusy = Locked(false)

    package init(_ library: QueryLibrary, _ configuration: PostgresConfiguration) {
        self.library = library
        var configuration = configuration
        configuration.applicationName = "vitrine import"
        configuration.statementTimeout = .seconds(600)
        configuration.lockTimeout = .seconds(600)
        configuration.idleInTransactionTimeout = .seconds(600)
        self.configuration = configuration
        (jobs, begin) = AsyncStream.makeStream(of: Job.self, bufferingPolicy: .bufferingOldest(1))
    }

    /// Works on what is ordered until it is cancelled; for a task that prefers the loop, which then is of no use to anybody else.
    package func run(on loop: EventLoop) async {
        for await job in jobs {
            let result: Result<ImportRecord, any Error>
            do { result = .success(try await work(job.order, on: loop)) } catch { result = .failure(error) }
            isBusy.withLock { $0 = false }
            job.ended.yield(result)
            job.ended.finish()
        }
        begin.finish()
    }

    /// Returns when an import has ended, however. Whoever gives up breaks the upload, by which it ends as well.
    func carryOut(_ order: Order) async throws -> ImportRecord {
        let isFree = isBusy.withLock { isBusy in
            defer { isBusy = true }
            return !isBusy
        }
        guard isFree else { throw Problem.importRunning }
        let (ending, ended) = AsyncStream.makeStream(of: Result<ImportRecord, any Error>.self, bufferingPolicy: .bufferingOldest(1))
        guard case .enqueued = begin.yield(Job(order: order, ended: ended)) else {
            isBusy.withLock { $0 = false }
            throw Problem(.unavailable, detail: "The server is about to stop.")
        }
        for await result in ending { return try result.get() }
        throw CancellationError()
    }

    private func work(_ order: Order, on loop: EventLoop) async throws -> ImportRecord {
        let connection = try await PostgresConnection.connect(configuration, on: loop, until: .after(.seconds(5)))
        defer { connection.close() }
        return try await ImportUpload(order, library, connection).run()
    }
}

extension Problem {
    fileprivate static var importRunning: Problem {
        Problem(.conflict, code: "importRunning", detail: "This server is importing something. GET /admin/v1/imports says how far it is.")
    }
}
