package import CatalogImport
package import EventLoop
internal import HTTP
internal import HTTPMessages
internal import Host
package import Postgres

/// Imports of curators, one at a time on each server: read on a thread and written on a loop that serve nobody else, as they come.
package final class ImportWorker: Sendable {
    struct Order: Sendable {
        let upload: Upload
        let file: ImportRun.Order
        /// Whether what was written is to be in lists and searches before the answer.
        let waitsForListing: Bool
    }

    private struct Job: Sendable {
        let order: Order
        /// Ends where whoever asked gives up.
        let asking: AsyncStream<Never>
        let ended: AsyncStream<Result<ImportRecord, any Error>>.Continuation
    }

    /// Between one look for imports whose server died and the next.
    private static let sweepPause = Duration.seconds(60)

    private let work: @Sendable (Order, EventLoop) async throws -> ImportRecord
    private let sweep: @Sendable (EventLoop) async throws -> Void
    private let jobs: AsyncStream<Job>
    private let begin: AsyncStream<Job>.Continuation
    private let isBusy = Locked(false)
    private let failed: @Sendable (any Error) -> Void

    /// `work` imports a file, and `sweep` ends imports whose server died; `failed` hears of what no client is told.
    init(
        work: @escaping @Sendable (Order, EventLoop) async throws -> ImportRecord,
        sweep: @escaping @Sendable (EventLoop) async throws -> Void, failed: @escaping @Sendable (any Error) -> Void
    ) {
        self.work = work
        self.sweep = sweep
        self.failed = failed
        (jobs, begin) = AsyncStream.makeStream(of: Job.self, bufferingPolicy: .bufferingOldest(1))
    }

    /// Works on what is ordered until it is cancelled; for a task that prefers the loop, which then is of no use to anybody else.
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

    /// Returns when an import has ended, however; for a task that prefers the loop. Where its task is cancelled, so is the import: nothing more is written, but for its end.
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
        // The worker ends what it has begun, and whoever asks waits for that.
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
            // Not reached: the work always has a result.
            return .failure(CancellationError())
        }
    }

    /// Looks now and then for imports whose server died, this one perhaps.
    private func sweepAgainAndAgain(on loop: EventLoop) async {
        while !Task.isCancelled {
            do {
                try await sweep(loop)
            } catch {
                if !Task.isCancelled { failed(error) }
            }
            do throws(EventLoopError) { try await loop.sleep(until: .after(Self.sweepPause), named: "imports: sweep") } catch { return }
        }
    }
}

extension Problem {
    fileprivate static var importInProgress: Problem {
        Problem(
            .conflict, code: "importInProgress", detail: "This server is running another import. Wait for its end, then try again.",
            see: "/admin/v1/imports")
    }

    fileprivate static var stopping: Problem { Problem(.unavailable, detail: "The server is shutting down. Try again later.") }
}

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
        defer { order.upload.fail(RequestError(.badRequest, "the import no longer reads the body")) }
        let connection = try await connect(on: loop)
        defer { connection.close() }
        try await InterruptedImportReaper.run(connection, until: .after(.seconds(5)))
        var described = order.file
        described.limits = limits
        let file = ImportRun(described, connection) { try await self.connect(on: loop) }
        let outcome = try await file.run {
            { try order.upload.take()[...] }
        } endingFor: { error in
            (order.upload.failure ?? error as? RequestError).map(\.importFailure)
        }
        // Of a failure of the database the log of the server is to tell.
        if let cause = outcome.cause as? PostgresError, outcome.record.failure == "internalServerError" { throw cause }
        if order.waitsForListing, outcome.cause == nil, !outcome.record.isDryRun {
            // What is not listed now is listed by a server, this one perhaps.
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
