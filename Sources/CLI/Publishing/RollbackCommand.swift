internal import Arguments
internal import Feeds
internal import HTTPMessages
import Host
internal import JSON
internal import Values

/// `vitrine rollback`: shows again what was shown before.
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
        let (wanted, storefronts) = (invocation[Self.to], invocation[PublishCommand.storefronts])
        let session = RemoteSession(console: console)
        let (program, flags) = (console.program, RemoteSession.flags(invocation))
        let found = try session.run(invocation) { server in
            // Its tag stands for what is shown as well, which is what going back depends on.
            let state = try await server.state("feeds/\(feed)")
            guard state.document?["archivedAt"] == nil else {
                throw RemoteError(archived: feed, program, flags)
            }
            guard let number = wanted ?? state.document?["formerBase"]?.integer else {
                throw RemoteError(
                    message: "\(feed) has shown nothing else before", advice: "Name a revision by --to; vitrine rev ls \(feed) lists them.",
                    exitCode: .conflict)
            }
            let wish = PublishOptions(
                feed: feed, revision: try await server.revision(number, of: feed), layer: .base, storefronts: storefronts,
                now: state.moment(near: times.now))
            return (try await server.look(at: wish, in: state.schedule), try state.condition)
        }
        guard let (look, tag) = found else { return .interrupted }
        let isTable = invocation[OutputFormat.option] == .table
        if isTable { try console.show(look, in: times.zone) }
        guard !invocation[Console.dryRun] else {
            if !isTable { try console.printJSON(look) }
            console.say("Nothing was changed: this was a dry run.\n")
            return look.exitCode
        }
        guard look.exitCode == .ok else { return console.refuse(look, flags) }
        guard look.former?.number != look.revision.number else {
            console.say("\(feed) shows revision \(look.revision.number) already. Nothing was changed.\n")
            if !isTable { try console.printJSON(look) }
            return .ok
        }
        if !isTable, console.asks(invocation) { try console.show(look, in: times.zone, on: .errors) }
        guard try console.agrees(to: "Go back to revision \(look.revision.number) of \(feed)?", invocation) else { return .failed }
        let order = RollbackRequest(revision: look.revision.number, timeZone: times.zoneName)
        let body = try order.json()
        let answer = try session.run(invocation) { server in
            try await server.send(.post, "feeds/\(feed):rollback", [], .state(tag), body: body)
        }
        guard let answer else { return .interrupted }
        try console.tell(PublishResult(look, answer, verb: "Went back to"), in: times.zone, isTable: isTable, flags)
        return .ok
    }
}

extension RemoteError {
    /// Of a command that would show something of a feed which shows nothing.
    init(archived feed: FeedKey, _ program: String, _ flags: String) {
        self.init(
            message: "\(feed) is archived: clients see nothing of it",
            advice: "Restore it first: \(program) feed restore \(feed)\(flags)", exitCode: .conflict)
    }
}

extension RemoteResponse {
    /// What is shown of a feed and to come.
    fileprivate var schedule: Schedule {
        Schedule(document?["publications"]?.elements.compactMap { Publication($0) } ?? [])
    }

    /// A moment at which the base has what the server says, whatever the clock of this machine does.
    fileprivate func moment(near now: Timestamp) -> Timestamp {
        guard let base = document?["base"].flatMap({ Publication($0) }) else { return now }
        return schedule.publication(on: .base, at: now) == base ? now : base.from
    }
}

/// What a server is asked to go back to.
private struct RollbackRequest: JSONEncodable {
    let revision: Int
    let timeZone: String

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("revision", revision)
            json.member("timeZone", timeZone)
        }
    }
}
