internal import Arguments
internal import CatalogImport
import Host
internal import JSON
internal import Values

/// The options of an import, over a server or directly into the database.
struct ImportCommandOptions: Sendable {
    static let file = Argument(optional: "FILE", .file, "The catalog; - is standard input.")
    static let format = Option(
        "from", .choice(of: FileFormat.self).named("FORMAT"),
        "What the file is, instead of what its name and its beginning say; apt without a file asks apt-cache.")
    static let dryRun = Option(flag: "dry-run", "Says what would be done, and does nothing.")
    static let atomic = Option(flag: "atomic", "Does all or nothing, instead of chunk by chunk.")
    static let prune = Option(
        flag: "prune", "Withdraws the items, of the kinds of the file, that the file does not have; not where there are rejects.")
    static let maxWithdrawn = Option(
        "max-withdrawn", .integer(in: 0...100), default: 20,
        "How many of a hundred items --prune may withdraw; if more are missing, it withdraws none.")
    static let leaveListing = Option(
        flag: "leave-listing",
        "Leaves it to a server to put what was imported into lists and searches, instead of waiting until it is there.")
    static let rejects = Option(
        "rejects", .file, "Takes each reject as a line of JSON; what was in it is gone. Not the file that is imported.")

    let source: ImportSource
    let options: ImportOptions
    let chunkSize: Int
    let rejects: RejectWriter
    let leavesListing: Bool
    private let format: ListFormat
    private let console: Console

    /// Opens the source and empties the file of rejects. If that fails, prints the error and returns the exit code.
    static func open(
        _ invocation: Invocation, chunk: Option<Int>, maxRejects: Option<Int>, _ console: Console
    ) throws -> Result<ImportCommandOptions, Unopened> {
        Signal.holdStopping()
        do {
            let source = try ImportSource.open(invocation[file], invocation[format], invocation)
            return .success(try ImportCommandOptions(source, invocation, chunk, maxRejects, console))
        } catch let error as HostError {
            console.printError("\(error)", advice: error.operation == "start" ? "Is apt installed?" : "")
            return .failure(Unopened(exitCode: error.code == .notFound ? .notFound : .failed))
        }
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
        leavesListing = invocation[Self.leaveListing]
        format = invocation[ListFormat.option]
        if invocation[Self.rejects] == "-" { throw invocation.usageError("--rejects takes a file; standard output has the counts.") }
        do {
            rejects = try RejectWriter(invocation[Self.rejects], besides: source, console: console)
        } catch let same as RejectsFileConflict {
            throw invocation.usageError("--rejects \(same.path.printable(limit: 80)) is the file that is imported.")
        }
    }

    // MARK: Output

    func conclude(_ counts: ImportCounts, _ pruneSkipped: ImportReport.PruneSkipped?) throws -> ExitCode {
        rejects.summarize()
        if options.isDryRun { console.printStatus("Nothing was changed: this was a dry run.\n") }
        switch format {
        case .table, .wide: try console.print((options.isDryRun ? "would be: " : "") + counts.words + "\n")
        case .json: try console.printJSON(counts)
        case .yaml: try console.print(YAMLText(of: counts.json()).text)
        case let format: try StandardStream.output.write(counts.page.text(as: format, width: nil))
        }
        switch pruneSkipped {
        case nil: break
        case .rejects:
            console.printStatus("What the file does not have was not withdrawn, as a record that was rejected may be of any item.\n")
        case .tooMany(let missing, let activeCount):
            console.printError(
                "the file does not have \(missing) of the \(activeCount) items of its kinds, and nothing was withdrawn",
                advice: "If the file is whole, allow it with --max-withdrawn.")
            return .conflict
        }
        return counts.rejected > 0 ? .invalid : .ok
    }

    /// Prints the reason that an import ended early, and what it has written.
    func conclude(_ failure: ImportFailure) -> ExitCode {
        rejects.summarize()
        let counts = failure.kept
        let kept = counts.new + counts.changed == 0 ? "Nothing was written." : "What was written before stays: \(counts.words)."
        switch failure {
        case .tooManyRejects:
            console.printError(
                "more than \(options.maxRejects) records were rejected",
                advice: "\(kept)\nMend the file, or allow more with --max-rejects.")
        case .tooManyConstraintFailures:
            console.printError(
                "the database refused too many records that are right in themselves",
                advice: "\(kept)\nMend the file, and run it again.")
        case .tooManyRecords:
            console.printError(
                "the file has more records than an import takes", advice: "\(kept)\nSplit it into several files.")
        case .unreadableFile:
            console.printError("nothing of the file could be read", advice: "\(kept)\nMend its beginning, and run it again.")
        }
        return .invalid
    }

    /// Prints the counts after an error that does not mention them.
    func reportRejects(_ counts: ImportCounts?) {
        guard let counts, !options.isDryRun else { return }
        console.printStatus("What was written before stays: \(counts.words). The same import again goes on from there.\n")
    }
}

extension ImportCounts {
    /// One row of counts. Its name is all of them in a sentence.
    var page: ListPage<ImportCounts> {
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
