import Arguments

/// A realistic command tree that the suites of this folder share.
enum Site {
    enum Format: String, CaseIterable {
        case table, wide, json, jsonl, yaml, csv, name
    }

    static let output = Option(
        "output", short: "o", .choice(of: Format.self).named("FORMAT"), default: .table, environment: "VITRINE_OUTPUT",
        "How results are printed.")
    static let verbose = Option(flag: "verbose", short: "v", environment: "VITRINE_VERBOSE", "Tells more on standard error.")

    static let root = Command(
        "vitrine", "Serves and edits an app catalog.",
        discussion: "One binary is the server and the admin tool.",
        examples: [
            Example("vitrine dev", "Runs everything with sample data."), Example("vitrine feed ls -o json", "Lists feeds as JSON."),
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

    static let all = Option(flag: "all", short: "a", "Lists archived feeds too.")
    static let limit = Option("limit", short: "n", .integer(in: 1...500), default: 50, "The most that is listed.")
    static let labels = Option(repeating: "label", short: "l", .text.named("KEY=VALUE"), "Only feeds with this label.")
    static let feed = Command(
        "feed", "Lists and edits feeds.",
        subcommands: [
            Command("ls", "Lists feeds.", options: [all, limit, labels]) { _ in .ok },
            Command("archive", "Archives feeds.", operands: [Argument(variadic: "FEED", atLeast: 1, feedKey, "The feeds.")]) { _ in .ok },
        ])

    static let sectionFeed = Argument("FEED", feedKey, "The feed that it is in.")
    static let sectionKey = Argument("SECTION", .text, "The section.")
    static let position = Argument(optional: "POSITION", .integer, "Counted from 1, or from the end when negative.")
    static let offset = Option("offset", .integer(in: -100...100), "Moves by so many places.")
    static let section = Command(
        "section", "Edits the sections of a feed.",
        subcommands: [
            Command("move", "Moves a section.", operands: [sectionFeed, sectionKey, position], options: [offset]) { _ in .ok }
        ])

    // MARK: Publishing

    static let feedArgument = Argument("FEED", feedKey, "The feed to publish.")
    static let rev = Option("rev", .integer(in: 1...), "The revision; the newest where none is given.")
    static let from = Option("from", .text.named("TIME"), "When it becomes visible; at once where none is given.")
    static let wait = Option(negatable: "wait", default: true, "Returns only when every server shows it.")
    static let timeout = Option(
        "timeout", .duration(in: .milliseconds(1)...(.seconds(3600))), default: .seconds(30), environment: "VITRINE_TIMEOUT",
        "The longest wait.")
    static let publish = Command(
        "publish", "Publishes a revision of a feed.",
        discussion: """
            The revision is composed for every storefront first, and nothing is published where one of them cannot be composed.

            A time in the future makes a schedule instead.
            """,
        examples: [
            Example("vitrine publish today", "Publishes the newest revision now."),
            Example("vitrine publish today --rev 12 --from 2027-01-01T00:00:00Z", "Publishes revision 12 at the turn of the year."),
        ],
        operands: [feedArgument], options: [rev, from, wait, timeout]
    ) { _ in .ok }

    static let source = Option(required: "from-shop", .text.named("PROFILE"), environment: "VITRINE_FROM", "Where the feeds come from.")
    static let feeds = Argument(variadic: "FEED", atLeast: 1, feedKey, "The feeds to promote.")
    static let promote = Command("promote", "Copies feeds between shops.", operands: [feeds], options: [source]) { _ in .ok }

    static let file = Option("file", short: "f", .file, "Reads the layout from here.")
    static let directory = Argument(optional: "DIR", .directory, "Where drafts are kept.")
    static let edit = Command("edit", "Edits drafts.", operands: [directory], options: [file]) { _ in .ok }

    // MARK: Settings of another module

    static let settings = OptionGroup(
        "Settings",
        [
            OptionDeclaration.deferred(
                "listen", "The address to listen on.", shape: .value(placeholder: "HOST:PORT"), environment: "VITRINE_LISTEN",
                shownDefault: "127.0.0.1:8080"),
            OptionDeclaration.deferred(
                "log-level", "How much is logged.", shape: .value(placeholder: "LEVEL"), environment: "VITRINE_LOG_LEVEL",
                shownDefault: "info", choices: ["debug", "info", "error"]),
            OptionDeclaration.deferred(
                "compress", "Compresses answers.", shape: .negatableFlag, environment: "VITRINE_COMPRESS", shownDefault: "--compress"),
            OptionDeclaration.deferred(
                "database-password", "The password of the database role.", shape: .secret, environment: "VITRINE_DATABASE_PASSWORD"),
        ])
    static let serve = Command("serve", "Serves the catalog.", groups: [settings]) { _ in .ok }
}
