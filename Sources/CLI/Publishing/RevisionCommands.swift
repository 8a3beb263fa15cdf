internal import Arguments
internal import Feeds
import Host
internal import JSON
internal import Values

/// `vitrine rev`: the revisions of feeds and their differences.
struct RevisionCommands {
    let console: Console

    private static let number = Argument("REV", .integer(in: 1...).completed(by: RemoteCompletions.revisions), "A revision, by its number.")
    private static let before = Argument(
        optional: "A", .integer(in: 1...).named("A").completed(by: RemoteCompletions.revisions),
        "The revision to compare with; what is shown now unless given.")
    private static let after = Argument(
        optional: "B", .integer(in: 1...).named("B").completed(by: RemoteCompletions.revisions),
        "The revision that is compared; the newest of the line unless given.")
    private static let anyLine = Option(
        "line", .text.named("LINE").completed(by: RemoteCompletions.lines), "Only revisions of a line, as main.")
    private static let document = Option(
        "output", short: "o", .choice(of: DocumentFormat.self).named("FORMAT"), default: .yaml, "How the document is written.")
    private static let exitCode = Option(flag: "exit-code", "Exits with 2 where they differ.")

    private enum DocumentFormat: String, CaseIterable, Sendable { case yaml, json }

    var command: Command {
        Command(
            "rev", "Lists, shows and compares revisions of feeds.",
            examples: [
                Example("vitrine rev ls today", "Lists the revisions of a feed."),
                Example("vitrine rev diff today", "Tells how the newest draft differs from what is shown."),
            ],
            subcommands: [list, show, compare])
    }

    private var list: Command {
        Command(
            "ls", "Lists the revisions of a feed, the newest first.",
            examples: [
                Example("vitrine rev ls today", "Lists all of them, with what is shown now."),
                Example("vitrine rev ls today --line night-market -o json", "Lists those of a line for programs."),
                Example("vitrine rev ls today --at +1h", "Says what will be shown in an hour."),
            ],
            operands: [FeedOptions.feed],
            options: [Self.anyLine, FeedOptions.at, FeedOptions.timeZone, ListFormat.option] + RemoteSession.options
        ) { invocation in
            let feed = try invocation.feedKey()
            let line = invocation[Self.anyLine]
            let times = try TimeArgumentParser(invocation, console)
            let at = try times.time(FeedOptions.at)
            let (revisions, schedule) = try RemoteSession(console: console).run(invocation) { server in
                try await (server.revisions(of: feed, on: line), server.schedule(of: feed, since: at).schedule)
            }
            let now = at ?? times.now
            try ListPage(
                elements: revisions.map { RevisionRow(revision: $0, schedule: schedule, now: now) }, columns: RevisionRow.columns
            ) { "\($0.revision.number)" }.print(as: invocation[ListFormat.option])
            return .ok
        }
    }

    private var show: Command {
        Command(
            "show", "Prints the document of a revision.",
            examples: [
                Example("vitrine rev show today 1", "Prints it to be read."),
                Example("vitrine rev show today 1 -o json > today.json", "Prints it to be checked, edited or saved anew."),
            ],
            operands: [FeedOptions.feed, Self.number], options: [Self.document] + RemoteSession.options
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
            "diff", "Tells how one revision of a feed differs from another.",
            discussion: "Without numbers, the newest of the line is compared with what is shown now; that of main with the base.",
            examples: [
                Example("vitrine rev diff today", "Tells what a publication would change."),
                Example("vitrine rev diff today 1 2", "Compares two revisions."),
                Example("vitrine rev diff today --exit-code -o json", "Exits with 2 where the draft is not what is shown."),
            ],
            operands: [FeedOptions.feed, Self.before, Self.after],
            options: [FeedOptions.line, Self.exitCode, OutputFormat.option] + RemoteSession.options
        ) { invocation in
            let feed = try invocation.feedKey()
            let (line, first, second) = (invocation[FeedOptions.line], invocation[Self.before], invocation[Self.after])
            let now = Timestamp(clamping: SystemInfo.wallClock)
            let (before, after) = try RemoteSession(console: console).run(invocation) { server in
                let after =
                    if let second { try await server.revision(second, of: feed) } else { try await server.draft(of: feed, on: line) }
                if let first { return (try await server.revision(first, of: feed), after) }
                let schedule = try await server.schedule(of: feed).schedule
                // The main line is compared with the base layer, even during a takeover.
                let base = line == LineKey.main.text ? schedule.publication(on: .base, at: now) : nil
                guard let shown = base ?? schedule.shown(at: now) else {
                    throw RemoteError(
                        message: "\(feed) shows nothing now",
                        advice: "Name the revision to compare with; vitrine rev ls \(feed) lists them.",
                        exitCode: .notFound)
                }
                return (try await server.revision(shown.revision, of: feed), after)
            }
            let comparison = RevisionComparison(feed: feed, before: before, after: after)
            switch invocation[OutputFormat.option] {
            case .table:
                try console.print(
                    comparison.text(DiffText(width: StandardStream.output.width, isColored: console.isColored(.output))))
                console.printStatus(comparison.note(isNewest: second == nil, isShown: first == nil))
            case .json: try console.printJSON(comparison)
            }
            return invocation[Self.exitCode] && !comparison.difference.isEmpty ? .differs : .ok
        }
    }
}

extension AdminClient {
    /// Returns all revisions, newest first.
    func revisions(of feed: FeedKey, on line: String?) async throws -> [FeedRevision] {
        var revisions: [FeedRevision] = []
        var cursor: String?
        repeat {
            let query: Query = [(name: "line", value: line), (name: "limit", value: "100"), (name: "cursor", value: cursor)]
            let page = try await page("feeds/\(feed)/revisions", "revisions", query, of: FeedRevision.self)
            revisions += page.elements.map(\.content)
            cursor = page.next
        } while cursor != nil
        return revisions
    }
}

struct RevisionRow: Sendable, JSONObjectEncodable {
    let revision: FeedRevision
    let schedule: Schedule
    let now: Timestamp

    static let columns: [ListPage<RevisionRow>.Column] = [
        .init(title: "REVISION") { "\($0.revision.number)" }, .init(title: "LINE") { $0.revision.line },
        .init(title: "SAVED") { "\($0.revision.savedAt.description.prefix(19))Z" },
        .init(title: "HASH", isWide: true) { $0.revision.hash }, .init(title: "SHOWN") { $0.shown },
    ]

    /// The publications of the revision that are live or scheduled.
    private var publications: [Publication] { schedule.publications.filter { $0.revision == revision.number } }

    private var shown: String {
        publications.map { publication in
            let layer = publication.layer == .base ? "" : " as a takeover"
            guard publication.from <= now else { return "from \(publication.from.description.prefix(16))Z\(layer)" }
            return schedule.shown(at: now) == publication ? "now\(layer)" : "now, behind a takeover"
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
    func note(isNewest: Bool, isShown: Bool) -> String {
        guard difference.isEmpty else { return "" }
        guard before.number == after.number else { return "Revision \(after.number) says what revision \(before.number) says.\n" }
        let what = [isNewest ? "the newest of \(after.revision.line.printable())" : nil, isShown ? "what is shown" : nil].compactMap(\.self)
        return what.isEmpty
            ? "That is the same revision twice.\n"
            : "There is nothing to compare: revision \(after.number) is \(what.joined(separator: " and is ")).\n"
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
