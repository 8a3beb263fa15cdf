internal import Arguments
internal import Feeds
internal import HTTPMessages
import Host
internal import JSON
internal import Values

/// `vitrine publish`: publishes a revision of a feed, after showing the change.
struct PublishCommand {
    let console: Console

    static let compared = Option(
        repeating: "compare", .text.named("KEY").completed(by: RemoteCompletions.storefronts),
        "Show the page changes in this storefront only. Default: all storefronts of the publication.")
    private static let storefronts = Option(
        "storefronts", .text.named("KEYS").completed(by: RemoteCompletions.storefrontList),
        "The storefronts, separated by commas. Default: all, including those that are added later.")
    private static let local = Option(
        flag: "local", "Read times without an offset as wall-clock times in each storefront.")
    private static let replacesLocal = Option(
        flag: "replace-local", "Also replace a base that was published for some storefronts only.")
    private static let from = Option("from", .text.named("TIME"), "The start of the publication. Default: now.")
    private static let until = Option(
        "until", .text.named("TIME"),
        "The end of the publication. It makes the publication a takeover, after which the base is visible again.")
    private static let layer = Option(
        "layer", .choice(of: Publication.Layer.self).named("LAYER"),
        "The layer. While a takeover lasts, clients see it instead of the base. Default: takeover with --until or a line other than main, else base."
    )

    var command: Command {
        Command(
            "publish", "Publish a revision",
            discussion: """
                Prints the changes to the document, the changes to the page in each storefront, and the findings of a review. Then the \
                command asks for confirmation. If the review finds an error, nothing is published. A publication on the base is the usual \
                page of the feed. A takeover replaces this page for a period. A takeover in some storefronts does not affect the others.

                A time is an RFC 3339 time, "YYYY-MM-DD HH:MM" in the zone of --tz, or a duration from now such as +90m, +2h or +1w. With \
                --local, "YYYY-MM-DD HH:MM" is a wall-clock time in each storefront, so the publication starts in Tokyo earlier than in \
                New York.
                """,
            examples: [
                Example("vitrine publish today", "Publish the newest revision of a feed."),
                Example("vitrine publish today --dry-run --compare us", "Show the changes in one storefront without publishing."),
                Example(
                    "vitrine publish today --line night-market --from +1d --until +2d --yes", "Schedule a takeover for tomorrow."),
                Example(
                    "vitrine publish today --rev 2 --layer base --from \"2031-12-24 18:00\" --tz Europe/Stockholm",
                    "Schedule a revision at a time in a given time zone."),
                Example(
                    "vitrine publish today --line night-market --storefronts sa,kw --from \"2031-12-10 18:00\" --until \"2032-01-08 02:00\" --local",
                    "Schedule a takeover in two storefronts, each by its own clock."),
            ],
            arguments: [FeedOptions.feed],
            options: [
                FeedOptions.revision, FeedOptions.line, Self.layer, Self.storefronts, Self.from, Self.until, Self.local,
                FeedOptions.inputAndOutputTimeZone,
                Self.replacesLocal, Self.compared, Console.dryRun,
                Console.agreement, OutputFormat.option,
            ] + RemoteSession.options
        ) { invocation in try run(invocation) }
    }

    private func run(_ invocation: Invocation) throws -> ExitCode {
        let feed = try invocation.feedKey()
        let times = try TimeArgumentParser(invocation, console)
        let isLocal = invocation[Self.local]
        if isLocal, invocation[FeedOptions.timeZone] != nil {
            throw invocation.usageError("conflicting options '--local' and '--tz': expected only one of them")
        }
        if isLocal, invocation[Self.from] == nil, invocation[Self.until] == nil {
            throw invocation.usageError("option '--local' requires '--from' or '--until'")
        }
        let (from, until) = (
            try times.plannedTime(Self.from, isLocal: isLocal), try times.plannedTime(Self.until, isLocal: isLocal)
        )
        if case .instant(let end)? = until {
            var start = times.now
            if case .instant(let from)? = from { start = from }
            guard end > start else {
                throw invocation.usageError("invalid value for '--until': expected a time after '--from' and after now")
            }
        }
        let layer = invocation[Self.layer]
        if layer == .base, until != nil {
            throw invocation.usageError(
                "conflicting options '--until' and '--layer base': expected '--layer takeover', because only a takeover ends")
        }
        let order = PublicationOrder(
            storefronts: try invocation.keys(Self.storefronts), from: from, until: until, replacesLocal: invocation[Self.replacesLocal])
        let proposal = PublicationPlanRequest.Proposal(
            revision: invocation[FeedOptions.revision], line: try invocation.lineKey(FeedOptions.line), layer: layer, order: order)
        let compared = invocation[Self.compared]
        if let storefronts = order.storefronts, let other = compared.first(where: { !storefronts.contains($0) }) {
            throw invocation.usageError("invalid value \(other.quoted) for '--compare': expected a storefront of '--storefronts'")
        }
        let request = PublicationPlanRequest(.publish(proposal), compared: compared)
        return try PublicationDialog(console: console, feed: feed, times: times, request: request).run(invocation)
    }
}

extension Invocation {
    /// Returns the distinct keys of an option, which are separated by commas; nil if the option was not given.
    func keys(_ option: Option<String?>) throws -> [String]? {
        guard let text = self[option] else { return nil }
        let keys = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0.drop { $0 == " " }) }
        guard keys.allSatisfy({ !$0.isEmpty }), Set(keys).count == keys.count else {
            throw usageError("invalid value \(text.quoted) for '--\(option.declaration.name)': expected keys such as 'sa,kw', each once")
        }
        return keys
    }
}
