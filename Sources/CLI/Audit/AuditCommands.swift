internal import Access
internal import Arguments
import Host
internal import JSON
internal import Values

/// `vitrine audit`: the log of admin changes.
struct AuditCommands {
    let console: Console

    private static let feed = Option("feed", .text.named("FEED").completed(by: RemoteCompletions.feeds), "Only changes of this feed.")
    private static let actor = Option("actor", .text.named("NAME"), "Only changes by the token with this name.")
    private static let since = Option("since", .text.named("TIME"), "Only changes since this time.")
    private static let limit = Option("limit", .integer(in: 1...100_000), default: 50, "The maximum number of changes.")

    var command: Command {
        Command(
            "audit", "Show the audit log",
            examples: [Example("vitrine audit ls --feed today", "List the last changes of a feed.")], subcommands: [list])
    }

    private var list: Command {
        Command(
            "ls", "List changes, newest first",
            discussion: "The formats json, jsonl and yaml include the state before and after each change. A time is \(TimeArgument.forms).",
            examples: [
                Example("vitrine audit ls", "List the last 50 changes."),
                Example("vitrine audit ls --feed today --actor anna", "List the changes of one user to a feed."),
                Example("vitrine audit ls --since -7d -o jsonl", "Print all fields of the changes of the last week."),
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
            .init(title: "NUMBER", isWide: true) { "\($0.number)" }, .init(title: "TIME") { $0.at.toTheSecond },
            .init(title: "ACTOR") { $0.actor.printable(limit: 500) },
            .init(title: "TOKEN", isWide: true) { $0.token?.description ?? "" },
            .init(title: "ACTION") { $0.action.printable(limit: 500) },
            .init(title: "REQUEST", isWide: true) { $0.request?.printable(limit: 500) ?? "" },
            .init(title: "RESOURCE") { $0.subject.printable(limit: 500) },
        ]
    }
}
