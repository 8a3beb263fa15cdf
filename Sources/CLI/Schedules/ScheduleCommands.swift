internal import Arguments
internal import Feeds
internal import HTTPMessages
import Host
internal import Items
internal import JSON
internal import Values

/// `vitrine schedule`: the publications of feeds over time.
struct ScheduleCommands {
    let console: Console

    private static let feed = Argument(
        optional: "FEED", .text.completed(by: RemoteCompletions.feeds), "The feed key. Default: all feeds.")
    private static let storefronts = Option(
        "storefronts", .text.named("KEYS").completed(by: RemoteCompletions.storefrontList),
        "Cancel the publication in these storefronts only, separated by commas. Default: all of its storefronts.")
    private static let id = Argument(
        "ID", .integer(in: 1...).completed(by: RemoteCompletions.publications), "The ID of the publication.")
    private static let start = Option("from", .text.named("TIME"), "The start of the period. Default: now.")
    private static let days = Option("days", .integer(in: 1...3_650), default: 7, "The length of the period in days.")

    var command: Command {
        Command(
            "schedule", "Show and cancel publications",
            examples: [
                Example("vitrine schedule ls", "Show the publications of all feeds for a week."),
                Example("vitrine schedule cancel today 6", "Cancel a publication."),
            ],
            subcommands: [list, cancel])
    }

    private var list: Command {
        Command(
            "ls", "Show a timeline of publications",
            discussion: """
                A bar is a publication with its revision, such as r7. The bar is thin while a takeover hides the publication. ▼ marks the \
                current time. The zone of the times above the bars is to their left, or on a line of its own above them. Storefronts with \
                the same periods share a row.

                All formats except table print a list of publications instead. In this list, a time can be a wall-clock time, which is a \
                time on the clock of each storefront. The formats with columns (wide and csv) mark it as local time, and other times have \
                an offset. In JSON and YAML, a time without an offset is a wall-clock time.
                """,
            examples: [
                Example("vitrine schedule ls", "Show all feeds for a week."),
                Example("vitrine schedule ls today --days 1 --tz Europe/Stockholm", "Show one feed for a day, in a time zone."),
                Example("vitrine schedule ls -o csv", "List the publications as CSV."),
            ],
            arguments: [Self.feed],
            options: [Self.start, Self.days, FeedOptions.inputAndOutputTimeZone, ListFormat.option] + RemoteSession.options
        ) { invocation in
            let times = try TimeArgumentParser(invocation, console)
            let start = try times.time(Self.start) ?? times.now
            let end = start.advanced(by: .seconds(invocation[Self.days] * 86_400))
            let feed = invocation[Self.feed] == nil ? nil : try invocation.feedKey(optional: Self.feed)
            let (found, storefronts) = try RemoteSession(console: console).run(invocation) { server in
                var publications: [(feed: String, publications: [Publication])] = []
                let keys = if let feed { [feed] } else { try await server.feedKeys() }
                for key in keys {
                    publications.append((key.text, try await server.publications(of: key, since: start)))
                }
                return (publications, try await server.storefronts().map(\.key))
            }
            guard invocation[ListFormat.option] != .table else {
                let line = ScheduleTimeline(
                    found.flatMap { ScheduleTimeline.Row.all(of: $0.feed, $0.publications, in: storefronts) },
                    window: start..<max(end, start.advanced(by: .seconds(60))), now: times.now, zone: times.zone,
                    width: StandardStream.output.width ?? 100, isColored: console.isColored(.output))
                try console.print(line.text)
                return .ok
            }
            let publications = found.flatMap { $0.publications.filter { ($0.start ?? .latest) < end } }
            try ListPage(elements: publications, columns: Publication.columns(in: times.zone)) { "\($0.id)" }.print(
                as: invocation[ListFormat.option])
            return .ok
        }
    }

    private var cancel: Command {
        Command(
            "cancel", "Cancel a publication",
            discussion: """
                A scheduled publication is removed. A live takeover ends immediately, and the base is live again. If the live base is \
                canceled, the feed has no page until the next publication. A publication that has ended cannot be canceled.
                """,
            examples: [
                Example(
                    "vitrine schedule cancel today 6 --storefronts sa --dry-run", "Show what a cancellation in one storefront would change."
                ),
                Example("vitrine schedule cancel today 6 --yes", "Cancel a publication without a confirmation."),
            ],
            arguments: [FeedOptions.feed, Self.id],
            options: [Self.storefronts, FeedOptions.outputTimeZone, Console.dryRun, Console.agreement, OutputFormat.option]
                + RemoteSession.options
        ) { invocation in try cancel(invocation) }
    }

