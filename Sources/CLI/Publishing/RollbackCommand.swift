internal import Arguments
internal import Feeds
internal import HTTPMessages
import Host
internal import JSON
internal import Values

/// `vitrine rollback`: publishes an earlier revision again.
struct RollbackCommand {
    let console: Console

    private static let revision = Option(
        "rev", .integer(in: 1...).named("N").completed(by: RemoteCompletions.revisions),
        "The revision to publish again. Default: the revision that was live before the current revision.")

    private static let storefronts = Option(
        "storefronts", .text.named("KEYS").completed(by: RemoteCompletions.storefrontList),
        "The storefronts, separated by commas. Default: those whose base publication has the latest start.")

    var command: Command {
        Command(
            "rollback", "Publish an earlier revision",
            discussion: """
                A rollback is a new publication of an earlier revision on the base, which is the usual page of the feed. Takeovers do not \
                change. To undo a rollback, roll back again. Storefronts can have different base publications. By default, a rollback is \
                for the storefronts whose base publication has the latest start. Each of these storefronts returns to its previous \
                revision.
                """,
            examples: [
                Example("vitrine rollback today --rev 1", "Roll back to a revision."),
                Example("vitrine rollback today --rev 2 --dry-run", "Show the changes without a rollback."),
                Example("vitrine rollback today --rev 1 --storefronts sa --dry-run", "Show the changes of a rollback in one storefront."),
            ],
            arguments: [FeedOptions.feed],
            options: [
                Self.revision, Self.storefronts, FeedOptions.outputTimeZone, PublishCommand.compared, Console.dryRun, Console.agreement,
                OutputFormat.option,
            ] + RemoteSession.options
        ) { invocation in try run(invocation) }
    }

    private func run(_ invocation: Invocation) throws -> ExitCode {
        let feed = try invocation.feedKey()
        let times = try TimeArgumentParser(invocation, console)
        let request = PublicationPlanRequest(
            .rollback(RollbackRequest(storefronts: try invocation.keys(Self.storefronts), revision: invocation[Self.revision])),
            compared: invocation[PublishCommand.compared])
        return try PublicationDialog(console: console, feed: feed, times: times, request: request).run(invocation)
    }
}
