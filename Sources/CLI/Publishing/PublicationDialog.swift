internal import Arguments
internal import Feeds
internal import HTTPMessages
internal import Host
internal import JSON
internal import Layout
internal import ScreenFiles
internal import Values

/// A dialog that shows the effect of a publication or a rollback, asks for confirmation, and carries out exactly that.
struct PublicationDialog {
    let console: Console
    let feed: FeedKey
    let times: TimeArgumentParser
    let request: PublicationPlanRequest

    func run(_ invocation: Invocation) throws -> ExitCode {
        let session = RemoteSession(console: console)
        let flags = RemoteSession.flags(invocation)
        let (path, body) = ("feeds/\(feed):plan", try request.json())
        let response = try session.run(invocation, { try await $0.send(.post, path, body: body) })
        let plan = try response.value(of: PublicationPlan.self)
        guard plan.archivedAt == nil else { throw RemoteError(archived: feed, console.program, flags) }
        let isTable = invocation[OutputFormat.option] == .table
        // The summary is the result of a dry run. Otherwise it belongs to the question.
        if isTable { try show(plan, on: invocation[Console.dryRun] ? .output : .errors) }
        guard !invocation[Console.dryRun] else {
            if !isTable { try console.printJSON(JSONValue(response.document)) }
            console.printStatus(Console.noChanges)
            return plan.exitCode
        }
        guard plan.exitCode == .ok else { return refuse(plan, flags) }
        guard !request.changesNothing(plan) else {
            console.printStatus("No changes: revision \(plan.revision) of '\(feed)' is live already.\n")
            if !isTable { try console.printJSON(JSONValue(response.document)) }
            return .ok
        }
        if !isTable, console.needsConfirmation(invocation) { try show(plan, on: .errors) }
        let prompt =
            request.isRollback ? "Roll back '\(feed)' to revision \(plan.revision)?" : "Publish revision \(plan.revision) of '\(feed)'?"
        guard try console.confirm(prompt, invocation) else { return .failed }
        let (target, sent) = try request(for: plan)
        let tag = try response.condition
        let done = try session.run(invocation, { try await $0.send(.post, target, [], .state(tag), body: sent) })
        try report(plan, done, isTable ? nil : response.document, flags)
        return .ok
    }

    private func request(for plan: PublicationPlan) throws -> (path: String, body: [UInt8]) {
        let zone = times.zoneName
        guard !request.isRollback else {
            return ("feeds/\(feed):rollback", try RollbackRequest(revision: plan.revision, timeZone: zone).json())
        }
        var (from, until): (Timestamp?, Timestamp?) = (nil, nil)
        if case .publish(let proposal) = request.action { (from, until) = (proposal.from, proposal.until) }
        let publication = PublicationRequest(revision: plan.revision, layer: plan.layer, from: from, until: until, timeZone: zone)
        return ("feeds/\(feed)/publications", try publication.json())
    }

    private func show(_ plan: PublicationPlan, on stream: StandardStream) throws {
        let environment = try ScreenMatrix.builtIn()["iphone"]?.environment ?? LayoutEnvironment(width: 390, height: 844)
        try stream.write(plan.text(in: times.zone, on: environment, width: stream.width, isColored: console.isColored(stream)))
    }

    /// Prints the errors or conflicts that prevent the publication. `flags` select the same server in a suggested
    /// command.
    private func refuse(_ plan: PublicationPlan, _ flags: String) -> ExitCode {
        let errors = plan.errors
        if errors.isEmpty, let conflictingPublication = plan.conflictingPublications.first {
            let (conflict, choice) = plan.layer == .base ? ("starts at the same time", "start") : ("overlaps the period", "period")
            let cancellation = "\(console.program) schedule cancel \(feed) \(conflictingPublication.id)\(flags)"
            console.printError(
                "publication \(conflictingPublication.id) of '\(feed)' \(conflict)",
                advice: "choose another \(choice), or cancel it with '\(cancellation)'")
        } else {
            console.printError(
                "revision \(plan.revision) of '\(feed)' has \(errors.count == 1 ? "1 error" : "\(errors.count) errors")",
                details: errors.map(\.line), advice: "")
        }
        return plan.exitCode
    }

    /// Prints the result, and the next steps on standard error; `document` is the plan for programs.
    private func report(_ plan: PublicationPlan, _ done: RemoteResponse, _ document: JSONNode?, _ flags: String) throws {
        let publication = done.document?["publication"]?.decodeLeniently(Publication.self)
        if let document {
            var outcome = JSONValue(document)
            outcome["publication"] = done.document?["publication"].map { JSONValue($0) }
            try console.printJSON(outcome)
        } else {
            try console.print("\(sentence(plan, publication)).\n")
        }
        // A first publication has no earlier revision to roll back to.
        if plan.from == nil, plan.layer == .base, plan.previous != nil {
            console.printStatus("hint: undo this with '\(console.program) rollback \(feed)\(flags)'\n")
        } else if let publication {
            if plan.from != nil { console.printStatus("hint: show the schedule with '\(console.program) schedule ls \(feed)\(flags)'\n") }
            let verb = plan.from == nil ? "undo this" : "cancel the publication"
            console.printStatus("hint: \(verb) with '\(console.program) schedule cancel \(feed) \(publication.id)\(flags)'\n")
        }
    }

    private func sentence(_ plan: PublicationPlan, _ publication: Publication?) -> String {
        let number = publication.map { " as publication \($0.id)" } ?? ""
        guard !request.isRollback else { return "Rolled back '\(feed)' to revision \(plan.revision)\(number)" }
        let start = plan.from.map { ", from \($0.clock(in: times.zone)) \(times.zone.name)" } ?? ""
        let end = plan.until.map { " until \($0.clock(in: times.zone)) \(times.zone.name)" } ?? ""
        return "\(start.isEmpty ? "Published" : "Scheduled") revision \(plan.revision) of '\(feed)'\(number)\(start)\(end)"
    }
}

extension RemoteError {
    /// Creates the error of a command that would publish an archived feed.
    fileprivate init(archived feed: FeedKey, _ program: String, _ flags: String) {
        self.init(
            message: "feed '\(feed)' is archived",
            advice: "restore it first with '\(program) feed restore \(feed)\(flags)'", exitCode: .conflict)
    }
}