    private func cancel(_ invocation: Invocation) throws -> ExitCode {
        let feed = try invocation.feedKey()
        let id = invocation[Self.id]
        let storefronts = try invocation.keys(Self.storefronts)
        let times = try TimeArgumentParser(invocation, console)
        let session = RemoteSession(console: console)
        let flags = RemoteSession.flags(invocation)
        let (publication, tag, present) = try session.run(invocation) { server in
            let state = try await server.state("feeds/\(feed)/publications/\(id)")
            return (
                state.document.flatMap { $0.decodeLeniently(Publication.self) }, try state.condition,
                try await server.publications(of: feed)
            )
        }
        guard let publication else {
            throw RemoteError(
                message: "cannot read the publication of the server", advice: "use the version of vitrine that the server runs",
                exitCode: .failed)
        }
        // The list has only publications that have not ended everywhere by the server's clock.
        guard present.contains(where: { $0.id == id }) else {
            throw RemoteError(
                message: "publication \(id) of '\(feed)' has ended",
                advice: "list the live and scheduled publications with '\(console.program) schedule ls \(feed)\(flags)'",
                exitCode: .conflict)
        }
        let isTable = invocation[OutputFormat.option] == .table
        let effect = CancellationSummary(of: publication, in: storefronts, among: present, now: times.now)
        guard !invocation[Console.dryRun] else {
            if isTable {
                try console.print(effect.text(in: times.zone, width: StandardStream.output.width))
            } else {
                try console.printJSON(publication)
            }
            console.printStatus(Console.noChanges)
            return .ok
        }
        if isTable || console.needsConfirmation(invocation) {
            console.printStatus(effect.text(in: times.zone, width: StandardStream.errors.width))
        }
        let places = storefronts.map { " in \($0.joined(separator: ", "))" } ?? ""
        guard try console.confirm("Cancel publication \(id) of '\(feed)'\(places)?", invocation) else { return .failed }
        let response = try session.run(invocation) { server in
            let query = [(name: "storefronts", value: storefronts?.joined(separator: ","))]
            return try await server.send(.delete, "feeds/\(feed)/publications/\(id)", query, .state(tag))
        }
        if isTable {
            try console.print("Canceled publication \(id) of '\(feed)'\(places).\n")
        } else {
            try console.printJSON(response.document.flatMap { $0.decodeLeniently(Publication.self) })
        }
        console.printStatus("hint: list the remaining publications with '\(console.program) schedule ls \(feed)\(flags)'\n")
        return .ok
    }
}

struct CancellationSummary {
    let publication: Publication
    /// The storefronts in which it is canceled, with the same effect in each group.
    private let groups: [(storefronts: [String], effect: String)]
    private let isEverywhere: Bool

    init(of publication: Publication, in storefronts: [String]?, among publications: [Publication], now: Timestamp) {
        self.publication = publication
        isEverywhere = storefronts == nil
        var groups: [(storefronts: [String], effect: String)] = []
        for span in publication.spans where storefronts?.contains(span.storefront) ?? true && span.until ?? .latest > now {
            let effect = Self.effect(of: publication.layer, span, in: Schedule(publications, in: span.storefront), now)
            if let index = groups.firstIndex(where: { $0.effect == effect }) {
                groups[index].storefronts.append(span.storefront)
            } else {
                groups.append(([span.storefront], effect))
            }
        }
        self.groups = groups
    }

    func text(in zone: TimeZone, width: Int? = nil) -> String {
        let layer = publication.layer == .base ? "on the base" : "as a takeover"
        let end = publication.until.map { " until \($0.reported(in: zone))" } ?? ", open-ended"
        let places = publication.storefronts.map { " in \($0.joined(separator: ", "))" } ?? ""
        let what =
            "Publication \(publication.id) shows revision \(publication.revision) \(layer)\(places), from \(publication.from.reported(in: zone))\(end)"
        let writer = DiffText(width: width, isColored: false)
        let isOne = isEverywhere && groups.count == 1
        return writer.note("\(what).", margin: 0)
            + groups.map { group in
                writer.note("\(isOne ? "" : "In \(group.storefronts.joined(separator: ", ")): ")\(group.effect)", margin: 0)
            }.joined()
    }

    private static func effect(
        of layer: Publication.Layer, _ span: Publication.Span, in schedule: Schedule, _ now: Timestamp
    ) -> String {
        let base = schedule.entry(on: .base, at: max(now, span.from))
        switch (layer, span.from <= now) {
        case (.takeover, true):
            let then = base.map { "revision \($0.revision) of the base becomes live again" } ?? "the feed has no live revision"
            return "It is live. Canceling ends it immediately, and \(then)."
        case (.takeover, false):
            return "It has not started. Canceling removes it\(base.map { ", and revision \($0.revision) stays live" } ?? "")."
        case (.base, true):
            return "It is live. Canceling ends it immediately, and the feed has no live revision until the next publication."
        case (.base, false):
            // The base before it lasts longer, unless it ends before this one starts.
            let before = schedule.entries.last { $0.layer == .base && $0.until == span.from }
            return "It has not started. Canceling removes it\(before.map { ", and revision \($0.revision) stays live" } ?? "")."
        }
    }
}

extension Publication {
    /// Returns the columns of a list, in which each time has its offset or is marked as local.
    static func columns(in zone: TimeZone) -> [ListPage<Publication>.Column] {
        [
            .init(title: "FEED") { $0.feed }, .init(title: "ID") { "\($0.id)" }, .init(title: "LAYER") { $0.layer.rawValue },
            .init(title: "REVISION") { "\($0.revision)" },
            .init(title: "STOREFRONTS") { $0.storefronts?.joined(separator: " ") ?? "all" },
            .init(title: "FROM") { $0.from.text(in: zone) }, .init(title: "UNTIL") { $0.until?.text(in: zone) ?? "" },
            .init(title: "STARTS", isWide: true) { $0.start?.reported(in: zone) ?? "" },
            .init(title: "ENDS", isWide: true) { $0.end?.reported(in: zone) ?? "" },
        ]
    }
}

extension PlannedTime {
    /// Returns an instant with the offset of a zone, and a wall clock as `2026-12-24 18:00 local time`.
    fileprivate func text(in zone: TimeZone) -> String {
        switch self {
        case .instant(let instant): instant.reported(in: zone)
        case .wallClock: brief
        }
    }
}
