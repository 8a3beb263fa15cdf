internal import Arguments
internal import Feeds
internal import HTTPMessages
import Host
internal import JSON
internal import Values

/// `vitrine schedule`: the publications of feeds over time.
struct ScheduleCommands {
    let console: Console

    private static let feed = Argument(
        optional: "FEED", .text.completed(by: RemoteCompletions.feeds), "The feed key. Default: all feeds.")
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
                A bar is a publication with its revision. It is thin while a takeover hides it. ▼ marks the current time. The other \
                formats list the publications.
                """,
            examples: [
                Example("vitrine schedule ls", "Show all feeds for a week."),
                Example("vitrine schedule ls today --days 1 --tz Europe/Stockholm", "Show one feed for a day, in a time zone."),
                Example("vitrine schedule ls -o csv", "List the publications as CSV."),
            ],
            arguments: [Self.feed], options: [Self.start, Self.days, FeedOptions.timeZone, ListFormat.option] + RemoteSession.options
        ) { invocation in
            let times = try TimeArgumentParser(invocation, console)
            let start = try times.time(Self.start) ?? times.now
            let end = start.advanced(by: .seconds(invocation[Self.days] * 86_400))
            let feed = invocation[Self.feed] == nil ? nil : try invocation.feedKey(optional: Self.feed)
            let found = try RemoteSession(console: console).run(invocation) { server in
                var schedules: [(feed: String, schedule: Schedule)] = []
                let keys = if let feed { [feed] } else { try await server.feedKeys() }
                for key in keys {
                    schedules.append((key.text, try await server.schedule(of: key, since: start)))
                }
                return schedules
            }
            guard invocation[ListFormat.option] != .table else {
                let line = ScheduleTimeline(
                    found, window: start..<max(end, start.advanced(by: .seconds(60))), now: times.now, zone: times.zone,
                    width: StandardStream.output.width ?? 100, isColored: console.isColored(.output))
                try console.print(line.text)
                return .ok
            }
            let publications = found.flatMap { $0.schedule.publications.filter { $0.from < end } }
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
            examples: [Example("vitrine schedule cancel today 6 --yes", "Cancel a publication without a confirmation.")],
            arguments: [FeedOptions.feed, Self.id],
            options: [FeedOptions.outputTimeZone, Console.dryRun, Console.agreement, OutputFormat.option] + RemoteSession.options
        ) { invocation in try cancel(invocation) }
    }

    private func cancel(_ invocation: Invocation) throws -> ExitCode {
        let feed = try invocation.feedKey()
        let id = invocation[Self.id]
        let times = try TimeArgumentParser(invocation, console)
        let session = RemoteSession(console: console)
        let flags = RemoteSession.flags(invocation)
        let (publication, tag, schedule) = try session.run(invocation) { server in
            let state = try await server.state("feeds/\(feed)/publications/\(id)")
            return (
                state.document.flatMap { $0.decodeLeniently(Publication.self) }, try state.condition,
                try await server.schedule(of: feed)
            )
        }
        guard let publication else {
            throw RemoteError(
                message: "cannot read the publication of the server", advice: "use the version of vitrine that the server runs",
                exitCode: .failed)
        }
        // The schedule has only publications that have not ended by the server's clock.
        guard schedule.publications.contains(where: { $0.id == id }) else {
            throw RemoteError(
                message: "publication \(id) of '\(feed)' has ended",
                advice: "list the live and scheduled publications with '\(console.program) schedule ls \(feed)\(flags)'",
                exitCode: .conflict)
        }
        let isTable = invocation[OutputFormat.option] == .table
        let effect = CancellationSummary(of: publication, in: schedule, now: times.now)
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
        guard try console.confirm("Cancel publication \(id) of '\(feed)'?", invocation) else { return .failed }
        let response = try session.run(invocation) { server in
            try await server.send(.delete, "feeds/\(feed)/publications/\(id)", [], .state(tag))
        }
        if isTable {
            try console.print("Canceled publication \(id) of '\(feed)'.\n")
        } else {
            try console.printJSON(response.document.flatMap { $0.decodeLeniently(Publication.self) })
        }
        console.printStatus("hint: list the remaining publications with '\(console.program) schedule ls \(feed)\(flags)'\n")
        return .ok
    }
}

struct CancellationSummary {
    let publication: Publication
    private let schedule: Schedule
    private let now: Timestamp

    init(of publication: Publication, in schedule: Schedule, now: Timestamp) {
        self.publication = publication
        self.schedule = schedule
        self.now = now
    }

    func text(in zone: TimeZone, width: Int? = nil) -> String {
        let layer = publication.layer == .base ? "on the base" : "as a takeover"
        let end = publication.until.map { " until \($0.clock(in: zone))" } ?? ", open-ended"
        let what =
            "Publication \(publication.id) shows revision \(publication.revision) \(layer), from \(publication.from.clock(in: zone))\(end)"
        let writer = DiffText(width: width, isColored: false)
        return writer.note("\(what) (\(zone.name)).", margin: 0) + writer.note(effect, margin: 0)
    }

    private var effect: String {
        let base = schedule.publication(on: .base, at: max(now, publication.from))
        switch (publication.layer, publication.from <= now) {
        case (.takeover, true):
            let then = base.map { "revision \($0.revision) of the base becomes live again" } ?? "the feed has no live revision"
            return "It is live. Canceling ends it immediately, and \(then)."
        case (.takeover, false):
            return "It has not started. Canceling removes it\(base.map { ", and revision \($0.revision) stays live" } ?? "")."
        case (.base, true):
            return "It is live. Canceling ends it immediately, and the feed has no live revision until the next publication."
        case (.base, false):
            let before = schedule.publications.last { $0.layer == .base && $0.from < publication.from }
            return "It has not started. Canceling removes it\(before.map { ", and revision \($0.revision) stays live" } ?? "")."
        }
    }
}

extension Publication {
    fileprivate static func columns(in zone: TimeZone) -> [ListPage<Publication>.Column] {
        [
            .init(title: "FEED") { $0.feed }, .init(title: "ID") { "\($0.id)" }, .init(title: "LAYER") { $0.layer.rawValue },
            .init(title: "REVISION") { "\($0.revision)" }, .init(title: "FROM") { $0.from.reported(in: zone) },
            .init(title: "UNTIL") { $0.until?.reported(in: zone) ?? "" }, .init(title: "ZONE", isWide: true) { $0.timeZone },
        ]
    }
}
