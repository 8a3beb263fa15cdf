internal import Arguments
internal import Feeds
internal import HTTPMessages
import Host
internal import JSON

/// An editor of a draft over the API. It reads the draft, edits it locally, and saves the changed section unless
/// another user saved first.
struct DraftEditor {
    /// An edit of a draft, with a sentence that describes it.
    struct Edit: Sendable {
        let change: FeedDraft.Change
        let sentence: String
    }

    static let options: [any OptionDeclaring] = [FeedOptions.line, Console.dryRun, OutputFormat.option] + RemoteSession.options

    let console: Console

    /// Edits the draft. If another user saved a draft in between, `edit` is called again with that one.
    func run(
        _ invocation: Invocation, _ edit: @escaping @Sendable (AdminClient, inout FeedDraft) async throws -> Edit
    ) throws -> ExitCode {
        let feed = try FeedOptions.path(invocation)
        let line = invocation[FeedOptions.line]
        let isDry = invocation[Console.dryRun]
        let attempt = try RemoteSession(console: console).run(invocation) { server -> Attempt in
            try await AdminClient.retryingOnConflict { _ in
                let before = try await server.state("feeds/\(feed)/draft", [(name: "line", value: line)])
                let draft: RemoteDraft = try before.value()
                let old = FeedDraft(draft.document ?? .null, line: line)
                var new = old
                let edit = try await edit(server, &new)
                var attempt = Attempt(edit: edit, old: old, new: new, revision: draft.revision)
                guard !new.says(theSameAs: old) else { return attempt }
                do {
                    if isDry {
                        attempt.response = try await server.send(.post, "feeds/\(feed):validate", body: new.document.json()).value()
                        return attempt
                    }
                    attempt.response = try await Self.save(edit.change, new, of: feed, line, before.condition, server).value()
                    return attempt
                } catch let failure as RemoteError where !failure.issues.isEmpty {
                    let details = failure.issues.map { "\(new.location($0.pointer)): \($0.message)" }
                    throw RemoteError(
                        message: failure.message, advice: "", exitCode: failure.exitCode, code: failure.code, details: details)
                }
            }
        }
        return try report(attempt, feed, invocation, isDry: isDry)
    }

    private struct Attempt: Sendable {
        let edit: Edit
        let old: FeedDraft
        let new: FeedDraft
        let revision: Int?
        var response: RemoteDraft?

        var saved: Int? { response?.revision }

        var changesNothing: Bool { new.says(theSameAs: old) || saved != nil && saved == revision }
    }

    private static func save(
        _ change: FeedDraft.Change, _ draft: FeedDraft, of feed: String, _ line: String, _ tag: String, _ server: AdminClient
    ) async throws -> RemoteResponse {
        let path = "feeds/\(feed)/sections/\(change.section)"
        let query: AdminClient.Query = [(name: "line", value: line)]
        switch change {
        case .remove: return try await server.send(.delete, path, query, .state(tag))
        case .put(let section, let position):
            return try await server.send(
                .put, path, query + [(name: "position", value: "\(position)")], .state(tag), body: draft.section(section).json())
        }
    }

    // MARK: Output

    private func report(_ attempt: Attempt, _ feed: String, _ invocation: Invocation, isDry: Bool) throws -> ExitCode {
        let isTable = invocation[OutputFormat.option] == .table
        let result = DraftEditResult(
            of: feed, invocation[FeedOptions.line], from: (attempt.revision, attempt.old.document), to: attempt.new.document,
            revision: attempt.changesNothing ? attempt.revision : attempt.saved, attempt.response)
        guard !attempt.changesNothing else {
            console.printStatus("No changes: revision \(attempt.revision ?? 0) of '\(feed)' has these values already.\n")
            if !isTable { try console.printJSON(result) }
            return .ok
        }
        if !isTable {
            try console.printJSON(result)
        } else if isDry {
            try console.print(DraftDiff(old: attempt.old, new: attempt.new).text(console))
        } else if let saved = attempt.saved {
            try console.print("\(attempt.edit.sentence)\nSaved revision \(saved) of '\(feed)'.\n")
        }
        console.printStatus(FindingsText(attempt.response?.findings ?? [], of: attempt.edit.change.section).text)
        console.printStatus(
            isDry ? Console.noChanges : "hint: publish it with '\(FeedOptions.publishing(invocation, console))'\n")
        return .ok
    }
}

struct DraftDiff: Sendable {
    let old: FeedDraft
    let new: FeedDraft

    func text(_ console: Console) throws -> String {
        let difference = FeedDiff(from: try old.read(), to: try new.read())
        return DiffText(width: StandardStream.output.width, isColored: console.isColored(.output)).text(difference.lines, margin: 0)
    }
}

/// The result of an edit, for programs: the saved document, its differences from the previous one, and the findings of
/// its review.
struct DraftEditResult: Sendable, JSONObjectEncodable {
    let feed: String
    let line: String
    /// The previous revision and document; nil if the draft is the first.
    let previous: (revision: Int?, document: JSONValue)?
    /// The revision of the document; nil if it was not saved.
    let revision: Int?
    let document: JSONValue
    let findings: [ReviewFinding]

    /// Creates a result. `response` comes from the server that saved or reviewed the document; nil if there was nothing
    /// to do.
    init(
        of feed: String, _ line: String, from previous: (revision: Int?, document: JSONValue)?, to document: JSONValue, revision: Int?,
        _ response: RemoteDraft?
    ) {
        (self.feed, self.line, self.previous, self.revision) = (feed, line, previous, revision)
        self.document = response?.document ?? document
        findings = response?.findings ?? []
    }

    /// The diff; nil if this program cannot read one of the documents.
    private var difference: FeedDiff? {
        guard let before = previous?.document else { return nil }
        func read(_ value: JSONValue) throws(JSONError) -> FeedDocument { try FeedDocument(parsing: value.json(), limits: .feed) }
        do throws(JSONError) { return FeedDiff(from: try read(before), to: try read(document)) } catch { return nil }
    }

    func encodeMembers(to json: inout JSONWriter) {
        json.member("feed", feed)
        json.member("line", line)
        json.member("fromRevision", previous?.revision)
        json.member("toRevision", revision)
        json.member("diff", difference)
        json.member("findings", findings)
        json.member("document", document)
    }
}
