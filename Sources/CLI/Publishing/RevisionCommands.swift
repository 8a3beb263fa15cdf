internal import Arguments
internal import Feeds
import Host
internal import JSON
internal import Values

/// `vitrine rev`: the revisions of feeds and their differences.
struct RevisionCommands {
    let console: Console

    private static let number = Argument("REV", .integer(in: 1...).completed(by: RemoteCompletions.revisions), "The revision number.")
    private static let before = Argument(
        optional: "A", .integer(in: 1...).named("A").completed(by: RemoteCompletions.revisions),
        "The revision before the changes. Default: the live revision.")
    private static let after = Argument(
        optional: "B", .integer(in: 1...).named("B").completed(by: RemoteCompletions.revisions),
        "The revision after the changes. Default: the newest revision of the line.")
    private static let anyLine = Option(
        "line", .text.named("LINE").completed(by: RemoteCompletions.lines), "Only revisions of this line, such as main.")
    private static let document = Option(
        "output", short: "o", .choice(of: DocumentFormat.self).named("FORMAT"), default: .yaml, "The format of the document.")
    private static let exitCode = Option(flag: "exit-code", "Exit with 2 if the revisions differ.")

    private enum DocumentFormat: String, CaseIterable, Sendable { case yaml, json }

    var command: Command {
        Command(
            "rev", "List and compare revisions",
            examples: [
                Example("vitrine rev ls today", "List the revisions of a feed."),
                Example("vitrine rev diff today", "Compare the draft with the live revision."),
            ],
            subcommands: [list, show, compare])
    }

    private var list: Command {
        Command(
            "ls", "List the revisions of a feed, newest first",
            examples: [
                Example("vitrine rev ls today", "List all revisions with their publications."),
                Example("vitrine rev ls today --line night-market -o json", "List the revisions of a line as JSON."),
                Example("vitrine rev ls today --at +1h", "List the revisions with their states in an hour."),
            ],
            arguments: [FeedOptions.feed],
            options: [Self.anyLine, FeedOptions.at, FeedOptions.timeZone, ListFormat.option] + RemoteSession.options
        ) { invocation in
            let feed = try invocation.feedKey()
            let line = invocation[Self.anyLine]
            let times = try TimeArgumentParser(invocation, console)
            let at = try times.time(FeedOptions.at)
            let (revisions, publications) = try RemoteSession(console: console).run(invocation) { server in
                try await (server.revisions(of: feed, on: line), server.publications(of: feed, since: at))
            }
            let now = at ?? times.now
            try ListPage(
                elements: revisions.map { RevisionRow(revision: $0, all: publications, now: now) }, columns: RevisionRow.columns
            ) { "\($0.revision.number)" }.print(as: invocation[ListFormat.option])
            return .ok
        }
    }

    private var show: Command {
        Command(
            "show", "Print the document of a revision",
            examples: [
                Example("vitrine rev show today 1", "Print a document as YAML."),
                Example("vitrine rev show today 1 -o json > today.json", "Save a document as a JSON file."),
            ],
            arguments: [FeedOptions.feed, Self.number], options: [Self.document] + RemoteSession.options
        ) { invocation in
            let feed = try invocation.feedKey()
            let number = invocation[Self.number]
            let found = try RemoteSession(console: console).run(invocation) { server in try await server.revision(number, of: feed) }
            switch invocation[Self.document] {
            case .yaml: try console.print(try YAMLText(of: found.document.json()).text)
            case .json: try console.printJSON(found.document)
            }
            return .ok
        }
    }

