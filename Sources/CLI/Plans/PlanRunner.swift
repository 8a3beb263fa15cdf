internal import Arguments
internal import Feeds
internal import HTTPMessages
import Host
internal import JSON
internal import Layout
internal import Values

/// Has a server plan how its shop becomes what files say, and do it.
struct PlanRunner: Sendable {
    /// A plan with the tag that names it.
    struct Plan: Sendable {
        let lines: [PlannedChangeRow]
        private let answer: RemoteResponse

        init(_ answer: RemoteResponse) {
            lines = answer.document?["changes"]?.elements.map(PlannedChangeRow.init) ?? []
            self.answer = answer
        }

        /// Throws where the server names none.
        var tag: String { get throws { try answer.condition } }
        var done: [PlannedChangeRow] { lines.filter { !$0.isNothing } }
        /// In what would be shown.
        var errors: Int { lines.filter(\.publishes).flatMap(\.findings).count { $0.severity == .error } }
    }

    typealias Ask<Answer: Sendable> = (@escaping @Sendable (AdminClient) async throws -> Answer) throws -> Answer?

    let console: Console
    let wanted: PlanRequest
    /// The flags by which another command asks the same server.
    var flags = ""

    /// Nil where it was interrupted.
    func plan(_ ask: Ask<Plan>) throws -> Plan? {
        let body = try wanted.json()
        return try ask { server in Plan(try await server.send(.post, "plan", body: body)) }
    }

    /// Prints a plan: for people what is to be read before, for programs all that it does.
    func print(_ plan: Plan, as format: ListFormat) throws {
        guard format != .table else { return try console.print(text(plan, for: .output)) }
        try write(plan.done, columns: PlannedChangeRow.columns, as: format, name: \.name)
    }

    /// Shows a plan, has it agreed to, and has exactly that done.
    func apply(_ invocation: Invocation, showsOnly: Bool, plan ask: Ask<Plan>, apply asking: Ask<RemoteResponse>) throws -> ExitCode {
        let format = invocation[ListFormat.option]
        guard let plan = try plan(ask) else { return .interrupted }
        guard !plan.done.isEmpty else {
            if format != .table { try print(plan, as: format) }
            console.say("Nothing to do: all of it is as it should be.\n")
            return .ok
        }
        let tag = try plan.tag
        if showsOnly {
            try print(plan, as: format)
            console.say("Nothing was changed.\n")
            return plan.errors > 0 ? .invalid : .ok
        }
        console.say(text(plan, for: .errors))
        if plan.errors > 0 {
            console.complain(
                "what has an error cannot be published", advice: "Correct it, or save it without --publish.\nNothing was changed.")
            return .invalid
        }
        guard try console.agrees(to: "Do this?", invocation) else { return .failed }
        let body = try wanted.json()
        do {
            guard let answer = try asking({ try await $0.send(.post, "apply", [], .state(tag), body: body) }) else { return .interrupted }
            try tell(answer, of: plan, as: format)
            return .ok
        } catch let failure as RemoteError {
            guard let current = failure.current else { throw failure }
            console.say(text(Plan(current), for: .errors))
            console.complain(
                "the shop was changed meanwhile; what would be done by now stands above",
                advice: "Look at it, and do it anew if it is still right. Nothing was changed.")
            return .conflict
        }
    }

    private func text(_ plan: Plan, for stream: StandardStream) -> String {
        PlanText(writer: DiffText(width: stream.width, isColored: console.isColored(stream))).text(of: plan.lines)
    }

    private func write<Element: JSONEncodable>(
        _ elements: [Element], columns: [ListPage<Element>.Column], as format: ListFormat, name: @escaping (Element) -> String
    ) throws {
        let page = ListPage(elements: elements, columns: columns, name: name)
        try StandardStream.output.write(page.text(as: format, width: StandardStream.output.width))
    }

    private func tell(_ answer: RemoteResponse, of plan: Plan, as format: ListFormat) throws {
        let done = (answer.document?["changes"]?.elements.map(AppliedChangeRow.init) ?? []).filter { !$0.isNothing }
        try write(done, columns: AppliedChangeRow.columns, as: format, name: \.name)
        let unreviewed = Set(plan.lines.filter(\.isUnreviewed).map(\.name))
        let writer = DiffText(width: StandardStream.errors.width, isColored: console.isColored(.errors))
        for line in done where unreviewed.contains(line.name) && !line.findings.isEmpty {
            console.say("\(line.name)\n\(writer.text(line.findings))")
        }
        for line in done where line.isUnpublished {
            let words = line.line == "main" ? line.feed : "\(line.feed) --line \(line.line)"
            console.say("Publish it: \(console.program) publish \(words)\(flags)\n")
        }
    }
}

/// What was done of a plan, as the server tells it, all of it.
struct AppliedChangeRow: Sendable, JSONEncodable {
    let node: JSONNode

    func encode(to json: inout JSONWriter) { JSONValue(node).encode(to: &json) }

    var feed: String { node["feed"]?.string?.printable(limit: 200) ?? "" }
    /// Empty for a feed as a whole.
    var line: String { node["line"]?.string?.printable(limit: 200) ?? "" }
    var action: String { node["action"]?.string ?? "" }
    /// The number of what shows it to clients.
    var publication: Int? { node["publication"]?["id"]?.integer }
    var findings: [ReviewFinding] { node["findings"]?.elements.compactMap { $0.decodeLeniently(ReviewFinding.self) } ?? [] }

    var name: String { line.isEmpty || line == "main" ? feed : "\(feed)@\(line)" }
    var isNothing: Bool { deed.isEmpty }
    /// Whether a draft was saved that nobody is shown.
    var isUnpublished: Bool { ["create", "change"].contains(action) && publication == nil }

    private var deed: String { PlannedChangeRow.deed(action, restores: node["restores"]?.bool == true, publishes: publication != nil) }

    static let columns: [ListPage<AppliedChangeRow>.Column] = [
        .init(title: "FEED") { $0.feed }, .init(title: "LINE") { $0.line }, .init(title: "DONE") { $0.deed },
        .init(title: "REVISION") { $0.node["revision"]?.integer.map { "\($0)" } ?? "" },
        .init(title: "PUBLICATION") { $0.publication.map { "\($0)" } ?? "" },
    ]
}
