internal import Commands
internal import Feeds
import Host
internal import JSON
internal import Spelling

/// `vitrine export`: feeds as files that a person likes to read.
struct ExportCommand {
    private enum Format: String, CaseIterable { case jsonc, json }

    private static let feeds = Operand(
        variadic: "FEED", .text.completed(by: LiveKeys.feeds),
        "The keys of feeds, as today; all that are not archived unless one is named.")
    private static let folder = Option(
        "directory", short: "d", .directory, "The folder that files are written to, each only where it would be another.")
    private static let format = Option(
        "output", short: "o", .choice(of: Format.self).named("FORMAT"), default: .jsonc,
        "What is printed without a folder: jsonc for the file of one feed and line, json for all lines of all in one.")

    let console: Console

    var command: Command {
        Command(
            "export", "Writes feeds as files.",
            discussion: """
                The newest draft of the main line of a feed is in FEED.jsonc, those of other lines are in FEED@LINE.jsonc. They are JSON with comments; \
                those of a file that there is stay where it says the same. What is published when is no part of them: that is the server's.
                """,
            examples: [
                Example("vitrine export -d shop", "Writes all feeds to a folder."),
                Example("vitrine export today", "Prints the file of a feed."),
                Example("vitrine export -o json", "Prints all feeds for another program, or for vitrine apply -f -."),
            ],
            operands: [Self.feeds], options: [Self.folder, Self.format, FeedWords.line] + RemoteSession.options
        ) { invocation in
            let feeds = invocation[Self.feeds]
            guard let files = try RemoteSession(console: console).run(invocation, { try await Self.files(of: feeds, $0) }) else {
                return .interrupted
            }
            if let folder = invocation[Self.folder] {
                try write(files, to: folder, isAll: feeds.isEmpty)
            } else if invocation[Self.format] == .json {
                try console.printJSON(ShopFiles(files))
            } else {
                let printed = files.filter { $0.line.text == invocation[FeedWords.line] }
                guard let file = printed.first, printed.count == 1 else {
                    throw invocation.usageError(
                        "\(printed.count) documents cannot be printed as one file",
                        suggestion: "write them to a folder by -d, or all in one by -o json")
                }
                try StandardStream.output.write(file.text())
            }
            return .ok
        }
    }

    private func write(_ files: [FeedFile], to folder: String, isAll: Bool) throws {
        let done = try FeedFolder.write(files, to: folder)
        for (path, isWritten) in done where isWritten { console.say("Wrote \(path.printable(limit: 300)).\n") }
        let same = done.count { !$0.isWritten }
        if same > 0 { console.say("\(same == 1 ? "1 file is" : "\(same) files are") as before.\n") }
        guard isAll else { return }
        let known = Set(files.map(\.place))
        for place in try FeedFolder.places(in: folder) where !known.contains(place) {
            console.say("\(Path.join(folder, place.name).printable(limit: 300)) is of no feed there; remove it, or apply it.\n")
        }
    }

    /// Those of all lines, by feed and line.
    private static func files(of feeds: [String], _ server: RemoteServer) async throws -> [FeedFile] {
        var keys = feeds
        if keys.isEmpty {
            let list = try await server.get("feeds")["feeds"]
            keys = list?.elements.filter { $0["archivedAt"] == nil }.compactMap { $0["feed"]?.string } ?? []
        }
        var files: [FeedFile] = []
        for key in keys {
            let lines = try await server.get(try RemoteFeed(key).path)["lines"]?.elements.compactMap { $0["line"]?.string } ?? []
            for line in lines { files.append(try await RemoteFeed(key).draft(of: line, server)) }
        }
        return files
    }
}
