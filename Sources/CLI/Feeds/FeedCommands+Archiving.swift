internal import Arguments
internal import Feeds
internal import HTTPMessages
import Host
internal import JSON

/// `vitrine feed archive` and `restore`.
extension FeedCommands {
    var archive: Command {
        Command(
            "archive", "Archive a feed",
            discussion: """
                Clients no longer see an archived feed. The server keeps its revisions and publications. vitrine feed restore makes the \
                feed live again.
                """,
            examples: [
                Example("vitrine feed archive search --dry-run", "Show the feed that would be archived."),
                Example("vitrine feed archive search", "Archive the feed after a confirmation."),
            ],
            arguments: [FeedOptions.feed], options: [Console.dryRun, Console.agreement, OutputFormat.option] + RemoteSession.options
        ) { try turn($0, into: .archived) }
    }

    var restore: Command {
        Command(
            "restore", "Restore an archived feed",
            discussion: "Clients see the feed again, with the publications that are live now.",
            examples: [
                Example("vitrine feed restore search --dry-run", "Show the feed that would be restored."),
                Example("vitrine feed restore search", "Restore the feed after a confirmation."),
            ],
            arguments: [FeedOptions.feed], options: [Console.dryRun, Console.agreement, OutputFormat.option] + RemoteSession.options
        ) { try turn($0, into: .restored) }
    }

    private enum Turn {
        case archived, restored
    }

    private func turn(_ invocation: Invocation, into turn: Turn) throws -> ExitCode {
        let feed = try FeedOptions.path(invocation)
        let session = RemoteSession(console: console)
        let state = try session.run(invocation, { try await $0.state("feeds/\(feed)") })
        guard let document = state.document else { throw AdminClient.notVitrineServer }
        let overview = try FeedOverview(document, locale: nil)
        let isArchived = overview.feed.summary.archivedAt != nil
        let isTable = invocation[OutputFormat.option] == .table
        guard isArchived == (turn == .restored) else {
            console.printStatus("No changes: feed '\(feed)' is \(isArchived ? "archived already" : "not archived").\n")
            if !isTable { try console.printJSON(overview.document) }
            return .ok
        }
        let effect = turn == .archived ? "Clients will no longer see this feed.\n" : "Clients will see this feed again.\n"
        guard !invocation[Console.dryRun] else {
            if isTable {
                try console.print(overview.heading(width: StandardStream.output.width) + effect)
            } else {
                try console.printJSON(overview.document)
            }
            console.printStatus(Console.noChanges)
            return .ok
        }
        console.printStatus(overview.heading(width: StandardStream.errors.width) + effect)
        guard try console.confirm("\(turn == .archived ? "Archive" : "Restore") feed '\(feed)'?", invocation) else { return .failed }
        let (path, tag) = ("feeds/\(feed):\(turn == .archived ? "archive" : "restore")", try state.condition)
        let response = try session.run(invocation, { try await $0.send(.post, path, [], .state(tag)) })
        if isTable {
            try console.print("\(turn == .archived ? "Archived" : "Restored") feed '\(feed)'.\n")
        } else {
            try console.printJSON(JSONValue(response.document))
        }
        return .ok
    }
}
