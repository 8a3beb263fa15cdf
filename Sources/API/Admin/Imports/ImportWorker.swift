package import CatalogImport
package import EventLoop
internal import HTTP
internal import HTTPMessages
internal import Host
package import Postgres

/// The imports of curators, one at a time on each server. A file is read on a thread and written on an event loop that
/// have no other work.
package final class ImportWorker: Sendable {
    struct Order: Sendable {
        let upload: Upload
        let file: ImportRun.Order
        /// Whether the items are indexed before the response is sent.
        let waitsForIndexing: Bool
    }

    private struct Job: Sendable {
        let order: Order
        /// A stream that ends when the client cancels its request.
        let asking: AsyncStream<Never>
        let ended: AsyncStream<Result<ImportRecord, any Error>>.Continuation
    }

    /// The pause between two searches for imports whose server died.
    private static let sweepPause = Duration.seconds(60)

    private let work: @Sendable (Order, EventLoop) async throws -> ImportRecord
    private let sweep: @Sendable (EventLoop) async throws -> Void
    private let jobs: AsyncStream<Job>
    private let begin: AsyncStream<Job>.Continuation
    private let isBusy = Locked(false)
    private let failed: @Sendable (any Error) -> Void

    /// Creates a worker. `work` imports a file, and `sweep` ends imports whose server died. `failed` receives the
    /// errors that no client sees.
    init(
        work: @escaping @Sendable (Order, EventLoop) async throws -> ImportRecord,
        sweep: @escaping @Sendable (EventLoop) async throws -> Void, failed: @escaping @Sendable (any Error) -> Void
    ) {
        self.work = work
        self.sweep = sweep
        self.failed = failed
        (jobs, begin) = AsyncStream.makeStream(of: Job.self, bufferingPolicy: .bufferingOldest(1))
    }

    /// Runs requested imports until the task is canceled. The task must prefer the loop, which then must not serve
    /// anything else.
    package func run(on loop: EventLoop) async {
        await withTaskGroup { group in
            group.addTask(executorPreference: loop) { await self.sweepAgainAndAgain(on: loop) }
            for await job in jobs {
                let result = await perform(job, on: loop)
                isBusy.withLock { $0 = false }
                job.ended.yield(result)
                job.ended.finish()
            }
            begin.finish()
            group.cancelAll()
        }
    }

    /// Returns when the import has ended, whether it succeeded or failed. The calling task must prefer the loop. If the
    /// task is canceled, so is the import: only its end is still written.
    func run(_ order: Order, on loop: EventLoop) async throws -> ImportRecord {
        let isFree = isBusy.withLock { isBusy in
            defer { isBusy = true }
            return !isBusy
        }
        guard isFree else { throw Problem.importInProgress }
        let (ending, ended) = AsyncStream.makeStream(of: Result<ImportRecord, any Error>.self, bufferingPolicy: .bufferingOldest(1))
        let (asking, abandon) = AsyncStream.makeStream(of: Never.self)
        guard case .enqueued = begin.yield(Job(order: order, asking: asking, ended: ended)) else {
            isBusy.withLock { $0 = false }
            throw Problem.stopping
        }
        // The worker ends the import that it has started, and the caller waits for that.
        let end = Task(executorPreference: loop) { () -> Result<ImportRecord, any Error>? in
            for await result in ending { return result }
            return nil
        }
        let result = await withTaskCancellationHandler {
            await end.value
        } onCancel: {
            abandon.finish()
        }
        guard let result else { throw Problem.stopping }
        return try result.get()
    }

    private func perform(_ job: Job, on loop: EventLoop) async -> Result<ImportRecord, any Error> {
        await withTaskGroup(of: Result<ImportRecord, any Error>?.self) { group in
            group.addTask(executorPreference: loop) {
                do { return .success(try await self.work(job.order, loop)) } catch { return .failure(error) }
            }
            group.addTask(executorPreference: loop) {
                for await _ in job.asking {}
                return nil
            }
            for await result in group {
                group.cancelAll()
                if let result { return result }
            }
            // Not reached: the import always has a result.
            return .failure(CancellationError())
        }
    }

    /// Ends imports whose server died, at regular intervals. The server may be this one.
    private func sweepAgainAndAgain(on loop: EventLoop) async {
        while !Task.isCancelled {
            do {
                try await sweep(loop)
            } catch {
                if !Task.isCancelled { failed(error) }
            }
            do throws(EventLoopError) {
                try await loop.sleep(until: .after(Self.sweepPause), named: "imports: end interrupted imports")
            } catch { return }
        }
    }
}

