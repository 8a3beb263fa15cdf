internal import Arguments
internal import Feeds
internal import HTTPMessages
import Host
internal import JSON
internal import Values

/// `vitrine publish`: publishes a revision of a feed, after showing the change.
struct PublishCommand {
    let console: Console

    static let storefronts = Option(
        repeating: "storefront", .text.named("KEY").completed(by: RemoteCompletions.storefronts),
        "Show the page changes in this storefront only. Default: all storefronts.")
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
                Prints the changes to the document, the changes to the page in each storefront and the findings of the review, and asks for \
                confirmation. A time is \(TimeArgument.forms).
                """,
            examples: [
                Example("vitrine publish today", "Publish the newest revision of a feed."),
                Example("vitrine publish today --dry-run --storefront us", "Show the changes in one storefront without publishing."),
                Example(
                    "vitrine publish today --line night-market --from +1d --until +2d --yes", "Schedule a takeover for tomorrow."),
                Example(
                    "vitrine publish today --rev 2 --layer base --from \"2031-12-24 18:00\" --tz Europe/Stockholm",
                    "Schedule a revision at a local time."),
            ],
            arguments: [FeedOptions.feed],
            options: [
                FeedOptions.revision, FeedOptions.line, Self.layer, Self.from, Self.until, FeedOptions.timeZone, Self.storefronts,
                Console.dryRun,
                Console.agreement, OutputFormat.option,
            ] + RemoteSession.options
        ) { invocation in try run(invocation) }
    }

    private func run(_ invocation: Invocation) throws -> ExitCode {
        let feed = try invocation.feedKey()
        let times = try TimeArgumentParser(invocation, console)
        let (from, until) = (try times.time(Self.from), try times.time(Self.until))
        if let until, until <= from ?? times.now {
            throw invocation.usageError("invalid value for '--until': expected a time after '--from' and after now")
        }
        let layer = invocation[Self.layer]
        if layer == .base, until != nil {
            throw invocation.usageError(
                "conflicting options '--until' and '--layer base': expected '--layer takeover', because only a takeover ends")
        }
        let proposal = PublicationPlanRequest.Proposal(
            revision: invocation[FeedOptions.revision], line: try invocation.lineKey(FeedOptions.line), layer: layer, from: from,
            until: until)
        let request = PublicationPlanRequest(.publish(proposal), storefronts: invocation[Self.storefronts])
        return try PublicationDialog(console: console, feed: feed, times: times, request: request).run(invocation)
    }
}
