internal import Arguments
internal import Feeds
internal import HTTPMessages
internal import Host
internal import JSON
internal import Layout
internal import ScreenFiles
internal import Values

/// Shows what a publication or a rollback would change, asks, and has exactly that done.
struct PublicationDialog {
    let console: Console
    let feed: FeedKey
    let times: TimeArgumentParser
    /// What the server is asked to plan.
    let request: PublicationPlanRequest

    func run(_ invocation: Invocation) throws -> ExitCode {
        let session = RemoteSession(console: console)
        let flags = RemoteSession.flags(invocation)
        let (path, body) = ("feeds/\(feed):plan", try request.json())
        guard let answer = try session.run(invocation, { try await $0.send(.post, path, body: body) }) else { return .interrupted }
        let plan = try answer.value(of: PublicationPlan.self)
        guard plan.archivedAt == nil else { throw RemoteError(archived: feed, console.program, flags) }
        let isTable = invocation[OutputFormat.option] == .table
        if isTable { try show(plan) }
        guard !invocation[Console.dryRun] else {
            if !isTable { try console.printJSON(JSONValue(answer.document)) }
            console.say("Nothing was changed: this was a dry run.\n")
            return plan.exitCode
        }
        guard plan.exitCode == .ok else { return refuse(plan, flags) }
        guard !request.changesNothing(plan) else {
            console.say("\(feed) shows revision \(plan.revision) already. Nothing was changed.\n")
            if !isTable { try console.printJSON(JSONValue(answer.document)) }
            return .ok
        }
        if !isTable, console.asks(invocation) { try show(plan, on: .errors) }
        let question =
            request.goesBack ? "Go back to revision \(plan.revision) of \(feed)?" : "Publish revision \(plan.revision) of \(feed)?"
        guard try console.agrees(to: question, invocation) else { return .failed }
        let order = PublicationRequest(plan: plan, timeZone: times.zoneName, goesBack: request.goesBack)
        let (target, tag, sent) = (order.path, try answer.condition, try order.json())
        guard let done = try session.run(invocation, { try await $0.send(.post, target, [], .state(tag), body: sent) }) else {
            return .interrupted
        }
        try tell(plan, done, isTable ? nil : answer.document, flags)
        return .ok
    }

    /// On standard error where standard output is for programs.
    private func show(_ plan: PublicationPlan, on stream: StandardStream = .output) throws {
        let environment = try ScreenMatrix.builtIn()["iphone"]?.environment ?? LayoutEnvironment(width: 390, height: 844)
        try stream.write(plan.text(in: times.zone, on: environment, width: stream.width, isColored: console.isColored(stream)))
    }

    /// Says why what has errors, or no room, is not published; `flags` lead another command to the same server.
    private func refuse(_ plan: PublicationPlan, _ flags: String) -> ExitCode {
        let errors = plan.errors
        if errors.isEmpty, let obstacle = plan.obstacles.first {
            console.complain(
                "publication \(obstacle.id) of \(feed) has that time already",
                advice: "Choose another time, or take it away: \(console.program) schedule cancel \(feed) \(obstacle.id)\(flags)")
        } else {
            console.complain(
                "revision \(plan.revision) of \(feed) has \(errors.count == 1 ? "an error" : "\(errors.count) errors")",
                advice: errors.map(\.line).joined(separator: "\n"))
        }
        return plan.exitCode
    }

    /// Says on standard error what was done and what to do next; `document` is the plan for programs.
    private func tell(_ plan: PublicationPlan, _ done: RemoteResponse, _ document: JSONNode?, _ flags: String) throws {
        if let document {
            var outcome = JSONValue(document)
            outcome["publication"] = done.document?["publication"].map { JSONValue($0) }
            try console.printJSON(outcome)
        }
        let publication = done.document?["publication"]?.decodeLeniently(Publication.self)
        let number = publication.map { " as publication \($0.id)" } ?? ""
        let start = plan.from.map { "from \($0.clock(in: times.zone)) \(times.zone.name)" } ?? "from now on"
        let end = plan.until.map { " until \($0.clock(in: times.zone)) \(times.zone.name)" } ?? ""
        console.say("\(request.goesBack ? "Went back to" : "Published") revision \(plan.revision) of \(feed)\(number), \(start)\(end).\n")
        if plan.from == nil, plan.layer == .base {
            console.say("Go back: \(console.program) rollback \(feed)\(flags)\n")
        } else if let publication {
            console.say(
                "See it: \(console.program) schedule ls \(feed)\(flags). Take it back: \(console.program) schedule cancel \(feed) \(publication.id)\(flags)\n"
            )
        }
    }
}

/// What a server is asked to plan.
struct PublicationPlanRequest: JSONEncodable, Sendable {
    enum Action: Sendable {
        case publish(revision: Int?, line: String, layer: Publication.Layer?, from: Timestamp?, until: Timestamp?)
        /// Nil for the revision that was shown before.
        case rollback(revision: Int?)
    }

    let action: Action
    /// Empty for all.
    let storefronts: [String]

    var goesBack: Bool { if case .rollback = action { true } else { false } }

    /// Whether the same revision is there from now on anyway.
    func changesNothing(_ plan: PublicationPlan) -> Bool {
        plan.former == plan.revision && plan.layer == .base && plan.from == nil && (goesBack || plan.takeover == nil)
    }

    func encode(to json: inout JSONWriter) {
        json.object { json in
            switch action {
            case .publish(let revision, let line, let layer, let from, let until):
                json.member("publish") { json in
                    json.member("revision", revision)
                    json.member("line", line)
                    json.member("layer", layer?.rawValue)
                    json.member("from", from?.description)
                    json.member("until", until?.description)
                }
            case .rollback(let revision): json.member("rollback") { $0.member("revision", revision) }
            }
            json.member("storefronts", storefronts, unless: [])
        }
    }
}

/// What a server is asked to do: what its plan says.
private struct PublicationRequest: JSONEncodable {
    let plan: PublicationPlan
    let timeZone: String
    let goesBack: Bool

    var path: String { "feeds/\(plan.feed)\(goesBack ? ":rollback" : "/publications")" }

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("revision", plan.revision)
            if !goesBack {
                json.member("layer", plan.layer.rawValue)
                json.member("from", plan.from?.description)
                json.member("until", plan.until?.description)
            }
            json.member("timeZone", timeZone)
        }
    }
}

extension RemoteError {
    /// Of a command that would show something of a feed which shows nothing.
    fileprivate init(archived feed: FeedKey, _ program: String, _ flags: String) {
        self.init(
            message: "\(feed) is archived: clients see nothing of it",
            advice: "Restore it first: \(program) feed restore \(feed)\(flags)", exitCode: .conflict)
    }
}
