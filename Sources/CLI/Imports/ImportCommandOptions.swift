internal import Arguments
internal import CatalogImport
internal import Feeds
import Host
internal import JSON
internal import Values

/// The options of an import, over a server or directly into the database.
struct ImportCommandOptions: Sendable {
    static let file = Argument(optional: "FILE", .file, "The catalog file, or - for standard input.")
    static let format = Option(
        "format", .choice(of: FileFormat.self).named("FORMAT"),
        "The file format. Default: detected from the name and content. With apt and without FILE, the command imports the output of apt-cache dumpavail."
    )
    static let dryRun = Option(flag: "dry-run", "Check the file and count the changes without making them.")
    static let atomic = Option(flag: "atomic", "Import the whole file in one transaction.")
    static let prune = Option(
        flag: "prune", "For each kind in the file, withdraw the items that are not in the file. Skipped if there are rejects.")
    static let maxWithdrawn = Option(
        "max-withdrawn-percent", .integer(in: 0...100), default: 20,
        "The maximum share of items that --prune withdraws. If more items are missing from the file, --prune withdraws none.")
    static let agreement = Option(flag: "yes", short: "y", "Skip the confirmation of --prune.")
    static let noWait = Option(flag: "no-wait", "Return before lists and search have the changes.")
    static let rejects = Option(
        "rejects", .file, "Write the rejects to this file, one line of JSON for each issue. An existing file is overwritten.")

    let source: ImportSource
    let options: ImportOptions
    let chunkSize: Int
    let rejects: RejectWriter
    let skipsIndexingWait: Bool
    private let format: ListFormat
    private let console: Console

    /// Confirms the withdrawal of missing items, opens the source and empties the file of rejects. If one of them fails,
    /// prints the error and returns the exit code.
    static func open(
        _ invocation: Invocation, chunk: Option<Int>, maxRejects: Option<Int>, _ console: Console
    ) throws -> Result<ImportCommandOptions, Unopened> {
        guard try confirmsPruning(invocation, console) else { return .failure(Unopened(exitCode: .failed)) }
        Signal.holdStopping()
        do {
            let source = try ImportSource.open(invocation[file], invocation[format], invocation)
            return .success(try ImportCommandOptions(source, invocation, chunk, maxRejects, console))
        } catch let error as HostError {
            let isProgram = error.operation == "start"
            console.printError(isProgram ? "\(error)" : error.message(), advice: isProgram ? "install apt, or import a file" : "")
            return .failure(Unopened(exitCode: error.code == .notFound ? .notFound : .failed))
        }
    }

    private static func confirmsPruning(_ invocation: Invocation, _ console: Console) throws -> Bool {
        guard invocation[prune], !invocation[dryRun], invocation[file] != nil || invocation[format] == .apt else { return true }
        let source = invocation[file].map { $0 == "-" ? "standard input" : $0.quoted } ?? "the output of apt-cache"
        let share = "at most \(invocation[maxWithdrawn])%"
        return try console.confirm("Import \(source), and withdraw the items that it does not have (\(share))?", invocation)
    }

    struct Unopened: Error {
        let exitCode: ExitCode
    }

    private init(
        _ source: ImportSource, _ invocation: Invocation, _ chunk: Option<Int>, _ maxRejects: Option<Int>, _ console: Console
    ) throws {
        self.source = source
        self.console = console
        var options = ImportOptions()
        options.isDryRun = invocation[Self.dryRun]
        options.isAtomic = invocation[Self.atomic]
        options.prunes = invocation[Self.prune]
        options.maxWithdrawnPercent = invocation[Self.maxWithdrawn]
        options.maxRejects = invocation[maxRejects]
        // The size of a pipe is unknown.
        options.closesEmptyCatalog = (source.size ?? 0) > 0
        self.options = options
        chunkSize = invocation[chunk]
        skipsIndexingWait = invocation[Self.noWait]
        format = invocation[ListFormat.option]
        if invocation[Self.rejects] == "-" { throw invocation.usageError("invalid value '-' for '--rejects': expected a file") }
        do {
            rejects = try RejectWriter(invocation[Self.rejects], besides: source, console: console)
        } catch let same as RejectsFileConflict {
            throw invocation.usageError("invalid value \(same.path.quoted) for '--rejects': expected a file other than FILE")
        }
    }

