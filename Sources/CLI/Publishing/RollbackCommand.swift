internal import Arguments
internal import Feeds
internal import HTTPMessages
import Host
internal import JSON
internal import Values

/// `vitrine rollback`: publishes the previous revision again.
struct RollbackCommand {
    let console: Console

    private static let to = Option(
        "to", .integer(in: 1...).named("REV").completed(by: RemoteCompletions.revisions),
        "The revision to go back to; what was shown before unless given.")

    var command: Command {
        Command(
            "rollback", "Shows again what the base of a feed showed before, after a look at what that changes.",
            discussion: "What was shown stays in the history: going back is a publication of its own, and can be gone back on.",
            examples: [
                Example("vitrine rollback today --to 1", "Goes back to a revision."),
                Example("vitrine rollback today --to 2 --dry-run", "Only looks at what going back would change."),
            ],
            operands: [FeedOptions.feed],
            options: [
                Self.to, FeedOptions.timeZone, PublishCommand.storefronts, Console.dryRun, Console.agreement, OutputFormat.option,
            ] + RemoteSession.options
        ) { invocation in try run(invocation) }
    }

    private func run(_ invocation: Invocation) throws -> ExitCode {
        let feed = try invocation.feedKey()
        let times = try TimeArgumentParser(invocation, console)
        let request = PublicationPlanRequest(
            .rollback(RollbackRequest(revision: invocation[Self.to], timeZone: times.zoneName)),
            storefronts: invocation[PublishCommand.storefronts])
        return try PublicationDialog(console: console, feed: feed, times: times, request: request).run(invocation)
    }
}
