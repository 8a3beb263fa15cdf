import Arguments

/// A realistic command tree that the suites of this folder share.
enum Site {
    enum Format: String, CaseIterable {
        case table, wide, json, jsonl, yaml, csv, name
    }

    static let output = Option(
        "output", short: "o", .choice(of: Format.self).named("FORMAT"), default: .table, environment: "VITRINE_OUTPUT",
        "The output format.")
    static let verbose = Option(flag: "verbose", short: "v", environment: "VITRINE_VERBOSE", "Print more to standard error.")

    static let root = Command(
        "vitrine", "Serve and edit an app catalog",
        discussion: "One binary is the server and the admin tool.",
        examples: [
            Example("vitrine dev", "Run everything with sample data."), Example("vitrine feed ls -o json", "List feeds as JSON."),
        ],
        options: [output, verbose],
        subcommands: [feed, section, publish, Database.command, serve, edit, promote]
            + Command.standard(program: "vitrine", version: "1.2.3"))

    static let keys = CompletionHint.live { prefix, line in
        let all = [
            CompletionCandidate("today", "The first tab."), CompletionCandidate("tv:kids", "For children."),
            CompletionCandidate("new games", "A name with a space."),
        ]
        return all + (line[verbose] == true ? [CompletionCandidate("told", "Only when verbose.")] : [])
    }
    static let feedKey = ValueFormat.text.named("FEED").completed(by: keys)

    // MARK: Feeds and sections

    static let all = Option(flag: "all", short: "a", "Include archived feeds.")
    static let limit = Option("limit", short: "n", .integer(in: 1...500), default: 50, "The maximum number of feeds.")
    static let labels = Option(repeating: "label", short: "l", .text.named("KEY=VALUE"), "Only feeds with this label.")
    static let feed = Command(
        "feed", "List and edit feeds",
        subcommands: [
            Command("ls", "List feeds", options: [all, limit, labels]) { _ in .ok },
            Command("archive", "Archive feeds", arguments: [Argument(variadic: "FEED", atLeast: 1, feedKey, "The feeds.")]) { _ in .ok },
        ])

    static let sectionFeed = Argument("FEED", feedKey, "The feed of the section.")
    static let sectionKey = Argument("SECTION", .text, "The section.")
    static let position = Argument(optional: "POSITION", .integer, "The position from 1, or from the end if negative.")
    static let offset = Option("offset", .integer(in: -100...100), "Move by this many positions.")
    static let section = Command(
        "section", "Edit the sections of a feed",
        subcommands: [
            Command("move", "Move a section", arguments: [sectionFeed, sectionKey, position], options: [offset]) { _ in .ok }
        ])

    // MARK: Publishing

    static let feedArgument = Argument("FEED", feedKey, "The feed to publish.")
    static let rev = Option("rev", .integer(in: 1...), "The revision. Default: the newest.")
    static let from = Option("from", .text.named("TIME"), "The start of the publication. Default: now.")
    static let wait = Option(negatable: "wait", default: true, "Wait until every server has published it.")
    static let timeout = Option(
        "timeout", .duration(in: .milliseconds(1)...(.seconds(3600))), default: .seconds(30), environment: "VITRINE_TIMEOUT",
        "The timeout of the wait.")
    static let publish = Command(
        "publish", "Publish a revision of a feed",
        discussion: """
            The revision is composed for every storefront first. If one of them fails, nothing is published.

            A time in the future schedules the publication.
            """,
        examples: [
            Example("vitrine publish today", "Publish the newest revision now."),
            Example("vitrine publish today --rev 12 --from 2027-01-01T00:00:00Z", "Publish revision 12 at the turn of the year."),
        ],
        arguments: [feedArgument], options: [rev, from, wait, timeout]
    ) { _ in .ok }

    static let source = Option(required: "from-shop", .text.named("PROFILE"), environment: "VITRINE_FROM", "The profile of the source.")
    static let feeds = Argument(variadic: "FEED", atLeast: 1, feedKey, "The feeds to promote.")
    static let promote = Command("promote", "Copy feeds between servers", arguments: [feeds], options: [source]) { _ in .ok }

    static let file = Option("file", short: "f", .file, "The layout file.")
    static let directory = Argument(optional: "DIR", .directory, "The folder of drafts.")
    static let edit = Command("edit", "Edit drafts", arguments: [directory], options: [file]) { _ in .ok }

    // MARK: Settings of another module

    static let settings = OptionGroup(
        "Settings",
        [
            OptionDeclaration.deferred(
                "listen", "The address to listen on.", shape: .value(placeholder: "HOST:PORT"), environment: "VITRINE_LISTEN",
                displayedDefault: "127.0.0.1:8080"),
            OptionDeclaration.deferred(
                "log-level", "The minimum level of log records.", shape: .value(placeholder: "LEVEL"), environment: "VITRINE_LOG_LEVEL",
                displayedDefault: "info", choices: ["debug", "info", "error"]),
            OptionDeclaration.deferred(
                "compress", "Compress responses.", shape: .negatableFlag, environment: "VITRINE_COMPRESS", displayedDefault: "--compress"),
            OptionDeclaration.deferred(
                "database-password", "The password of the database role.", shape: .secret, environment: "VITRINE_DATABASE_PASSWORD"),
        ])
    static let serve = Command("serve", "Serve the catalog", groups: [settings]) { _ in .ok }
}