extension Problem {
    fileprivate static var importInProgress: Problem {
        Problem(
            .conflict, code: "importInProgress", detail: "The server is running another import. Try again after that import ends.",
            see: "/admin/v1/imports")
    }

    fileprivate static var stopping: Problem { Problem(.unavailable, detail: "The server is shutting down. Try again later.") }
}

extension ImportWorker {
    /// Creates a worker that imports into a database. `waiting` receives the number of unpublished changes before each
    /// pause of an import, with the length of the pause, and `failed` the errors that no client sees.
    package convenience init(
        _ configuration: PostgresConfiguration, limits: FileLimits = FileLimits(),
        waiting: @escaping @Sendable (_ changes: Int, _ pause: Duration) -> Void = { _, _ in },
        failed: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        let session = ImportSession(configuration, limits, waiting)
        self.init(
            work: { order, loop in try await session.work(order, on: loop, failed: failed) },
            sweep: { loop in try await session.sweep(on: loop) },
            failed: failed)
    }
}

private struct ImportSession: Sendable {
    private let configuration: PostgresConfiguration
    private let limits: FileLimits
    private let waiting: @Sendable (_ changes: Int, _ pause: Duration) -> Void

    init(
        _ configuration: PostgresConfiguration, _ limits: FileLimits,
        _ waiting: @escaping @Sendable (_ changes: Int, _ pause: Duration) -> Void
    ) {
        self.limits = limits
        self.waiting = waiting
        var configuration = configuration
        configuration.applicationName = "vitrine import"
        configuration.statementTimeout = .seconds(600)
        configuration.lockTimeout = .seconds(600)
        configuration.idleInTransactionTimeout = .seconds(600)
        self.configuration = configuration
    }

    func work(_ order: ImportWorker.Order, on loop: EventLoop, failed: @Sendable (any Error) -> Void) async throws -> ImportRecord {
        // Ends any wait for the upload.
        defer { order.upload.fail(RequestError(.badRequest, "the import no longer reads the body")) }
        let connection = try await connect(on: loop)
        defer { connection.close() }
        try await InterruptedImportReaper.run(connection, until: .after(.seconds(5)))
        var described = order.file
        described.limits = limits
        let file = ImportRun(described, connection) { try await self.connect(on: loop) }
        let outcome = try await file.run {
            { try order.upload.receive()[...] }
        } endingFor: { error in
            (order.upload.failure ?? error as? RequestError).map(\.importFailure)
        } notify: { [waiting] event in
            if case .waiting(let changes, let pause) = event { waiting(changes, pause) }
        }
        // A database failure belongs in the log of the server.
        if let cause = outcome.cause as? PostgresError, outcome.record.failure == "internalServerError" { throw cause }
        if let failure = outcome.findingsFailure { failed(failure) }
        if order.waitsForIndexing, outcome.cause == nil, !outcome.record.isDryRun {
            // Items that are not indexed now are indexed later by any server.
            do { try await file.list() } catch { failed(error) }
        }
        return outcome.record
    }

    func sweep(on loop: EventLoop) async throws {
        let connection = try await connect(on: loop)
        defer { connection.close() }
        try await InterruptedImportReaper.run(connection, until: .after(.seconds(30)))
    }

    private func connect(on loop: EventLoop) async throws -> PostgresConnection {
        try await PostgresConnection.connect(configuration, on: loop, until: .after(.seconds(5)))
    }
}

extension RequestError {
    fileprivate var importFailure: String {
        switch status {
        case .requestTimeout: "uploadTimeout"
        case .contentTooLarge: "fileTooLarge"
        case .unauthorized: "tokenRevoked"
        case .unavailable: "canceled"
        default: "truncatedUpload"
        }
    }
}
