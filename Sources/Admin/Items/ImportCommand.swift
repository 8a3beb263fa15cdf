internal import CatalogImport
internal import Commands
import Host
internal import JSON
internal import Postgres
internal import Settings
internal import Spelling

/// `vitrine item import`: brings the catalog to what a file says.
struct ImportCommand {
    let console: Console

    private static let file = Operand(optional: "FILE", .file, "The catalog; - is standard input.")
    private static let format = Option(
        "from", .choice(of: FileFormat.self).named("FORMAT"),
        "What the file is, instead of what its name and its beginning say; apt without a file asks apt-cache.")
    private static let dryRun = Option(flag: "dry-run", "Says what would be done, and does nothing.")
    private static let atomic = Option(flag: "atomic", "Does all or nothing, instead of chunk by chunk.")
    private static let chunk = Option(
        "chunk", .integer(in: 1...100_000), default: 10_000, "How many items are written at once, in a transaction of their own.")
    private static let prune = Option(
        flag: "prune", "Withdraws the items, of the kinds of the file, that the file does not have; not where there are rejects.")
    private static let maxWithdrawn = Option(
        "max-withdrawn", .integer(in: 0...100), default: 20,
        "How many of a hundred items --prune may withdraw; if more are missing, it withdraws none.")
    private static let leaveListing = Option(
        flag: "leave-listing",
        "Leaves it to a server to put what was imported into lists and searches, instead of waiting until it is there.")
    private static let maxRejects = Option(
        "max-rejects", .integer(in: 0...), default: 100, "With how many rejects the import goes on; one more ends it.")
    private static let rejects = Option(
        "rejects", .file, "Takes each reject as a line of JSON; what was in it is gone. Not the file that is imported.")

    var command: Command {
        Command(
            "import", "Brings the catalog to what a file says.",
            discussion: """
                The file is JSON Lines or CSV: see docs/import.md. Records are matched by kind and source; what is as the file says already \
                is not written again, so an import that was interrupted is run again. A record that cannot be imported is a reject, \
                with its line and the reason, and nothing of it is written; then the exit code is 5. What was written is in lists and \
                searches a while after, which the import waits for; interrupted, a server or the next import goes on with it.
                """,
            examples: [
                Example("vitrine item import catalog.jsonl", "Imports a file."),
                Example("vitrine item import --dry-run --rejects bad.jsonl catalog.csv", "Says what it would do, and what is wrong."),
                Example("vitrine item import --from apt", "Loads the packages that this machine knows."),
                Example("curl -s https://example.org/items | vitrine item import -", "Imports what another program writes."),
            ],
            operands: [Self.file],
            options: [
                Self.format, Self.dryRun, Self.atomic, Self.chunk, Self.prune, Self.maxWithdrawn, Self.leaveListing, Self.maxRejects,
                Self.rejects,
                ListFormat.option,
            ],
            groups: [Settings.flagGroup]
        ) { invocation in
            // Before any thread that could take them instead.
            Signal.hold(Signal.stopping)
            Signal.ignoreBrokenPipes()
            let source: ImportSource
            do {
                source = try ImportSource.open(invocation[Self.file], invocation[Self.format], invocation)
            } catch let error as HostError {
                console.complain("\(error)", advice: error.operation == "start" ? "Is apt installed?" : "")
                return error.code == .notFound ? .notFound : .failed
            }
            return try run(source, invocation)
        }
    }

