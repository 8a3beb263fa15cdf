internal import Arguments
internal import Feeds
import Host
internal import JSON
internal import Values

/// `vitrine export`: feeds as readable files.
struct ExportCommand {
    private enum Format: String, CaseIterable { case jsonc, json }

    private static let feeds = Argument(
        variadic: "FEED", .text.completed(by: RemoteCompletions.feeds),
        "The keys of feeds, as today; all that are not archived unless one is named.")
    private static let folder = Option(
        "directory", short: "d", .directory, "The folder that files are written to, each only where it would be another.")
    private static let format = Option(
        "output", short: "o", .choice(of: Format.self).named("FORMAT"), default: .jsonc,
        "What is printed without a folder: jsonc for the file of one feed, json for all lines of all in one.")
    private static let force = Option(flag: "force", "Writes over files that have changes which were never saved.")
    private static let line = Option(
        "line", .text.named("LINE").completed(by: RemoteCompletions.lines), "Only the drafts of a line, as main; all of them unless given.")

    let console: Console

    var command: Command {
        Command(
            "export", "Writes feeds as files.",
            discussion: """
                The newest draft of the main line of a feed is in FEED.jsonc, those of other lines are in FEED@LINE.jsonc. They are JSON with comments; \
                those of a file that there is stay where it says the same. A file with changes that were never saved on the server is not written over, \
                nor one that cannot be read, unless --force is given. What is published when is no part of them: that is the server's.
                """,
            examples: [
                Example("vitrine export -d shop", "Writes all feeds to a folder."),
                Example("vitrine export today", "Prints the file of a feed."),
                Example("vitrine export -o json", "Prints all feeds for another program, or for vitrine apply -f -."),
            ],
            operands: [Self.feeds], options: [Self.folder, Self.force, Self.format, Self.line] + RemoteSession.options
        ) { invocation in
            try console.explainingFiles { try run(invocation) }
        }
    }

    private func run(_ invocation: Invocation) throws -> ExitCode {
        let feeds = try invocation[Self.feeds].map { try FeedOptions.key($0, of: "feed", FeedKey.init) }
        let (line, folder, isForced) = (invocation[Self.line], invocation[Self.folder], invocation[Self.force])
        let (files, export) = try RemoteSession(console: console).run(invocation) { server in
            let files = try await Self.files(of: feeds, on: line, server)
            guard let folder else { return (files, FolderExporter?.none) }
            let export = try FolderExporter(files, to: folder)
            if !isForced { try await export.check(against: server) }
            return (files, export)
        }
        if let folder, let export {
            try export.write(to: folder)
            try report(export, folder, isAll: feeds.isEmpty && line == nil)
        } else if invocation[Self.format] == .json {
            try console.printJSON(PlanRequest(files))
        } else {
            try StandardStream.output.write(try printed(files, line, invocation).text())
        }
        return .ok
    }

    /// Returns the only file to print. It must be of the main line, because the text does not name its line.
    private func printed(_ files: [FeedFile], _ line: String?, _ invocation: Invocation) throws -> FeedFile {
        let printed = files.filter { $0.line == .main || line != nil }
        guard let file = printed.first, printed.count == 1 else {
            throw invocation.usageError(
                "\(printed.count) documents cannot be printed as one file",
                suggestion: "write them to a folder by -d, or all in one by -o json")
        }
        guard file.line == .main else {
            throw invocation.usageError(
                "a printed file does not say that it is of the line \(file.line)",
                suggestion: "print it with its line by -o json, or write it to a folder by -d")
        }
        return file
    }

    private func report(_ export: FolderExporter, _ folder: String, isAll: Bool) throws {
        for page in export.pages where !page.isSame { console.printStatus("Wrote \(page.path.printable(limit: 300)).\n") }
        let same = export.pages.count { $0.isSame }
        if same > 0 { console.printStatus("\(same == 1 ? "1 file is" : "\(same) files are") as before.\n") }
        guard isAll else { return }
        let known = Set(export.pages.map(\.file.place))
        for place in try FeedFolder.places(in: folder) where !known.contains(place) {
            console.printStatus("\(Path.join(folder, place.name).printable(limit: 300)) is of no feed there; remove it, or apply it.\n")
        }
    }

    /// Returns the files of all lines, or of one, sorted by feed and line.
    private static func files(of feeds: [FeedKey], on wanted: String?, _ server: AdminClient) async throws -> [FeedFile] {
        var files: [FeedFile] = []
        let keys = try await feeds.isEmpty ? server.feedKeys() : feeds
        for feed in keys {
            let lines = try await server.feedState(of: feed).lines.map(\.line)
            for line in lines where wanted == nil || line == wanted { files.append(try await server.draft(of: feed, on: line).file) }
        }
        guard !files.isEmpty || wanted == nil else {
            throw RemoteError(
                message: "there is no draft on the line \(wanted?.printable(limit: 64) ?? "")",
                advice: "vitrine rev ls FEED lists the lines of a feed.", exitCode: .notFound)
        }
        return files
    }
}
