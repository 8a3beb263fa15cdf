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
        "A storefront to look at beforehand; all of them unless given.")
    private static let from = Option("from", .text.named("TIME"), "When it begins; now unless given.")
    private static let until = Option(
        "until", .text.named("TIME"), "When it ends, which makes it a takeover: what the base shows by then is shown again.")
    private static let layer = Option(
        "layer", .choice(of: Publication.Layer.self).named("LAYER"),
        "Where it is shown: base, or takeover, which wins while it lasts. What ends, or is not of the main line, is a takeover unless told."
    )

    var command: Command {
        Command(
            "publish", "Shows clients a revision of a feed, after a look at what they will see differently.",
            discussion: """
                Tells what the document says otherwise, which sections and items come and go in each storefront, and what a review finds, and asks. \
                A time is \(TimeArgument.forms).
                """,
            examples: [
                Example("vitrine publish today", "Publishes the newest revision of a feed."),
                Example("vitrine publish today --dry-run --storefront us", "Only looks at what that would change in a storefront."),
                Example(
                    "vitrine publish today --line night-market --from +1d --until +2d --yes", "Plans a takeover for tomorrow."),
                Example(
                    "vitrine publish today --rev 2 --layer base --from \"2031-12-24 18:00\" --tz Europe/Stockholm",
                    "Plans a revision by the clock of a city."),
            ],
            operands: [FeedOptions.feed],
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
        if let until, until <= from ?? times.now { throw invocation.usageError("--until has to lie behind --from, and behind now.") }
        let layer = invocation[Self.layer]
        if layer == .base, until != nil {
            throw invocation.usageError("What is on the base lasts until the next one; leave --until out, or take --layer takeover.")
        }
        let proposal = PublicationPlanRequest.Proposal(
            revision: invocation[FeedOptions.revision], line: try invocation.lineKey(FeedOptions.line), layer: layer, from: from,
            until: until)
        let request = PublicationPlanRequest(.publish(proposal), storefronts: invocation[Self.storefronts])
        return try PublicationDialog(console: console, feed: feed, times: times, request: request).run(invocation)
    }
}