    private func run(_ source: ImportSource, _ invocation: Invocation) throws -> ExitCode {
        var options = ImportOptions()
        options.isDryRun = invocation[Self.dryRun]
        options.isAtomic = invocation[Self.atomic]
        options.prunes = invocation[Self.prune]
        options.maxWithdrawnPercent = invocation[Self.maxWithdrawn]
        // Nobody knows when a pipe ends.
        options.closesEmptyCatalog = (source.size ?? 0) > 0
        options.maxRejects = invocation[Self.maxRejects]
        let chunkSize = invocation[Self.chunk]
        let leavesListing = invocation[Self.leaveListing]
        let rejects: RejectLog
        if invocation[Self.rejects] == "-" { throw invocation.usageError("--rejects takes a file; standard output has the counts.") }
        do {
            rejects = try RejectLog(invocation[Self.rejects], besides: source, console: console)
        } catch let same as SameFile {
            throw invocation.usageError("--rejects \(same.path.printable(limit: 80)) is the file that is imported.")
        }
        let progress = ImportProgress(console: console, size: source.size)
        let session = try session(invocation)
        let kept = Locked<ImportCounts?>(nil)
        defer { progress.clear() }
        do {
            let report = try session.run { [options] connection in
                try await ImportRun(
                    source: source, chunkSize: chunkSize, options: options, rejects: rejects, progress: progress, kept: kept,
                    leavesListing: leavesListing
                )
                .run(connection)
            }
            progress.clear()
            return try conclude(report, rejects, invocation)
        } catch let failure as ImportFailure {
            let counts = failure.kept
            progress.clear()
            rejects.summarize()
            let kept = counts.new + counts.changed == 0 ? "Nothing was written." : "What was written before stays: \(counts.words)."
            switch failure {
            case .tooManyRejects:
                console.complain(
                    "more than \(options.maxRejects) records were rejected",
                    advice: "\(kept)\nMend the file, or allow more with --max-rejects.")
            case .tooManyRefusals:
                console.complain(
                    "the database refused too many records that are right in themselves",
                    advice: "\(kept)\nMend the file, and run it again.")
            }
            return .invalid
        } catch {
            progress.clear()
            rejects.summarize()
            if let counts = kept.withLock({ $0 }) {
                console.say("What was written before stays: \(counts.words). The same import again goes on from there.\n")
            }
            throw error
        }
    }

    private func conclude(_ report: ImportReport, _ rejects: RejectLog, _ invocation: Invocation) throws -> ExitCode {
        rejects.summarize()
        switch invocation[ListFormat.option] {
        case .table, .wide: try console.print((invocation[Self.dryRun] ? "would be: " : "") + report.counts.words + "\n")
        case .json: try console.printJSON(report.counts)
        case .yaml: try console.print(YAMLText(of: report.counts.json()).text)
        case let format: try StandardStream.output.write(report.counts.page.text(as: format, width: nil))
        }
        switch report.leftMissing {
        case nil: break
        case .rejects:
            console.say("What the file does not have was not withdrawn, as a record that was rejected may be of any item.\n")
        case .tooMany(let missing, let living):
            console.complain(
                "the file does not have \(missing) of the \(living) items of its kinds, and nothing was withdrawn",
                advice: "If the file is whole, allow it with --max-withdrawn.")
            return .conflict
        }
        return report.counts.rejected > 0 ? .invalid : .ok
    }

    /// Its statements take as long as they take, and it waits for whoever imports at the same time.
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

extension ImportCounts {
    /// One row of counts; its name is all of them in words.
    fileprivate var page: ListPage<ImportCounts> {
        let columns: [ListPage<ImportCounts>.Column] = [
            .init(title: "NEW") { "\($0.new)" }, .init(title: "CHANGED") { "\($0.changed)" },
            .init(title: "UNCHANGED") { "\($0.unchanged)" }, .init(title: "REJECTED") { "\($0.rejected)" },
            .init(title: "WITHDRAWN") { "\($0.withdrawn)" },
        ]
        return ListPage(elements: [self], columns: columns) { $0.words }
    }

    var words: String {
        let parts = ["\(new) new", "\(changed) changed", "\(unchanged) unchanged", "\(rejected) rejected"]
        return (parts + (withdrawn > 0 ? ["\(withdrawn) withdrawn"] : [])).joined(separator: ", ")
    }
}
