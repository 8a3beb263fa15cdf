internal import Access
internal import Arguments
import Host
internal import JSON
internal import Values

/// `vitrine audit`: the log of admin changes.
struct AuditCommands {
    let console: Console

    private static let feed = Option("feed", .text.named("FEED").completed(by: RemoteCompletions.feeds), "Only changes of this feed.")
    private static let actor = Option("actor", .text.named("NAME"), "Only what was done with a token of this name.")
    private static let since = Option("since", .text.named("TIME"), "Only from a moment on, as 2026-03-01T09:30:00Z.")
    private static let limit = Option("limit", .integer(in: 1...100_000), default: 50, "How many at most.")

    var command: Command {
        Command(
            "audit", "Tells what was done to the shop, and by whom.",
            examples: [Example("vitrine audit ls --feed today", "Lists the last changes of a feed.")], subcommands: [list])
    }

    private var list: Command {
        Command(
            "ls", "Lists changes, the newest first.",
            discussion: "What a change was, before and after, is in -o json, jsonl and yaml. A time is \(TimeArgument.forms).",
            examples: [
                Example("vitrine audit ls", "Lists the last fifty changes."),
                Example("vitrine audit ls --feed today --actor anna", "Lists what somebody did to a feed."),
                Example("vitrine audit ls --since 2026-03-01T00:00:00Z -o jsonl", "Prints all of each change since a moment."),
            ],
            options: [Self.feed, Self.actor, Self.since, FeedOptions.timeZone, Self.limit, ListFormat.option] + RemoteSession.options
        ) { invocation in
            let limit = invocation[Self.limit]
            let filter = [
                (name: "feed", value: invocation[Self.feed]), (name: "actor", value: invocation[Self.actor]),
                (name: "since", value: try TimeArgumentParser(invocation, console).time(Self.since)?.description),
            ]
            let entries = try RemoteSession(console: console).run(invocation) { server in
                var entries: [RemoteValue<AuditEntry>] = []
                var cursor: String?
                repeat {
                    let size = "\(min(200, limit - entries.count))"
                    let query = filter + [(name: "limit", value: size), (name: "cursor", value: cursor)]
                    let page = try await server.page("audit", "entries", query, of: AuditEntry.self)
                    entries += page.elements
                    cursor = page.next
                } while cursor != nil && entries.count < limit
                return entries
            }
            try ListPage(elements: entries, columns: RemoteValue<AuditEntry>.columns) { "\($0.number)" }.print(
                as: invocation[ListFormat.option])
            return .ok
        }
    }
}

extension RemoteValue<AuditEntry> {
    fileprivate static var columns: [ListPage<Self>.Column] {
        [
            .init(title: "NUMBER", isWide: true) { "\($0.number)" }, .init(title: "AT") { $0.at.toTheSecond },
            .init(title: "ACTOR") { $0.actor.printable(limit: 500) },
            .init(title: "TOKEN", isWide: true) { $0.token?.description ?? "" },
            .init(title: "ACTION") { $0.action.printable(limit: 500) },
            .init(title: "REQUEST", isWide: true) { $0.request?.printable(limit: 500) ?? "" },
            .init(title: "SUBJECT") { $0.subject.printable(limit: 500) },
        ]
    }
}
