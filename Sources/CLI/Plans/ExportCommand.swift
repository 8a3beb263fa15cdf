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
        "The feed keys, such as today. Default: all feeds that are not archived.")
    private static let folder = Option(
        "directory", short: "d", .directory, "The folder for the files. Unchanged files are not written.")
    private static let format = Option(
        "output", short: "o", .choice(of: Format.self).named("FORMAT"), default: .jsonc,
        "The format of the output without --directory: jsonc for the file of one feed, or json for several feeds or lines.")
    private static let force = Option(
        flag: "force", "Overwrite files even if they cannot be read or have changes that the server does not have.")
    private static let line = Option(
        "line", .text.named("LINE").completed(by: RemoteCompletions.lines),
        "Only the drafts of this line, such as main. Default: all lines.")

    let console: Console

    var command: Command {
        Command(
            "export", "Write feeds to files",
            discussion: """
                Writes the draft of the line main to FEED.jsonc, and the drafts of other lines to FEED@LINE.jsonc. The files are JSON with \
                comments, and the comments of unchanged parts of a file stay. If a file cannot be read or has changes that the server \
                lacks, the command overwrites it only with --force. Publications are not exported.
                """,
            examples: [
                Example("vitrine export -d shop", "Write all feeds to a folder."),
                Example("vitrine export today", "Print the file of a feed."),
                Example("vitrine export -o json", "Print all feeds as input of vitrine apply -f -."),
            ],
            arguments: [Self.feeds], options: [Self.folder, Self.force, Self.format, Self.line] + RemoteSession.options
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
                "cannot print \(printed.count) documents as one file: expected one feed, '--directory DIR' or '-o json'")
        }
        guard file.line == .main else {
            throw invocation.usageError(
                "cannot print the line '\(file.line)', because the file does not name it: expected '--directory DIR' or '-o json'")
        }
        return file
    }

    private func report(_ export: FolderExporter, _ folder: String, isAll: Bool) throws {
        for page in export.pages where !page.isSame { try console.print("Wrote \(page.path.printable(limit: 300)).\n") }
        let same = export.pages.count { $0.isSame }
        if same > 0 { console.printStatus("\(same == 1 ? "1 file is" : "\(same) files are") unchanged.\n") }
        guard isAll else { return }
        let known = Set(export.pages.map(\.file.location))
        for location in try FeedFolder.places(in: folder) where !known.contains(location) {
            console.printStatus(
                "warning: the server has no feed for \(Path.join(folder, location.name).printable(limit: 300)); delete the file, or apply it\n"
            )
        }
    }

    /// Returns the files of all lines, or of one, sorted by feed and line.
    private static func files(of feeds: [FeedKey], on requested: String?, _ server: AdminClient) async throws -> [FeedFile] {
        var files: [FeedFile] = []
        let keys = try await feeds.isEmpty ? server.feedKeys() : feeds
        for feed in keys {
            let lines = try await server.feedState(of: feed).lines.map(\.line)
            for line in lines where requested == nil || line == requested { files.append(try await server.draft(of: feed, on: line).file) }
        }
        guard !files.isEmpty || requested == nil else {
            throw RemoteError(
                message: "no feed has a draft on the line '\(requested?.printable(limit: 64) ?? "")'",
                advice: "list the lines of a feed with 'vitrine feed show FEED'", exitCode: .notFound)
        }
        return files
    }
}
