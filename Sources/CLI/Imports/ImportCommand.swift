internal import API
internal import Arguments
internal import CatalogImport
import Host

/// `vitrine item import`: imports a catalog file over a server.
struct ImportCommand {
    let console: Console

    private static let chunk = Option(
        "chunk-size", .integer(in: 1...10_000), default: 1_000, "The maximum number of new or changed records per transaction.")
    /// The timeout of requests for the result of an interrupted import.
    private static let finalTimeout = Duration.seconds(3)
    private static let maxRejects = Option(
        "max-rejects", .integer(in: 0...10_000), default: 100, "The maximum number of rejects. One more reject ends the import.")

    var command: Command {
        Command(
            "import", "Import a catalog file",
            discussion: """
                The file contains JSON Lines, CSV or the output of apt-cache dumpavail; see docs/import.md. A record is one entry of the \
                file, such as a line of JSON Lines. The kind and the source of a record name its item. The source is the external key of \
                the item. Unchanged items are not written, so an interrupted import can be run again. An invalid record is a reject. The \
                command reports each reject with its line and reason, and imports the other records. If there are rejects, it exits with 5.

                After the last record, the import waits until lists and search have the changes. A server imports one file at a time. The \
                server allows an hour for an import, and two minutes for an import with --atomic or --dry-run. Without a server, use \
                vitrine db load.
                """,
            examples: [
                Example("vitrine item import catalog.jsonl", "Import a file."),
                Example("vitrine item import --dry-run --rejects bad.jsonl catalog.csv", "Check a file and save its rejects."),
                Example("vitrine item import --format apt", "Import the packages that apt knows on this machine."),
                Example("curl -s https://example.org/items | vitrine item import -", "Import the output of another program."),
            ],
            arguments: [ImportCommandOptions.file],
            options: [
                ImportCommandOptions.format, ImportCommandOptions.dryRun, ImportCommandOptions.atomic, Self.chunk,
                ImportCommandOptions.prune, ImportCommandOptions.maxWithdrawn,
                ImportCommandOptions.agreement, ImportCommandOptions.noWait, Self.maxRejects, ImportCommandOptions.rejects,
                ListFormat.option,
            ] + RemoteSession.options
        ) { invocation in
            if invocation[ImportCommandOptions.file] == "-", RemoteSession.takesInput(invocation) {
                throw invocation.usageError("FILE and '--token-file' both read standard input: expected a file for one of them")
            }
            return switch try ImportCommandOptions.open(invocation, chunk: Self.chunk, maxRejects: Self.maxRejects, console) {
            case .success(let options): try run(options, invocation)
            case .failure(let unopened): unopened.exitCode
            }
        }
    }

    private func run(_ options: ImportCommandOptions, _ invocation: Invocation) throws -> ExitCode {
        let session = RemoteSession(console: console)
        let progress = ImportProgress(console: console, size: options.source.size)
        defer { progress.clear() }
        let newest = Locked<Int?>(nil)
        let outcome: ImportRecord
        do {
            outcome = try session.run(invocation) { server in
                let before = try await server.newestImport()
                newest.withLock { $0 = before }
                let pieces = try PrefetchReader { [source = options.source] in
                    let read = source.reader()
                    return {
                        let bytes = try read()
                        return bytes.isEmpty ? nil : Array(bytes)
                    }
                }
                let sent = Locked(0)
                return try await server.importFile(options) {
                    let piece = try await pieces.next()
                    let count = sent.withLock { sent in
                        sent += piece?.count ?? 0
                        return sent
                    }
                    progress.report(sent: count, isWhole: piece == nil)
                    return piece
                }
            }
        } catch {
            progress.clear()
            if (error as? RemoteError)?.leavesOpen ?? true { reportRejects(options, invocation, session, after: newest.withLock { $0 }) }
            throw error
        }
        progress.clear()
        options.rejects.expect(outcome.counts.rejected)
        let isWhole = take(rejects: outcome, options, session, invocation)
        options.report(outcome.findings)
        let exitCode = try outcome.failureOfFile.map { options.conclude($0) } ?? options.conclude(outcome.counts, outcome.pruneSkipped)
        return isWhole ? exitCode : .interrupted
    }

    /// Writes the rejects of an import. Returns false if the user interrupts it; the result of the import is printed in
    /// any case.
    private func take(rejects outcome: ImportRecord, _ options: ImportCommandOptions, _ session: RemoteSession, _ invocation: Invocation)
        -> Bool
    {
        guard outcome.counts.rejected > 0 else { return true }
        do {
            try options.rejects.write(try session.run(invocation) { try await $0.rejects(of: outcome) })
        } catch is RemoteSession.Interruption {
            return false
        } catch {
            let failure = error as? RemoteError
            console.printError("cannot fetch the rejects: \(failure?.message ?? "\(error)")", advice: failure?.advice ?? "")
        }
        return true
    }

    /// Prints what the server has written of an incomplete upload, once it has ended the import.
    private func reportRejects(_ options: ImportCommandOptions, _ invocation: Invocation, _ session: RemoteSession, after before: Int?) {
        guard let before, !options.options.isDryRun else { return }
        do {
            let stored = try session.run(invocation) { server in
                var server = server
                server.timeout = Self.finalTimeout
                return try await server.kept(after: before)
            }
            switch stored {
            case .counts(let counts): options.reportRejects(counts)
            case .severalImports:
                console.printStatus("Several imports have started; GET /admin/v1/imports lists the result of each.\n")
            case .nothing: break
            }
        } catch is RemoteSession.Interruption {
        } catch {
            // The error that ended the import is printed, and not that the server is unreachable.
            console.printStatus("Changes before the interruption are kept; GET /admin/v1/imports lists their number.\n")
        }
    }
}
