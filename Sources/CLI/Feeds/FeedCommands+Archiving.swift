internal import Arguments
internal import Feeds
internal import HTTPMessages
import Host
internal import JSON

/// `vitrine feed archive` and `restore`.
extension FeedCommands {
    var archive: Command {
        Command(
            "archive", "Takes a feed from clients, and asks first.",
            discussion: "Its revisions and publications stay, and go on where it is restored.",
            examples: [
                Example("vitrine feed archive search --dry-run", "Says what would end."),
                Example("vitrine feed archive search", "Ends it, once that is agreed to."),
            ],
            operands: [FeedOptions.feed], options: [Console.dryRun, Console.agreement, OutputFormat.option] + RemoteSession.options
        ) { try turn($0, into: .archived) }
    }

    var restore: Command {
        Command(
            "restore", "Gives an archived feed back to clients, and asks first.",
            discussion: "They see what its publications say of now.",
            examples: [
                Example("vitrine feed restore search --dry-run", "Says what would be seen."),
                Example("vitrine feed restore search", "Gives it back, once that is agreed to."),
            ],
            operands: [FeedOptions.feed], options: [Console.dryRun, Console.agreement, OutputFormat.option] + RemoteSession.options
        ) { try turn($0, into: .restored) }
    }

    private enum Turn {
        case archived, restored
    }

    private func turn(_ invocation: Invocation, into turn: Turn) throws -> ExitCode {
        let feed = try FeedOptions.path(invocation)
        let session = RemoteSession(console: console)
        let state = try session.run(invocation, { try await $0.state("feeds/\(feed)") })
        guard let document = state.document else { throw AdminClient.stranger }
        let overview = try FeedOverview(document, locale: nil)
        let isArchived = overview.feed.summary.archivedAt != nil
        let isTable = invocation[OutputFormat.option] == .table
        guard isArchived == (turn == .restored) else {
            console.printStatus("Nothing to change: \(feed) is \(isArchived ? "archived already" : "not archived").\n")
            if !isTable { try console.printJSON(overview.document) }
            return .ok
        }
        console.printStatus(overview.heading(width: StandardStream.errors.width))
        if invocation[Console.dryRun] {
            if !isTable { try console.printJSON(overview.document) }
            console.printStatus("\(turn == .archived ? "It would end" : "It would be seen again"). Nothing was changed.\n")
            return .ok
        }
        let question = turn == .archived ? "Take \(feed) from all clients?" : "Give \(feed) back to clients?"
        guard try console.confirm(question, invocation) else { return .failed }
        let (path, tag) = ("feeds/\(feed):\(turn == .archived ? "archive" : "restore")", try state.condition)
        let answer = try session.run(invocation, { try await $0.send(.post, path, [], .state(tag)) })
        console.printStatus(
            turn == .archived ? "Archived \(feed): clients no longer see it.\n" : "Restored \(feed): clients see it again.\n")
        if !isTable { try console.printJSON(JSONValue(answer.document)) }
        return .ok
    }
}
