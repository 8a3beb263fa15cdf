internal import Arguments
internal import Feeds
internal import HTTPMessages
import Host
internal import JSON
internal import Layout
internal import Values

struct PlanRunner: Sendable {
    struct Plan: Sendable {
        let lines: [RemoteValue<PlannedChange>]
        private let response: RemoteResponse

        init(_ response: RemoteResponse) throws {
            guard let document = response.document else { throw AdminClient.notVitrineServer }
            lines = try RemotePage(document, "changes").elements
            self.response = response
        }

        /// The ETag of the state that the plan changes. Throws if the server sends none.
        var tag: String { get throws { try response.condition } }
        var done: [RemoteValue<PlannedChange>] { lines.filter { !$0.isNothing } }
        var errors: Int { lines.filter(\.publishes).flatMap { $0.findings ?? [] }.count { $0.severity == .error } }
    }

    typealias Ask<Result: Sendable> = (@escaping @Sendable (AdminClient) async throws -> Result) throws -> Result

    let console: Console
    let request: PlanRequest
    /// The flags by which another command selects the same server.
    var flags = ""

    func plan(_ send: Ask<Plan>) throws -> Plan {
        let body = try request.json()
        return try send { server in try Plan(try await server.send(.post, "feeds:plan", body: body)) }
    }

    /// Prints a plan: a summary for users, the whole plan for programs.
    func print(_ plan: Plan, as format: ListFormat) throws {
        guard format != .table else { return try console.print(text(plan, for: .output)) }
        try write(plan.done, columns: RemoteValue<PlannedChange>.columns, as: format, name: \.name)
    }

    /// Prints a plan, asks for confirmation, and applies exactly that plan.
    func apply(_ invocation: Invocation, showsOnly: Bool, plan send: Ask<Plan>, apply asking: Ask<RemoteResponse>) throws -> ExitCode {
        let format = invocation[ListFormat.option]
        let plan = try plan(send)
        guard !plan.done.isEmpty else {
            if format != .table { try print(plan, as: format) }
            console.printStatus("No changes.\n")
            return .ok
        }
        let tag = try plan.tag
        if showsOnly {
            try print(plan, as: format)
            console.printStatus(Console.noChanges)
            return plan.errors > 0 ? .invalid : .ok
        }
        console.printStatus(text(plan, for: .errors))
        if plan.errors > 0 {
            console.printError(
                "cannot publish feeds with errors; no changes were made",
                advice: "correct the errors above, or save the drafts without '--publish'")
            return .invalid
        }
        guard try console.confirm("Apply \(plan.done.count == 1 ? "1 change" : "\(plan.done.count) changes")?", invocation) else {
            return .failed
        }
        let body = try request.json()
        do {
            let response = try asking({ try await $0.send(.post, "feeds:apply", [], .state(tag), body: body) })
            try report(response, of: plan, as: format)
            return .ok
        } catch let failure as RemoteError {
            guard let current = failure.current else { throw failure }
            console.printStatus(text(try Plan(current), for: .errors))
            console.printError(
                "another user changed the feeds, so no changes were made; the new plan is above",
                advice: "check the plan, and run the command again")
            return .conflict
        }
    }

    private func text(_ plan: Plan, for stream: StandardStream) -> String {
        PlanText(writer: DiffText(width: stream.width, isColored: console.isColored(stream))).text(of: plan.lines.map(\.content))
    }

    private func write<Element: JSONEncodable>(
        _ elements: [Element], columns: [ListPage<Element>.Column], as format: ListFormat, name: @escaping (Element) -> String
    ) throws {
        try ListPage(elements: elements, columns: columns, name: name).print(as: format)
    }

    private func report(_ response: RemoteResponse, of plan: Plan, as format: ListFormat) throws {
        guard let document = response.document else { throw AdminClient.notVitrineServer }
        let done = try RemotePage<AppliedChange>(document, "changes").elements.filter { !$0.isNothing }
        if format == .table {
            try console.print(done.flatMap(\.sentences).map { "\($0)\n" }.joined())
        } else {
            try write(done, columns: RemoteValue<AppliedChange>.columns, as: format, name: \.name)
        }
        let unreviewed = Set(plan.lines.filter(\.isUnreviewed).map(\.name))
        let writer = DiffText(width: StandardStream.errors.width, isColored: console.isColored(.errors))
        for line in done where unreviewed.contains(line.name) {
            if let findings = line.findings, !findings.isEmpty { console.printStatus("\(line.name)\n\(writer.text(findings))") }
        }
        for line in done where line.isUnpublished {
            let text = line.line.map { $0 == .main ? line.feed.text : "\(line.feed) --line \($0)" } ?? line.feed.text
            console.printStatus("hint: publish it with '\(console.program) publish \(text)\(flags)'\n")
        }
    }
}

/// A change of one line of a feed, or of a feed as a whole.
private protocol ChangeOfLine {
    var feed: FeedKey { get }
    var line: LineKey? { get }
}

extension ChangeOfLine {
    fileprivate var fileName: String { line.map { $0 == .main ? feed.text : "\(feed)@\($0)" } ?? feed.text }
}

extension PlannedChange: ChangeOfLine {
    var name: String { fileName }

    var deed: String { action.text(restores: restores, publishes: publishes) }
}

extension AppliedChange: ChangeOfLine {
    var name: String { fileName }
    var isNothing: Bool { deed.isEmpty }
    var isUnpublished: Bool { [.create, .update].contains(action) && publication == nil }
    var deed: String { action.text(restores: restores, publishes: publication != nil) }
    /// A sentence for each changed resource: the feed, its draft, and its publication.
    var sentences: [String] {
        var sentences = restores ? ["Restored feed '\(feed)'."] : []
        if action == .archive { sentences.append("Archived feed '\(feed)'.") }
        if let revision, [.create, .update].contains(action) { sentences.append("Saved revision \(revision) of '\(feed)'.") }
        if let publication { sentences.append("Published revision \(publication.revision) of '\(feed)' as publication \(publication.id).") }
        return sentences
    }
}

extension PlannedChange.Action {
    fileprivate func text(restores: Bool, publishes: Bool) -> String {
        let done: String? =
            switch self {
            case .create: "new"
            case .update: "changed"
            case .archive: "archived"
            case .unchanged: nil
            }
        return [restores ? "restored" : nil, done, publishes ? "published" : nil].compactMap(\.self).joined(separator: ", ")
    }
}

extension RemoteValue<PlannedChange> {
    fileprivate static var columns: [ListPage<Self>.Column] {
        [
            .init(title: "FEED") { $0.feed.text }, .init(title: "LINE") { $0.line?.text ?? "" },
            .init(title: "ACTION") { $0.action.rawValue }, .init(title: "PUBLISHES") { $0.publishes ? "yes" : "" },
            .init(title: "DRAFT") { $0.draft.map { "\($0)" } ?? "" }, .init(title: "BASE") { $0.base.map { "\($0)" } ?? "" },
            .init(title: "STOREFRONTS") { $0.storefronts.map { $0.printable(limit: 64) }.joined(separator: " ") },
        ]
    }
}

extension RemoteValue<AppliedChange> {
    fileprivate static var columns: [ListPage<Self>.Column] {
        [
            .init(title: "FEED") { $0.feed.text }, .init(title: "LINE") { $0.line?.text ?? "" }, .init(title: "RESULT") { $0.deed },
            .init(title: "REVISION") { $0.revision.map { "\($0)" } ?? "" },
            .init(title: "PUBLICATION") { $0.publication.map { "\($0.id)" } ?? "" },
        ]
    }
}
