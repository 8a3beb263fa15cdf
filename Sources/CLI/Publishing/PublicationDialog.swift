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
        let isTable = invocation[OutputFormat.option] == .table
        var response = try session.run(invocation, { try await $0.send(.post, path, body: body) })
        while true {
            let plan = try response.value(of: PublicationPlan.self)
            if let exitCode = try conclude(plan, response, invocation, flags) { return exitCode }
            guard try console.confirm(prompt(for: plan), invocation) else { return .failed }
            let (target, sent) = try request(for: plan)
            let confirmed = response
            let confirmedPart = confirmed.document.map(PublicationPlan.confirmedPart(of:))
            let (result, isPublished) = try session.run(invocation) { server in
                try await AdminClient.retryingOnConflict { isFirst in
                    // The tag is that of the feed in all storefronts. A change elsewhere leaves the confirmed plan as it is.
                    let current = isFirst ? confirmed : try await server.send(.post, path, body: body)
                    guard current.document.map(PublicationPlan.confirmedPart(of:)) == confirmedPart else { return (current, false) }
                    return (try await server.send(.post, target, [], .state(try current.condition), body: sent), true)
                }
            }
            if isPublished {
                try report(plan, result, isTable ? nil : response.document, flags)
                return .ok
            }
            guard console.needsConfirmation(invocation) else {
                throw RemoteError(
                    message: "another user changed the schedule of '\(feed)', and what this command would change",
                    advice: "see the new plan with --dry-run, then run the command again", exitCode: .conflict)
            }
            console.printStatus("Another user changed the schedule of '\(feed)'. This is the new plan:\n\n")
            response = result
        }
    }

    /// Shows a plan. Returns the exit code if there is nothing to confirm, because it is a dry run, or the plan changes nothing or is
    /// impossible.
    private func conclude(
        _ plan: PublicationPlan, _ response: RemoteResponse, _ invocation: Invocation, _ flags: String
    ) throws -> ExitCode? {
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
        guard !plan.starts.isEmpty else {
            throw RemoteError(
                message: "no storefront would show the publication", advice: "create a storefront first, or import a catalog",
                exitCode: .conflict)
        }
        guard !plan.changesNothing(isRollback: request.isRollback) else {
            console.printStatus("No changes: \(plan.revisionWords) of '\(feed)' is live already.\n")
            if !isTable { try console.printJSON(JSONValue(response.document)) }
            return .ok
        }
        if !isTable, console.needsConfirmation(invocation) { try show(plan, on: .errors) }
        return nil
    }

    private func prompt(for plan: PublicationPlan) -> String {
        request.isRollback
            ? "Roll back '\(feed)' to \(plan.revisionWords)\(places(of: plan))?"
            : "Publish \(plan.revisionWords) of '\(feed)'\(places(of: plan))?"
    }

    private func request(for plan: PublicationPlan) throws -> (path: String, body: [UInt8]) {
        switch request.action {
        case .rollback(let rollback): return ("feeds/\(feed):rollback", try rollback.json())
        case .publish(let proposal):
            let publication = PublicationRequest(revision: plan.starts[0].revision, layer: plan.layer, order: proposal.order)
            return ("feeds/\(feed)/publications", try publication.json())
        }
    }

    /// The storefronts in a sentence, or nothing if the order is for all.
    private func places(of plan: PublicationPlan) -> String {
        switch request.action {
        case .publish(let proposal): proposal.order.storefronts.map { " in \($0.joined(separator: ", "))" } ?? ""
        case .rollback: " in \(plan.starts.flatMap(\.storefronts).sorted().joined(separator: ", "))"
        }
    }

    private func show(_ plan: PublicationPlan, on stream: StandardStream) throws {
        let environment = try ScreenMatrix.builtIn()["iphone"]?.environment ?? LayoutEnvironment(width: 390, height: 844)
        try stream.write(
            plan.text(
                in: times.zone, on: environment, width: stream.width, isColored: console.isColored(stream), isRollback: request.isRollback))
    }

    /// Prints the errors or conflicts that prevent the publication. `flags` select the same server in a suggested
    /// command.
    private func refuse(_ plan: PublicationPlan, _ flags: String) -> ExitCode {
        let errors = plan.errors
        if errors.isEmpty, let conflict = plan.conflictingPublications.first {
            let (what, choice) = plan.layer == .base ? ("starts at the same time", "start") : ("overlaps the period", "period")
            let cancellation = "\(console.program) schedule cancel \(feed) \(conflict.publication.id)\(flags)"
            let others = plan.conflictingPublications.dropFirst().map {
                "publication \($0.publication.id) \(what) in \($0.storefronts.joined(separator: ", "))"
            }
            console.printError(
                "publication \(conflict.publication.id) of '\(feed)' \(what) in \(conflict.storefronts.joined(separator: ", "))",
                details: others, advice: "choose another \(choice) or other storefronts, or cancel it with '\(cancellation)'")
        } else if errors.isEmpty, !plan.localBases.isEmpty {
            let places = plan.localBases.flatMap(\.storefronts).sorted()
            console.printError(
                "\(places.joined(separator: ", ")) \(places.count == 1 ? "has a base of its" : "have bases of their") own",
                advice: "choose the other storefronts with '--storefronts', or replace \(places.count == 1 ? "this base" : "these bases") "
                    + "with '--replace-local'")
        } else {
            console.printError(
                "\(plan.revisionWords) of '\(feed)' has \(errors.count == 1 ? "1 error" : "\(errors.count) errors")",
                details: errors.map(\.line), advice: "")
        }
        return plan.exitCode
    }

    /// Prints the result, and the next steps on standard error; `document` is the plan for programs.
    private func report(_ plan: PublicationPlan, _ done: RemoteResponse, _ document: JSONNode?, _ flags: String) throws {
        let publications =
            done.document?["publications"]?.decodeLeniently([Publication].self)
            ?? [done.document?["publication"]?.decodeLeniently(Publication.self)].compactMap(\.self)
        if let document {
            var outcome = JSONValue(document)
            for member in ["publication", "publications"] {
                outcome[member] = done.document?[member].map { JSONValue($0) } ?? outcome[member]
            }
            try console.printJSON(outcome)
        } else {
            try console.print(publications.map { "\(sentence($0)).\n" }.joined())
        }
        // A first publication has no earlier revision to roll back to.
        let startsNow = plan.starts.allSatisfy { $0.from == nil }
        if startsNow, plan.layer == .base, plan.starts.contains(where: { $0.previous != nil }) {
            for publication in publications {
                let places = publication.storefronts.map { " --storefronts \($0.joined(separator: ","))" } ?? ""
                console.printStatus("hint: undo this with '\(console.program) rollback \(feed)\(places)\(flags)'\n")
            }
        } else if let publication = publications.first {
            if !startsNow { console.printStatus("hint: show the schedule with '\(console.program) schedule ls \(feed)\(flags)'\n") }
            let verb = startsNow ? "undo this" : "cancel the publication"
            console.printStatus("hint: \(verb) with '\(console.program) schedule cancel \(feed) \(publication.id)\(flags)'\n")
        }
    }

    private func sentence(_ publication: Publication) -> String {
        let places = publication.storefronts.map { " in \($0.joined(separator: ", "))" } ?? ""
        let number = "revision \(publication.revision)\(places) as publication \(publication.id)"
        guard case .publish(let proposal) = request.action else { return "Rolled back '\(feed)' to \(number)" }
        let start = proposal.order.from.map { ", from \($0.reported(in: times.zone))" } ?? ""
        let end = proposal.order.until.map { " until \($0.reported(in: times.zone))" } ?? ""
        return
            "\(start.isEmpty ? "Published" : "Scheduled") revision \(publication.revision) of '\(feed)'\(places) as publication \(publication.id)\(start)\(end)"
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
