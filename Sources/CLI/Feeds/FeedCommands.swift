internal import Arguments
internal import Feeds
internal import HTTPMessages
import Host
internal import JSON
internal import Values

/// `vitrine feed`: the feeds of a server.
struct FeedCommands {
    let console: Console

    var command: Command {
        Command(
            "feed", "Shows, makes and archives feeds.",
            examples: [
                Example("vitrine feed ls", "Lists the feeds and what is live."),
                Example("vitrine feed show today", "Shows what is live, what is planned, and the draft's sections."),
                Example("vitrine feed create spring --title en=Spring", "Makes an empty draft of a new one."),
            ],
            subcommands: [list, show, create, edit, archive, restore])
    }

    // MARK: Reading

    private static let at = Option("at", .text.named("TIME"), "The moment it is told of, as 2026-12-24T18:00:00Z or +2h; now unless given.")

    private var list: Command {
        Command(
            "ls", "Lists the feeds.",
            examples: [
                Example("vitrine feed ls", "Lists them with what is live and what is drafted."),
                Example("vitrine feed ls --at +7d", "Lists them with what will be live in a week."),
                Example("vitrine feed ls -o name", "Prints their keys."), Example("vitrine feed ls -o json", "All of it for programs."),
            ],
            options: [Self.at, FeedOptions.timeZone, ListFormat.option] + RemoteSession.options
        ) { invocation in
            let time = try TimeArgumentParser(invocation, console).time(Self.at)
            let feeds = try RemoteSession(console: console).run(invocation) { server in
                try await server.page("feeds", "feeds", [(name: "at", value: time?.description)], of: FeedSummary.self).elements
            }
            try ListPage(elements: feeds, columns: RemoteValue<FeedSummary>.columns, name: \.key).print(as: invocation[ListFormat.option])
            return .ok
        }
    }

    private var show: Command {
        Command(
            "show", "Shows what is live, what is planned, and the sections of the draft.",
            discussion:
                "With -o json or yaml it prints the whole state of the feed, with the draft's document; the other formats have a row a section.",
            examples: [
                Example("vitrine feed show today", "Shows one."),
                Example("vitrine feed show today -o yaml", "All of it, as it is kept."),
                Example("vitrine feed show today --line night-market", "Shows the sections of a takeover's draft."),
            ],
            operands: [FeedOptions.feed],
            options: [Self.at, FeedOptions.timeZone, FeedOptions.line, ListFormat.option] + RemoteSession.options
        ) { invocation in
            let feed = try FeedOptions.path(invocation)
            let line = invocation[FeedOptions.line]
            let time = try TimeArgumentParser(invocation, console).time(Self.at)
            let overview = try RemoteSession(console: console).run(invocation) { server in
                var overview = try FeedOverview(
                    try await server.get("feeds/\(feed)", [(name: "at", value: time?.description)]), locale: server.profile?.locale)
                if line != "main" {
                    overview.document["draft"] = JSONValue(try await server.get("feeds/\(feed)/draft", [(name: "line", value: line)]))
                }
                return overview
            }
            let format = invocation[ListFormat.option]
            switch format {
            case .json: try console.printJSON(overview.document)
            case .yaml: try console.print(YAMLText(of: overview.document.json()).text)
            default:
                let page = ListPage(elements: overview.sections, columns: SectionRow.columns, name: \.key)
                let heading = [.table, .wide].contains(format) ? "\(overview.heading(width: StandardStream.output.width))\n" : ""
                try StandardStream.output.write(Array(heading.utf8) + page.text(as: format, width: StandardStream.output.width))
            }
            return .ok
        }
    }

    // MARK: Creating

    private static let titles = Option(
        repeating: "title", .text.named("LANG=TEXT"), "Its title in a language, as en=Today; repeat it for others.")
    private static let file = Option(
        "file", short: "f", .file, "Its document as JSON, - for standard input; unless given it has no sections.")

