internal import Commands
internal import HTTPMessages
import Host
internal import JSON
internal import Spelling

/// Changes a draft over the API: reads it, changes it here, and saves the section that is another one, unless somebody was quicker.
struct DraftEditing {
    /// What was changed, and in a sentence what a person calls that.
    struct Edit: Sendable {
        let change: FeedDraft.Change
        let sentence: String
    }

    static let dryRun = Option(flag: "dry-run", "Shows what would be different and what a review says of it, and saves nothing.")
    static let mostAttempts = 20

    /// For all commands that edit a draft.
    static let options: [any OptionDeclaring] = [FeedWords.line, dryRun] + RemoteSession.options

    let console: Console

    /// `edit` is asked again, with what there is then, where somebody saved another draft meanwhile.
    func run(
        _ invocation: Invocation, _ edit: @escaping @Sendable (RemoteServer, inout FeedDraft) async throws -> Edit
    ) throws -> ExitCode {
        let feed = try FeedWords.path(invocation)
        let line = invocation[FeedWords.line]
        let isDry = invocation[Self.dryRun]
        let outcome = try RemoteSession(console: console).run(invocation) { server -> Outcome in
            for attempt in 1... {
                let before = try await server.state("feeds/\(feed)/draft", [(name: "line", value: line)])
                let old = FeedDraft(JSONValue(before.document?["document"]))
                var new = old
                let edit = try await edit(server, &new)
                var outcome = Outcome(edit: edit, old: old, new: new, revision: before.document?["revision"]?.integer)
                guard !new.says(theSameAs: old) else { return outcome }
                if isDry {
                    let answer = try await server.send(.post, "feeds/\(feed):validate", body: new.document.json())
                    outcome.findings = answer.document?["findings"].map { FindingLines($0, of: edit.change.section) }
                    return outcome
                }
                do {
                    let answer = try await Self.save(edit.change, new, of: feed, line, before.tag ?? "", server)
                    outcome.findings = answer.document?["findings"].map { FindingLines($0, of: edit.change.section) }
                    outcome.saved = answer.document?["revision"]?.integer
                    return outcome
                } catch let failure as RemoteFailure where failure.code == "stale" && attempt < Self.mostAttempts {
                    continue
                }
            }
            preconditionFailure("it ends with the last attempt")
        }
        guard let outcome else { return .interrupted }
        return try tell(outcome, feed, invocation, isDry: isDry)
    }

    private struct Outcome: Sendable {
        let edit: Edit
        let old: FeedDraft
        let new: FeedDraft
        /// That was there before.
        let revision: Int?
        var saved: Int?
        var findings: FindingLines?
    }

    private static func save(
        _ change: FeedDraft.Change, _ draft: FeedDraft, of feed: String, _ line: String, _ tag: String, _ server: RemoteServer
    ) async throws -> RemoteAnswer {
        let path = "feeds/\(feed)/sections/\(change.section)"
        let query: RemoteServer.Query = [(name: "line", value: line)]
        switch change {
        case .remove: return try await server.send(.delete, path, query, .state(tag))
        case .put(let section, let position):
            return try await server.send(
                .put, path, query + [(name: "position", value: "\(position)")], .state(tag), body: draft.section(section).json())
        }
    }

    // MARK: Telling

    private func tell(_ outcome: Outcome, _ feed: String, _ invocation: Invocation, isDry: Bool) throws -> ExitCode {
        guard !outcome.new.says(theSameAs: outcome.old), isDry || outcome.saved != outcome.revision else {
            console.say("Nothing to change: revision \(outcome.revision ?? 0) of \(feed) is like that already.\n")
            return .ok
        }
        if isDry { try StandardStream.output.write(Array(difference(outcome).utf8)) }
        console.say(outcome.findings?.text ?? "")
        console.say(isDry ? "Nothing was saved.\n" : "\(outcome.edit.sentence)\n")
        if let saved = outcome.saved {
            console.say("Saved as revision \(saved) of \(feed). Publish it: \(FeedWords.publishing(invocation, console))\n")
        }
        return .ok
    }

    private func difference(_ outcome: Outcome) -> String {
        let key = outcome.edit.change.section
        func lines(_ draft: FeedDraft) -> [String] {
            let section = draft.sections.first { $0["key"] == .string(key) }
            return section?.sorted.text(.pretty).split(separator: "\n").map(String.init) ?? []
        }
        let isColored = console.isColored(.output)
        let section = LineDifference(from: lines(outcome.old), to: lines(outcome.new))
        let order = LineDifference(from: outcome.old.keys, to: outcome.new.keys)
        return (section.isEmpty ? "" : "\(outcome.new.feed)/\(key)\n\(section.text(isColored: isColored))")
            + (order.isEmpty ? "" : "\(outcome.new.feed)\n\(order.text(isColored: isColored))")
    }
}

extension JSONValue {
    /// Null where there is nothing.
    init(_ node: JSONNode?) { self = node.map { JSONValue($0) } ?? .null }
}
