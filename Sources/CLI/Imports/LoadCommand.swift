internal import API
internal import Arguments
internal import CatalogImport
internal import EventLoop
import Host
internal import Postgres
internal import Settings

/// `vitrine db load`: imports a catalog file directly into the database.
struct LoadCommand {
    let console: Console

    private static let chunk = Option(
        "chunk-size", .integer(in: 1...100_000), default: 1_000, "The maximum number of new or changed records per transaction.")
    private static let maxRejects = Option(
        "max-rejects", .integer(in: 0...), default: 100, "The maximum number of rejects. One more reject ends the import.")

    var command: Command {
        Command(
            "load", "Import a catalog file without a server",
            discussion: """
                Imports a file like vitrine item import, directly into the database. It needs no server and no token, and fills an empty \
                catalog several times as fast as vitrine item import. In the audit log, the actor is the database user. If the command is \
                interrupted, a server or the next import updates lists and search.
                """,
            examples: [
                Example("vitrine db load catalog.jsonl", "Import a file."),
                Example("vitrine db load --format apt", "Import the packages that apt knows on this machine."),
                Example("vitrine item generate --count 1000000 | vitrine db load --no-wait -", "Import a million items."),
            ],
            arguments: [ImportCommandOptions.file],
            options: [
                ImportCommandOptions.format, ImportCommandOptions.dryRun, ImportCommandOptions.atomic, Self.chunk,
                ImportCommandOptions.prune, ImportCommandOptions.maxWithdrawn,
                ImportCommandOptions.agreement, ImportCommandOptions.noWait, Self.maxRejects, ImportCommandOptions.rejects,
                ListFormat.option,
            ],
            groups: [Settings.databaseGroup]
        ) { invocation in
            switch try ImportCommandOptions.open(invocation, chunk: Self.chunk, maxRejects: Self.maxRejects, console) {
            case .success(let options): try run(options, invocation)
            case .failure(let unopened): unopened.exitCode
            }
        }
    }

    private func run(_ options: ImportCommandOptions, _ invocation: Invocation) throws -> ExitCode {
        let progress = ImportProgress(console: console, size: options.source.size)
        let session = try session(invocation)
        let stored = Locked<ImportCounts?>(nil)
        defer { progress.clear() }
        let record: ImportRecord
        do {
            record = try session.run { [configuration = session.configuration] connection in
                try await Self.load(options, connection, progress, stored) {
                    try await PostgresConnection.connect(configuration, on: connection.loop, until: .after(.seconds(5)))
                }
            }
        } catch let failure as ImportFailure {
            progress.clear()
            return options.conclude(failure)
        } catch {
            progress.clear()
            options.rejects.summarize()
            options.reportRejects(stored.withLock { $0 })
            throw error
        }
        // An output that fails must not print the rejects again.
        progress.clear()
        return try options.conclude(record.counts, record.pruneSkipped)
    }

    private static func load(
        _ options: ImportCommandOptions, _ connection: PostgresConnection, _ progress: ImportProgress, _ stored: Locked<ImportCounts?>,
        reconnect: @escaping @Sendable () async throws -> PostgresConnection
    ) async throws -> ImportRecord {
        try await InterruptedImportReaper.run(connection, until: .after(.seconds(30)))
        var order = ImportRun.Order()
        order.format = options.source.format
        order.options = options.options
        order.chunkSize = options.chunkSize
        order.isLongFile = options.source.size.map { $0 >= FileChunker.bytesOfLongFile } ?? false
        let file = ImportRun(order, connection, reconnect: reconnect)
        let outcome = try await file.run { [source = options.source] in
            source.reader()
        } endingFor: { error in
            error is ImportSource.CutShort ? "truncatedUpload" : nil
        } notify: { event in
            switch event {
            case .written(let counts, let chunk, let rejected):
                try options.rejects.write(rejected)
                progress.report(counts, bytesRead: chunk.bytesRead)
            case .phase(let phase): progress.report(phase)
            case .waiting(let changes, _): progress.report(waiting: changes)
            case .kept(let counts): stored.withLock { $0 = counts }
            }
        }
        let counts = outcome.record.counts
        if outcome.cause == nil || outcome.cause is ImportFailure, !options.skipsIndexingWait, !options.options.isDryRun {
            try await file.list { progress.report(listed: $0, of: counts.new + counts.changed + counts.withdrawn) }
        }
        if !outcome.record.findings.isEmpty {
            progress.clear()
            options.report(outcome.record.findings)
        }
        if let failure = outcome.findingsFailure {
            progress.clear()
            options.report(findingsFailure: failure)
        }
        switch outcome.cause {
        case nil: return outcome.record
        case is CancellationError: throw PostgresError(.cancelled, "the import was interrupted")
        case let cause?: throw cause
        }
    }

    /// Returns a session with long timeouts, which waits for other imports.
    private func session(_ invocation: Invocation) throws -> DatabaseSession {
        let loaded = try LoadedSettings(invocation, console: console)
        var session = DatabaseSession(try loaded.databaseURL(console), loaded.settings, as: invocation.commandPath)
        session.interrupts = Signal.stopping
        session.configuration.statementTimeout = .seconds(86_400)
        session.configuration.lockTimeout = .seconds(3_600)
        session.configuration.idleInTransactionTimeout = .seconds(3_600)
        session.configuration.cancelGrace = .seconds(10)
        return session
    }
}