    // MARK: Output

    func conclude(_ counts: ImportCounts, _ pruneSkipped: ImportReport.PruneSkipped?) throws -> ExitCode {
        rejects.summarize()
        switch format {
        case .table, .wide: try console.print("\(options.isDryRun ? "Would import" : "Imported"): \(counts.text)\n")
        case .json: try console.printJSON(counts)
        case .yaml: try console.print(YAMLText(of: counts.json()).text)
        case let format: try StandardStream.output.write(counts.page.text(as: format, width: nil))
        }
        if options.isDryRun { console.printStatus(Console.noChanges) }
        switch pruneSkipped {
        case nil: break
        case .rejects:
            console.printStatus("warning: no items were withdrawn, because a rejected record may belong to a missing item\n")
        case .tooMany(let missing, let activeCount):
            console.printError(
                "the file does not have \(missing) of the \(activeCount) items of its kinds; no items were withdrawn",
                advice: "if the file is complete, raise --max-withdrawn-percent")
            return .conflict
        }
        return counts.rejected > 0 ? .invalid : .ok
    }

    /// Prints the takeovers without a span in new storefronts.
    func report(_ findings: [ReviewFinding]) { console.printStatus(FindingsText(findings).text) }

    /// Prints that new storefronts were not searched for takeovers without a span.
    func report(findingsFailure error: any Error) {
        let reason = String(describing: error).printable()
        console.printStatus("warning: takeovers without a span in new storefronts are not listed: \(reason)\n")
    }

    /// Prints the reason that an import ended early, and what it has written.
    func conclude(_ failure: ImportFailure) -> ExitCode {
        rejects.summarize()
        let counts = failure.retained
        let stored = counts.new + counts.changed == 0 ? "no changes were made" : "changes before the error are kept: \(counts.text)"
        switch failure {
        case .tooManyRejects:
            console.printError(
                "more records were rejected than --max-rejects allows (\(options.maxRejects)); \(stored)",
                advice: "fix the file, or raise --max-rejects")
        case .tooManyConstraintFailures:
            console.printError(
                "the database rejected too many records; \(stored)", advice: "fix the file and run the import again")
        case .tooManyRecords:
            console.printError(
                "the file has more records than an import accepts; \(stored)", advice: "split it into several files")
        case .unreadableFile:
            console.printError(
                "cannot read the header of the CSV file; \(stored)", advice: "fix the header and run the import again")
        }
        return .invalid
    }

    /// Prints the counts after an error that does not mention them.
    func reportRejects(_ counts: ImportCounts?) {
        guard let counts, !options.isDryRun else { return }
        console.printStatus("Changes before the error are kept: \(counts.text). Run the import again to continue.\n")
    }
}

extension ImportCounts {
    /// One row of counts. Its name is all of them in a sentence.
    var page: ListPage<ImportCounts> {
        let columns: [ListPage<ImportCounts>.Column] = [
            .init(title: "ADDED") { "\($0.new)" }, .init(title: "UPDATED") { "\($0.changed)" },
            .init(title: "UNCHANGED") { "\($0.unchanged)" }, .init(title: "REJECTED") { "\($0.rejected)" },
            .init(title: "WITHDRAWN") { "\($0.withdrawn)" },
        ]
        return ListPage(elements: [self], columns: columns) { $0.text }
    }

    var text: String {
        let parts = ["\(new) added", "\(changed) updated", "\(unchanged) unchanged", "\(rejected) rejected"]
        return (parts + (withdrawn > 0 ? ["\(withdrawn) withdrawn"] : [])).joined(separator: ", ")
    }
}
