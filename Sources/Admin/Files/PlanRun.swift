internal import Commands
internal import Feeds
internal import HTTPMessages
import Host
internal import JSON

/// Has a server plan how its shop becomes what files say, and do it.
struct PlanRun: Sendable {
    /// A plan with the tag that names it.
    struct Plan: Sendable {
        let lines: [PlanLine]
        let tag: String?

        init(_ answer: RemoteAnswer) {
            lines = answer.document?["changes"]?.elements.map(PlanLine.init) ?? []
            tag = answer.tag
        }

        var done: [PlanLine] { lines.filter { !$0.isNothing } }
        /// In what would be shown.
        var errors: Int { lines.filter(\.publishes).flatMap(\.findings).count(where: \.isError) }
    }

    typealias Ask<Answer: Sendable> = (@escaping @Sendable (RemoteServer) async throws -> Answer) throws -> Answer?

    let console: Console
    let wanted: ShopFiles

    /// Nil where it was interrupted.
    func plan(_ ask: Ask<Plan>) throws -> Plan? {
        let body = try wanted.json()
        return try ask { server in Plan(try await server.send(.post, "plan", body: body)) }
    }

    /// Shows a plan, has it agreed to, and has exactly that done.
    func apply(_ invocation: Invocation, showsOnly: Bool, plan ask: Ask<Plan>, apply asking: Ask<RemoteAnswer>) throws -> ExitCode {
        guard let plan = try plan(ask) else { return .interrupted }
        guard !plan.done.isEmpty, let tag = plan.tag else {
            console.say("Nothing to do: all of it is as it should be.\n")
            return .ok
        }
        let text = PlanText(isColored: console.isColored(showsOnly ? .output : .errors)).text(of: plan.lines)
        if showsOnly {
            try console.print(text)
            console.say("Nothing was changed.\n")
            return .ok
        }
        console.say(text)
        if plan.errors > 0 {
            console.complain(
                "what has an error cannot be published", advice: "Correct it, or save it without --publish.\nNothing was changed.")
            return .invalid
        }
        guard try console.agrees(to: "Do this?", invocation) else { return .failed }
        let body = try wanted.json()
        do {
            guard let answer = try asking({ try await $0.send(.post, "apply", [], .state(tag), body: body) }) else { return .interrupted }
            tell(answer)
            return .ok
        } catch let failure as RemoteFailure {
            guard let current = failure.current else { throw failure }
            console.say(PlanText(isColored: console.isColored(.errors)).text(of: Plan(current).lines))
            console.complain(
                "the shop was changed meanwhile; what would be done by now stands above",
                advice: "Look at it, and do it anew if it is still right. Nothing was changed.")
            return .conflict
        }
    }

    private func tell(_ answer: RemoteAnswer) {
        var drafts: [String] = []
        for line in answer.document?["changes"]?.elements.map(PlanLine.init) ?? [] {
            let revision = line.node["revision"]?.integer ?? 0
            if line.restores { console.say("Restored \(line.feed).\n") }
            let isPublished = line.node["publication"] != nil
            switch line.action {
            case "archive": console.say("Archived \(line.feed).\n")
            case "create", "change":
                console.say("Saved as revision \(revision) of \(line.feed)\(line.line == "main" ? "" : ", line \(line.line)").\n")
            default: break
            }
            if isPublished { console.say("Published revision \(revision) of \(line.feed).\n") }
            if line.action == "create" || line.action == "change", !isPublished {
                drafts.append(line.line == "main" ? line.feed : "\(line.feed) --line \(line.line)")
            }
        }
        for draft in drafts { console.say("Publish it: \(console.program) publish \(draft)\n") }
    }
}
