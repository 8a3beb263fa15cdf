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
            "feed", "Manage feeds",
            examples: [
                Example("vitrine feed ls", "List the feeds and their live revisions."),
                Example("vitrine feed show today", "Show the live and scheduled revisions and the sections of the draft."),
                Example("vitrine feed create spring --title en=Spring", "Create a feed without sections."),
            ],
            subcommands: [list, show, create, edit, archive, restore])
    }

    // MARK: Reading

    private var list: Command {
        Command(
            "ls", "List feeds",
            discussion: """
                UNTIL is the time until which the live revision stays live. If storefronts have different times, the earliest time is \
                shown, with a mark (…). To show all times with their storefronts, run vitrine status.
                """,
            examples: [
                Example("vitrine feed ls", "List the feeds with their live revisions and drafts."),
                Example("vitrine feed ls --at +7d", "List the feeds with the revisions that will be live in a week."),
                Example("vitrine feed ls -o name", "Print the keys of the feeds."),
                Example("vitrine feed ls -o json", "Print all fields as JSON."),
            ],
            options: [FeedOptions.at, FeedOptions.timeZone, ListFormat.option] + RemoteSession.options
        ) { invocation in
            let time = try TimeArgumentParser(invocation, console).time(FeedOptions.at)
            let feeds = try RemoteSession(console: console).run(invocation) { server in
                try await server.page("feeds", "feeds", [(name: "at", value: time?.description)], of: FeedSummary.self).elements
            }
            try ListPage(elements: feeds, columns: RemoteValue<FeedSummary>.columns, name: \.key).print(as: invocation[ListFormat.option])
            return .ok
        }
    }

    private var show: Command {
        Command(
            "show", "Show a feed and the sections of its draft",
            discussion:
                "With -o json or -o yaml, the command prints the whole feed and the document of its draft. All other formats print one row per section.",
            examples: [
                Example("vitrine feed show today", "Show a feed."),
                Example("vitrine feed show today -o yaml", "Print the whole feed as YAML."),
                Example("vitrine feed show today --line night-market", "Show the sections of a takeover's draft."),
            ],
            arguments: [FeedOptions.feed],
            options: [FeedOptions.at, FeedOptions.timeZone, FeedOptions.line, ListFormat.option] + RemoteSession.options
        ) { invocation in
            let feed = try FeedOptions.path(invocation)
            let line = invocation[FeedOptions.line]
            let time = try TimeArgumentParser(invocation, console).time(FeedOptions.at)
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
        repeating: "title", .text.named("LOCALE=TEXT"), "The title in a locale, such as en=Today.")
    private static let file = Option(
        "file", short: "f", .file, "The document as JSON, or - for standard input. Default: a document without sections.")

    private var create: Command {
        Command(
            "create", "Create a feed, or another line of a feed",
            discussion:
                "Saves the first draft of the line. Clients see it after it is published. The command fails if the line has a draft already.",
            examples: [
                Example("vitrine feed create spring --title en=Spring --title de=Frühling", "Create a feed without sections."),
                Example("vitrine feed create spring -f spring.json", "Create a feed from a file."),
                Example(
                    "vitrine export games | vitrine feed create games --line party -f -", "Start a takeover line with a copy of the feed."),
            ],
            arguments: [FeedOptions.feed],
            options: [Self.titles, Self.file, FeedOptions.line, Console.dryRun, OutputFormat.option] + RemoteSession.options
        ) { invocation in
            let feed = try FeedOptions.path(invocation)
            let line = invocation[FeedOptions.line]
            let isDry = invocation[Console.dryRun]
            let document = try document(of: feed, invocation)
            let body = try document.json()
            let response = try RemoteSession(console: console).run(invocation) { server in
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
            let draft: RemoteDraft = try response.value()
            if invocation[OutputFormat.option] == .json {
                try console.printJSON(DraftEditResult(of: feed, line, from: nil, to: document, revision: draft.revision, draft))
            } else {
                try console.print(
                    isDry
                        ? "Would save the first draft of '\(feed)' on the line '\(line)'.\n"
                        : "Saved revision \(draft.revision ?? 1) of '\(feed)'.\n")
            }
            console.printStatus(FindingsText(draft.findings).text)
            console.printStatus(
                isDry
                    ? Console.noChanges
                    : """
                    hint: add a section with '\(console.program) section add \(feed) SECTION\(FeedOptions.flags(invocation))'
                    hint: publish it with '\(FeedOptions.publishing(invocation, console))'

                    """)
            return .ok
        }
    }

    private static func taken(_ feed: String, _ line: String) -> RemoteError {
        RemoteError(
            message: "feed '\(feed)' has a draft on the line '\(line)' already",
            advice: "show the feed with 'vitrine feed show \(feed)', or choose another key", exitCode: .conflict)
    }

    private func document(of feed: String, _ invocation: Invocation) throws -> JSONValue {
        let titles = try SectionOptions.texts(invocation[Self.titles], "title", invocation)
        var document: JSONValue
        if let path = invocation[Self.file] {
            document = try JSONArgument.file(path)
        } else {
            guard !titles.isEmpty else { throw invocation.usageError("missing title: expected '--title LOCALE=TEXT' or '--file FILE'") }
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
            "edit", "Edit a draft in a text editor",
            discussion: """
                The editor is the command in VISUAL or EDITOR. If the document is invalid, the editor opens again, with the issues in \
                lines that start with //! above the invalid values. If you then close the editor without a change, the command ends and \
                prints the path of the file with your text. If another user saves while you edit, both changes are merged: sections by \
                key, and pins by item or card. Conflicts are marked in the text.
                """,
            examples: [
                Example("vitrine feed edit today", "Edit the draft of a feed."),
                Example("vitrine feed edit today --line night-market", "Edit the draft of a takeover."),
                Example("vitrine feed edit today --dry-run", "Show the changes without saving them."),
            ],
            arguments: [FeedOptions.feed], options: DraftEditor.options
        ) { invocation in
            try EditorSession(console: console, part: .whole, invocation).run()
        }
    }
}

extension RemoteValue<FeedSummary> {
    static var columns: [ListPage<Self>.Column] {
        [
            .init(title: "FEED") { $0.key },
            .init(title: "LIVE") { feed in feed.archivedAt == nil ? feed.live.words { "\($0.revision)" } : "archived" },
            .init(title: "LAYER") { feed in feed.live.words { $0.layer.rawValue } },
            .init(title: "DRAFT") { $0.draft.map { "\($0)" } ?? "" },
            .init(title: "UNTIL", whole: { $0.live.ends }) { $0.live.end },
            .init(title: "ARCHIVED", isWide: true) { $0.archivedAt?.toTheSecond ?? "" },
        ]
    }
}

extension [LiveRevision] {
    /// Returns a value of each live revision, once if all have the same.
    func words(_ value: (LiveRevision) -> String?) -> String {
        var words: [String] = []
        for word in compactMap(value) where !words.contains(word) { words.append(word) }
        return words.joined(separator: " ")
    }

    /// The first end of the live revisions, with a mark if they have different ends.
    var end: String {
        guard let first = compactMap(\.until).min() else { return "" }
        return first.toTheSecond + (allSatisfy { $0.until == first } ? "" : " …")
    }

    /// The ends of the live revisions, and a word for those without an end; empty if none has an end.
    var ends: String {
        let ends = Set(compactMap(\.until)).sorted().map(\.toTheSecond)
        return (ends.isEmpty || allSatisfy { $0.until != nil } ? ends : ends + ["open-ended"]).joined(separator: " ")
    }
}
