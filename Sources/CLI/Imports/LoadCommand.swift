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
        "chunk", .integer(in: 1...100_000), default: 10_000, "How many items are written at once, in a transaction of their own.")
    private static let maxRejects = Option(
        "max-rejects", .integer(in: 0...), default: 100, "With how many rejects the import goes on; one more ends it.")

    var command: Command {
        Command(
            "load", "Imports a catalog where no server runs.",
            discussion: """
                Does what vitrine item import does, without a server and a token: for the first load of an empty catalog, which is several times as \
                quick, for packages of apt, and for tests of size. The audit names the user of the database. Interrupted, a server or the next import goes on \
                with what is to be put into lists and searches.
                """,
            examples: [
                Example("vitrine db load catalog.jsonl", "Loads a file."),
                Example("vitrine db load --from apt", "Loads the packages that this machine knows."),
                Example("vitrine item generate --count 1000000 | vitrine db load --leave-listing -", "Loads a million items."),
            ],
            operands: [ImportCommandOptions.file],
            options: [
                ImportCommandOptions.format, ImportCommandOptions.dryRun, ImportCommandOptions.atomic, Self.chunk,
                ImportCommandOptions.prune, ImportCommandOptions.maxWithdrawn,
                ImportCommandOptions.leaveListing, Self.maxRejects, ImportCommandOptions.rejects, ListFormat.option,
            ],
            groups: [Settings.flagGroup]
        ) { invocation in
            switch try ImportCommandOptions.open(invocation, chunk: Self.chunk, maxRejects: Self.maxRejects, console) {
            case .success(let words): try run(words, invocation)
            case .failure(let unopened): unopened.exitCode
            }
        }
    }

    private func run(_ words: ImportCommandOptions, _ invocation: Invocation) throws -> ExitCode {
        let progress = ImportProgress(console: console, size: words.source.size)
        let session = try session(invocation)
        let kept = Locked<ImportCounts?>(nil)
        defer { progress.clear() }
        do {
            let record = try session.run { [configuration = session.configuration] connection in
                try await Self.load(words, connection, progress, kept) {
                    try await PostgresConnection.connect(configuration, on: connection.loop, until: .after(.seconds(5)))
                }
            }
            progress.clear()
            return try words.conclude(record.counts, record.pruneSkipped)
        } catch let failure as ImportFailure {
            progress.clear()
            return words.conclude(failure)
        } catch {
            progress.clear()
            words.rejects.summarize()
            words.reportRejects(kept.withLock { $0 })
            throw error
        }
    }

    private static func load(
        _ words: ImportCommandOptions, _ connection: PostgresConnection, _ progress: ImportProgress, _ kept: Locked<ImportCounts?>,
        reconnect: @escaping @Sendable () async throws -> PostgresConnection
    ) async throws -> ImportRecord {
        try await InterruptedImportReaper.run(connection, until: .after(.seconds(30)))
        var order = ImportRun.Order()
        order.format = words.source.format
        order.options = words.options
        order.chunkSize = words.chunkSize
        let file = ImportRun(order, connection, reconnect: reconnect)
        let outcome = try await file.run { [source = words.source] in
            source.reader()
        } endingFor: { error in
            error is ImportSource.CutShort ? "truncatedUpload" : nil
        } notify: { event in
            switch event {
            case .written(let counts, let chunk, let rejected):
                try words.rejects.write(rejected)
                progress.report(counts, bytesRead: chunk.bytesRead)
            case .phase(let phase): progress.report(phase)
            case .kept(let counts): kept.withLock { $0 = counts }
            }
        }
        let counts = outcome.record.counts
        if outcome.cause == nil || outcome.cause is ImportFailure, !words.leavesListing, !words.options.isDryRun {
            try await file.list { progress.report(listed: $0, of: counts.new + counts.changed + counts.withdrawn) }
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
