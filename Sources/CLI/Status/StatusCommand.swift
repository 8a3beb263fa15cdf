internal import Arguments
internal import Feeds
internal import HTTP
import Host
internal import JSON
internal import Values

/// `vitrine status`: the live feeds of each storefront, the next scheduled change, findings and warnings.
struct StatusCommand {
    let console: Console

    private static let storefront = Option(
        "storefront", .text.named("KEY").completed(by: RemoteCompletions.storefronts), "Only this storefront. Default: all storefronts.")
    private static let zone = Option(
        "tz", .text.named("ZONE"), "The time zone of the table, such as Europe/Stockholm. Default: UTC.")
    private static let exitCode = Option(flag: "exit-code", "Exit with 2 if there are findings or warnings.")

    var command: Command {
        Command(
            "status", "Show the live feeds, the next change and findings",
            discussion: """
                Each row is a feed and the storefronts that show the same revision of it, on the same layer and until the same time. The \
                layer is base, or takeover while a takeover replaces the page. Findings are problems of published feeds, such as a pinned \
                item that is not available, or a section without enough items. docs/feeds.md lists all findings. Warnings are other \
                conditions that need attention, such as a failed import, or changes that have not reached clients for ten minutes. \
                docs/curating.md lists all warnings. With -o json or -o yaml, the command prints everything for each storefront.
                """,
            examples: [
                Example("vitrine status", "Show all storefronts."),
                Example("vitrine status --storefront us --tz America/New_York", "Show one storefront, in its time zone."),
                Example("vitrine status --exit-code -o json", "Check in a script whether there are findings or warnings."),
            ],
            options: [Self.storefront, Self.zone, Self.exitCode, ListFormat.option] + RemoteSession.options
        ) { invocation in
            let zone = try TimeArgumentParser(invocation, console).zone
            let query = [(name: "storefront", value: invocation[Self.storefront])]
            let (server, flags, status) = try RemoteSession(console: console).run(invocation) { server in
                (server.client.server.description, server.flags, try RemoteValue<ServerStatus>(try await server.get("status", query)))
            }
            let format = invocation[ListFormat.option]
            switch format {
            case .json: try console.printJSON(status)
            case .yaml: try console.print(YAMLText(of: status.json()).text)
            default:
                let width = StandardStream.output.width
                let rows = ListPage(elements: StatusRow.all(of: status.content), columns: StatusRow.columns(in: zone), name: \.feed)
                let text = StatusText(status: status.content, server: server, zone: zone, width: width)
                let (before, after) = [.table, .wide].contains(format) ? (text.summary + "\n", text.findings + text.warnings) : ("", "")
                try StandardStream.output.write(Array(before.utf8) + rows.text(as: format, width: width) + Array(after.utf8))
            }
            if status.feeds.isEmpty {
                console.printStatus("hint: create a feed with '\(console.program) feed create FEED --title LOCALE=TEXT\(flags)'\n")
            }
            let isCalm = status.warnings.isEmpty && status.findings.isEmpty
            return invocation[Self.exitCode] && !isCalm ? .differs : .ok
        }
    }
}

/// A feed, and the storefronts that show the same revision of the feed, on the same layer and until the same time.
struct StatusRow: Sendable, JSONObjectEncodable {
    /// The published revision of a storefront, with its layer and its end by the schedule.
    private struct Live: Hashable {
        let revision: Int
        let sectionCount: Int
        /// The layer; nil while the schedule has another revision, which is not published yet.
        let layer: Publication.Layer?
        let until: Timestamp?
    }

    let feed: String
    /// The newest draft of the main line.
    let draft: Int?
    let storefronts: [String]
    /// Whether no other storefront differs.
    let isEverywhere: Bool
    /// The published revision; nil if no storefront of the status shows the feed.
    private let live: Live?

    /// Returns the rows of all feeds that are not archived, and of archived feeds that clients still see.
    static func all(of status: ServerStatus) -> [StatusRow] {
        var published: [String: [(storefront: String, feed: ServerStatus.PublishedFeed)]] = [:]
        for storefront in status.storefronts {
            for feed in storefront.feeds { published[feed.feed, default: []].append((storefront.key, feed)) }
        }
        return status.feeds.flatMap { summary -> [StatusRow] in
            var scheduled: [String: LiveRevision] = [:]
            for live in summary.live {
                for storefront in live.storefronts { scheduled[storefront] = live }
            }
            var groups: [Live: [String]] = [:]
            for (storefront, feed) in published[summary.key] ?? [] {
                let live = scheduled[storefront].flatMap { $0.revision == feed.revision ? $0 : nil }
                let group = Live(revision: feed.revision, sectionCount: feed.sectionCount, layer: live?.layer, until: live?.until)
                groups[group, default: []].append(storefront)
            }
            guard !groups.isEmpty else {
                guard summary.archivedAt == nil else { return [] }
                return [StatusRow(feed: summary.key, draft: summary.draft, storefronts: [], isEverywhere: false, live: nil)]
            }
            return groups.sorted { ($0.value.first ?? "") < ($1.value.first ?? "") }.map { live, storefronts in
                StatusRow(
                    feed: summary.key, draft: summary.draft, storefronts: storefronts,
                    isEverywhere: storefronts.count == status.storefronts.count && storefronts.count > 1, live: live)
            }
        }
    }

    func encodeMembers(to json: inout JSONWriter) {
        json.member("feed", feed)
        json.member("revision", live?.revision)
        json.member("layer", live?.layer?.rawValue)
        json.member("until", live?.until?.description)
        json.member("draftRevision", draft)
        json.member("sectionCount", live?.sectionCount)
        json.member("storefronts", storefronts)
    }

    static func columns(in zone: TimeZone) -> [ListPage<StatusRow>.Column] {
        [
            .init(title: "FEED") { $0.feed.printable() },
            .init(title: "LIVE") { row in row.live.map { "\($0.revision)" } ?? "" },
            .init(title: "LAYER") { $0.live?.layer?.rawValue ?? "" },
            .init(title: "UNTIL") { $0.live?.until?.reported(in: zone) ?? "" },
            .init(title: "DRAFT") { row in row.draft.map { "\($0)" } ?? "" },
            .init(title: "SECTIONS") { row in row.live.map { "\($0.sectionCount)" } ?? "" },
            .init(title: "STOREFRONTS") { $0.isEverywhere ? "all" : $0.storefronts.joined(separator: " ").printable() },
        ]
    }
}
