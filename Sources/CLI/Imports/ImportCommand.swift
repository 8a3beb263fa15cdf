internal import API
internal import Arguments
internal import CatalogImport
import Host

/// `vitrine item import`: imports a catalog file over a server.
struct ImportCommand {
    let console: Console

    private static let chunk = Option(
        "chunk", .integer(in: 1...10_000), default: 5_000, "How many items are written at once, in a transaction of their own.")
    /// The timeout of requests for the result of an interrupted import.
    private static let finalTimeout = Duration.seconds(3)
    private static let maxRejects = Option(
        "max-rejects", .integer(in: 0...10_000), default: 100, "With how many rejects the import goes on; one more ends it.")

    var command: Command {
        Command(
            "import", "Brings the catalog to what a file says.",
            discussion: """
                The file is JSON Lines or CSV: see docs/import.md. Records are matched by kind and source; what is as the file says already \
                is not written again, so an import that was interrupted is run again. A record that cannot be imported is a reject, \
                with its line and the reason, and nothing of it is written; then the exit code is 5. What was written is in lists and \
                searches a while after, which the import waits for. A server imports one file at a time; it reads it as it is sent, and \
                ends where that does. It takes an hour for one, and two minutes where nothing may be written meanwhile: with --atomic and \
                --dry-run. Where none runs yet, vitrine db load does the same in the database itself.
                """,
            examples: [
                Example("vitrine item import catalog.jsonl", "Imports a file."),
                Example("vitrine item import --dry-run --rejects bad.jsonl catalog.csv", "Says what it would do, and what is wrong."),
                Example("vitrine item import --from apt", "Imports the packages that this machine knows."),
                Example("curl -s https://example.org/items | vitrine item import -", "Imports what another program writes."),
            ],
            operands: [ImportCommandOptions.file],
            options: [
                ImportCommandOptions.format, ImportCommandOptions.dryRun, ImportCommandOptions.atomic, Self.chunk,
                ImportCommandOptions.prune, ImportCommandOptions.maxWithdrawn,
                ImportCommandOptions.leaveListing, Self.maxRejects, ImportCommandOptions.rejects, ListFormat.option,
            ] + RemoteSession.options
        ) { invocation in
            if invocation[ImportCommandOptions.file] == "-", RemoteSession.takesInput(invocation) {
                throw invocation.usageError("Standard input is the file or the token; write one of them to a file.")
            }
            return switch try ImportCommandOptions.open(invocation, chunk: Self.chunk, maxRejects: Self.maxRejects, console) {
            case .success(let words): try run(words, invocation)
            case .failure(let unopened): unopened.exitCode
            }
        }
    }

    private func run(_ words: ImportCommandOptions, _ invocation: Invocation) throws -> ExitCode {
        let session = RemoteSession(console: console)
        let progress = ImportProgress(console: console, size: words.source.size)
        defer { progress.clear() }
        let newest = Locked<Int?>(nil)
        let outcome: ImportRecord
        do {
            outcome = try session.run(invocation) { server in
                let before = try await server.newestImport()
                newest.withLock { $0 = before }
                let pieces = try PrefetchReader { [source = words.source] in
                    let read = source.reader()
                    return {
                        let bytes = try read()
                        return bytes.isEmpty ? nil : Array(bytes)
                    }
                }
                let sent = Locked(0)
                return try await server.importFile(words) {
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
            if (error as? RemoteError)?.leavesOpen ?? true { reportRejects(words, invocation, session, after: newest.withLock { $0 }) }
            throw error
        }
        progress.clear()
        words.rejects.expect(outcome.counts.rejected)
        let isWhole = take(rejects: outcome, words, session, invocation)
        let exitCode = try outcome.failureOfFile.map { words.conclude($0) } ?? words.conclude(outcome.counts, outcome.pruneSkipped)
        return isWhole ? exitCode : .interrupted
    }

    /// Writes the rejects of an import. Returns false if the user interrupts it; the result of the import is printed in
    /// any case.
    private func take(rejects outcome: ImportRecord, _ words: ImportCommandOptions, _ session: RemoteSession, _ invocation: Invocation)
        -> Bool
    {
        guard outcome.counts.rejected > 0 else { return true }
        do {
            try words.rejects.write(try session.run(invocation) { try await $0.rejects(of: outcome) })
        } catch is RemoteSession.Interruption {
            return false
        } catch {
            let failure = error as? RemoteError
            console.printError("what was rejected could not be told: \(failure?.message ?? "\(error)")", advice: failure?.advice ?? "")
        }
        return true
    }

    /// Prints what the server has written of an incomplete upload, once it has ended the import.
    private func reportRejects(_ words: ImportCommandOptions, _ invocation: Invocation, _ session: RemoteSession, after before: Int?) {
        guard let before, !words.options.isDryRun else { return }
        do {
            let kept = try session.run(invocation) { server in
                var server = server
                server.timeout = Self.finalTimeout
                return try await server.kept(after: before)
            }
            switch kept {
            case .counts(let counts): words.reportRejects(counts)
            case .severalImports:
                console.printStatus("The server has begun several imports; what each has kept is under /admin/v1/imports.\n")
            case .nothing: break
            }
        } catch is RemoteSession.Interruption {
        } catch {
            // The error that ended the import is printed, and not that the server is unreachable.
            console.printStatus("What was written before stays; how much that is, the server tells under /admin/v1/imports.\n")
        }
    }
}
