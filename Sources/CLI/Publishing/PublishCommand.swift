internal import Arguments
internal import Feeds
internal import HTTPMessages
import Host
internal import JSON
internal import Values

/// `vitrine publish`: shows a revision of a feed, after a look at what that changes.
struct PublishCommand {
    let console: Console

    static let storefronts = Option(
        repeating: "storefront", .text.named("KEY").completed(by: RemoteCompletions.storefronts),
        "A storefront to look at beforehand; all of them unless given.")
    private static let from = Option("from", .text.named("TIME"), "When it begins; now unless given.")
    private static let until = Option(
        "until", .text.named("TIME"), "When it ends, which makes it a takeover: what the base shows by then is shown again.")
    private static let layer = Option(
        "layer", .choice(of: Layer.self).named("LAYER"),
        "Where it is shown: base, or takeover, which wins while it lasts. What ends, or is not of the main line, is a takeover unless told."
    )

    private enum Layer: String, CaseIterable, Sendable { case base, takeover }

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
        let (from, until) = (try times.moment(Self.from), try times.moment(Self.until))
        if let until, until <= from ?? times.now { throw invocation.usageError("--until has to lie behind --from, and behind now.") }
        let layer = invocation[Self.layer]
        if layer == .base, until != nil {
            throw invocation.usageError("What is on the base lasts until the next one; leave --until out, or take --layer takeover.")
        }
        let (line, number, storefronts) = (invocation[FeedOptions.line], invocation[FeedOptions.revision], invocation[Self.storefronts])
        let session = RemoteSession(console: console)
        let found = try session.run(invocation) { server in
            let schedule = try await server.schedule(of: feed)
            let revision: LoadedRevision
            if let number {
                revision = try await server.revision(number, of: feed)
            } else {
                revision = try await server.draft(of: feed, on: line)
            }
            let isTakeover = layer.map { $0 == .takeover } ?? (until != nil || revision.revision.line != LineKey.main.text)
            let wish = PublishOptions(
                feed: feed, revision: revision, layer: isTakeover ? .takeover : .base, from: from, until: until, storefronts: storefronts,
                now: times.now)
            return (try await server.look(at: wish, in: schedule.schedule), schedule.tag)
        }
        guard let (look, tag) = found else { return .interrupted }
        let isTable = invocation[OutputFormat.option] == .table
        if isTable { try console.show(look, in: times.zone) }
        guard !invocation[Console.dryRun] else {
            if !isTable { try console.printJSON(look) }
            console.say("Nothing was changed: this was a dry run.\n")
            return look.exitCode
        }
        guard look.exitCode == .ok else { return console.refuse(look, RemoteSession.flags(invocation)) }
        if look.changesNothing {
            guard let state = try session.run(invocation, { try await $0.get("feeds/\(feed)") }) else { return .interrupted }
            guard state["archivedAt"] == nil else {
                throw RemoteError(archived: feed, console.program, RemoteSession.flags(invocation))
            }
            console.say("\(feed) shows revision \(look.revision.number) already. Nothing was changed.\n")
            if !isTable { try console.printJSON(look) }
            return .ok
        }
        if !isTable, console.asks(invocation) { try console.show(look, in: times.zone, on: .errors) }
        guard try console.agrees(to: "Publish revision \(look.revision.number) of \(feed)?", invocation) else { return .failed }
        let order = try CreatePublicationRequest(look, timeZone: times.zoneName).json()
        let answer = try session.run(invocation) { server in
            try await server.send(.post, "feeds/\(feed)/publications", [], .state(tag), body: order)
        }
        guard let answer else { return .interrupted }
        try console.tell(
            PublishResult(look, answer, verb: "Published"), in: times.zone, isTable: isTable, RemoteSession.flags(invocation))
        return .ok
    }
}

extension ChangeSummary {
    /// Whether the same revision is there from now on anyway.
    var changesNothing: Bool {
        layer == .base && from == nil && former?.number == revision.number && takeover == nil
    }
}

/// What a server is asked to publish.
private struct CreatePublicationRequest: JSONEncodable {
    let look: ChangeSummary
    let timeZone: String

    init(_ look: ChangeSummary, timeZone: String) {
        self.look = look
        self.timeZone = timeZone
    }

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("revision", look.revision.number)
            json.member("layer", look.layer.rawValue)
            json.member("from", look.from?.description)
            json.member("until", look.until?.description)
            json.member("timeZone", timeZone)
        }
    }
}