    private var compare: Command {
        Command(
            "diff", "Compare two revisions of a feed",
            discussion:
                "Without revisions, the command compares the newest revision of the line with the live revision. For the line main, the live revision is the base revision, even during a takeover.",
            examples: [
                Example("vitrine rev diff today", "Compare the newest revision with the live one."),
                Example("vitrine rev diff today 1 2", "Compare two revisions."),
                Example("vitrine rev diff today --exit-code -o json", "Exit with 2 if the draft differs from the live revision."),
            ],
            arguments: [FeedOptions.feed, Self.before, Self.after],
            options: [FeedOptions.line, Self.exitCode, OutputFormat.option] + RemoteSession.options
        ) { invocation in
            let feed = try invocation.feedKey()
            let (line, first, second) = (invocation[FeedOptions.line], invocation[Self.before], invocation[Self.after])
            let now = Timestamp(clamping: SystemInfo.wallClock)
            let (before, after) = try RemoteSession(console: console).run(invocation) { server in
                let after =
                    if let second { try await server.revision(second, of: feed) } else { try await server.draft(of: feed, on: line) }
                if let first { return (try await server.revision(first, of: feed), after) }
                // The main line is compared with the base layer, even during a takeover.
                let live = Schedule.all(of: try await server.publications(of: feed)).sorted { $0.key < $1.key }.compactMap { _, schedule in
                    line == LineKey.main.text ? schedule.entry(on: .base, at: now) ?? schedule.live(at: now) : schedule.live(at: now)
                }
                // Storefronts can differ. The newest publication of them is the one that a curator has made last.
                guard let visible = live.max(by: { $0.id < $1.id }) else {
                    throw RemoteError(
                        message: "feed '\(feed)' has no live revision",
                        advice: "name the revision to compare with; list the revisions with 'vitrine rev ls \(feed)'",
                        exitCode: .notFound)
                }
                return (try await server.revision(visible.revision, of: feed), after)
            }
            let comparison = RevisionComparison(feed: feed, before: before, after: after)
            switch invocation[OutputFormat.option] {
            case .table:
                try console.print(
                    comparison.text(DiffText(width: StandardStream.output.width, isColored: console.isColored(.output))))
                console.printStatus(comparison.note(isNewest: second == nil, isVisible: first == nil))
            case .json: try console.printJSON(comparison)
            }
            return invocation[Self.exitCode] && !comparison.difference.isEmpty ? .differs : .ok
        }
    }
}

extension AdminClient {
    /// Returns all revisions, newest first.
    func revisions(of feed: FeedKey, on line: String?) async throws -> [FeedRevision] {
        try await all("feeds/\(feed)/revisions", "revisions", [(name: "line", value: line)], of: FeedRevision.self)
    }
}

struct RevisionRow: Sendable, JSONObjectEncodable {
    let revision: FeedRevision
    let all: [Publication]
    let now: Timestamp

    static let columns: [ListPage<RevisionRow>.Column] = [
        .init(title: "REVISION") { "\($0.revision.number)" }, .init(title: "LINE") { $0.revision.line },
        .init(title: "SAVED") { $0.revision.savedAt.toTheSecond },
        .init(title: "HASH", isWide: true) { $0.revision.hash }, .init(title: "PUBLISHED") { $0.printed },
    ]

    /// The publications of the revision that are live or scheduled.
    private var publications: [Publication] { all.filter { $0.revision == revision.number } }

    private var printed: String {
        let schedules = Schedule.all(of: all)
        return publications.map { publication in
            let layer = publication.layer == .base ? "" : " as a takeover"
            let places = publication.storefronts.map { " in \($0.joined(separator: " "))" } ?? ""
            guard let start = publication.start, start <= now else {
                return "from \(publication.start.map { "\($0.description.prefix(16))Z" } ?? publication.from.brief)\(layer)\(places)"
            }
            let isVisible = schedules.values.contains { $0.live(at: now)?.id == publication.id }
            return isVisible ? "now\(layer)\(places)" : "now, under a takeover\(places)"
        }.joined(separator: ", ")
    }

    func encodeMembers(to json: inout JSONWriter) {
        revision.encodeMembers(to: &json)
        json.member("publications", publications)
    }
}

struct RevisionComparison: Sendable, JSONObjectEncodable {
    let feed: FeedKey
    let before: LoadedRevision
    let after: LoadedRevision

    var difference: FeedDiff { FeedDiff(from: before.document, to: after.document) }

    /// Returns the note for revisions without differences.
    func note(isNewest: Bool, isVisible: Bool) -> String {
        guard difference.isEmpty else { return "" }
        guard before.number == after.number else { return "No differences.\n" }
        let reasons = [isNewest ? "the newest of line \(after.revision.line.printable())" : nil, isVisible ? "live" : nil].compactMap(
            \.self)
        return reasons.isEmpty
            ? "No differences: both numbers name revision \(after.number).\n"
            : "No differences: revision \(after.number) is \(reasons.joined(separator: " and ")).\n"
    }

    /// Returns the text of the diff; empty if a revision is compared with itself.
    func text(_ writer: DiffText) -> String {
        guard before.number != after.number else { return "" }
        let lines = after.revision.line == before.revision.line ? "" : " (\(after.revision.line))"
        return writer.heading("\(feed): revision \(before.number) → revision \(after.number)\(lines)") + writer.text(difference.lines)
    }

    func encodeMembers(to json: inout JSONWriter) {
        json.member("feed", feed)
        json.member("fromRevision", before.number)
        json.member("toRevision", after.number)
        json.member("diff", difference)
    }
}