    private var create: Command {
        Command(
            "create", "Makes the first draft of a feed, or of another line.",
            discussion: "Clients see it once it is published. It refuses where there is a draft already.",
            examples: [
                Example("vitrine feed create spring --title en=Spring --title de=Frühling", "Makes one without sections."),
                Example("vitrine feed create spring -f spring.json", "Makes one from a file."),
                Example("vitrine export games | vitrine feed create games --line party -f -", "Begins a takeover with what the feed has."),
            ],
            operands: [FeedOptions.feed],
            options: [Self.titles, Self.file, FeedOptions.line, Console.dryRun, OutputFormat.option] + RemoteSession.options
        ) { invocation in
            let feed = try FeedOptions.path(invocation)
            let line = invocation[FeedOptions.line]
            let isDry = invocation[Console.dryRun]
            let document = try document(of: feed, invocation)
            let body = try document.json()
            let answer = try RemoteSession(console: console).run(invocation) { server in
                do {
                    guard isDry else {
                        return try await server.send(.put, "feeds/\(feed)/draft", [(name: "line", value: line)], .absence, body: body)
                    }
                    guard try await !server.hasDraft(of: feed, on: line) else { throw Self.taken(feed, line) }
                    return try await server.send(.post, "feeds/\(feed):validate", body: body)
                } catch let failure as RemoteError where failure.code == "stale" {
                    throw Self.taken(feed, line)
                }
            }
            let draft: RemoteDraft = try answer.value()
            console.printStatus(FindingsText(draft.findings).text)
            if isDry {
                console.printStatus("It could be made. Nothing was saved.\n")
            } else {
                console.printStatus(
                    """
                    Saved as revision \(draft.revision ?? 1) of \(feed). Add to it: \(console.program) section add \(feed) …\(FeedOptions.flags(invocation))
                    Publish it: \(FeedOptions.publishing(invocation, console))

                    """)
            }
            if invocation[OutputFormat.option] == .json {
                try console.printJSON(DraftEditResult(of: feed, line, from: nil, to: document, revision: draft.revision, draft))
            }
            return .ok
        }
    }

    private static func taken(_ feed: String, _ line: String) -> RemoteError {
        RemoteError(
            message: "there is a draft of \(feed) on the line \(line) already",
            advice: "Look at it by vitrine feed show \(feed), or take another key.", exitCode: .conflict)
    }

    private func document(of feed: String, _ invocation: Invocation) throws -> JSONValue {
        let titles = try SectionOptions.texts(invocation[Self.titles], "title", invocation)
        var document: JSONValue
        if let path = invocation[Self.file] {
            document = try JSONArgument.file(path)
        } else {
            guard !titles.isEmpty else { throw invocation.usageError("a title is missing: --title en=… or a document by --file") }
            document = .object([.init(key: "feed", value: .string(feed)), .init(key: "sections", value: .array([]))])
        }
        for (_, locale, text) in titles {
            var texts = document["title"] ?? .object([])
            texts[locale] = text.isEmpty ? nil : .string(text)
            document["title"] = texts
        }
        return document
    }
}

extension AdminClient {
    fileprivate func hasDraft(of feed: String, on line: String) async throws -> Bool {
        do {
            _ = try await get("feeds/\(feed)/draft", [(name: "line", value: line)])
            return true
        } catch let failure as RemoteError where failure.exitCode == .notFound {
            return false
        }
    }
}

extension FeedCommands {
    /// `vitrine feed edit`.
    var edit: Command {
        Command(
            "edit", "Opens a draft in an editor, and saves it once it is right.",
            discussion: """
                The editor is VISUAL or EDITOR. What is wrong with what was written is told in lines that begin with //! above it, and the editor \
                opens again; leaving them as they are gives up, and says where the text is. What somebody else has saved meanwhile is merged with it: \
                sections by their keys and pins by their slots, and what both changed is marked.
                """,
            examples: [
                Example("vitrine feed edit today", "Opens the draft of a feed."),
                Example("vitrine feed edit today --line night-market", "That of a takeover."),
                Example("vitrine feed edit today --dry-run", "Shows what would be different, and saves nothing."),
            ],
            operands: [FeedOptions.feed], options: DraftEditor.options
        ) { invocation in
            try EditorSession(console: console, part: .whole, invocation).run()
        }
    }
}

extension RemoteValue<FeedSummary> {
    static var columns: [ListPage<Self>.Column] {
        [
            .init(title: "FEED") { $0.key },
            .init(title: "LIVE") { feed in feed.live.map { "\($0)" } ?? (feed.archivedAt == nil ? "" : "archived") },
            .init(title: "LAYER") { $0.layer?.rawValue ?? "" },
            .init(title: "DRAFT") { $0.draft.map { "\($0)" } ?? "" },
            .init(title: "UNTIL") { $0.until?.toTheSecond ?? "" },
            .init(title: "ARCHIVED", isWide: true) { $0.archivedAt?.toTheSecond ?? "" },
        ]
    }
}
