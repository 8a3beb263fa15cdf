internal import Arguments
internal import Feeds
internal import HTTPMessages
internal import JSON

/// An editing session of a draft or of one section, until it is saved. It reopens the editor with the issues in place,
/// and merges drafts that other users saved.
struct EditorSession {
    private let console: Console
    private let session: RemoteSession
    private let part: EditableFragment
    private let feed: String
    private let line: String
    private let invocation: Invocation
    private let isDry: Bool

    init(console: Console, part: EditableFragment, _ invocation: Invocation) throws {
        (self.console, self.part, self.invocation) = (console, part, invocation)
        feed = try FeedOptions.path(invocation)
        line = invocation[FeedOptions.line]
        isDry = invocation[Console.dryRun]
        session = RemoteSession(console: console)
    }

    private struct OpenText {
        var base: JSONValue
        var revision: Int?
        var tag: String
        var text: String
        var comments: [EditorComment] = []
        /// Whether the comments ask the user to resolve conflicts, so that leaving the text unchanged is a decision.
        var hasConflicts = false
    }

    /// The end of a session. Without a response, the text had no changes.
    private struct End {
        let document: JSONValue
        let previous: OpenText
        var response: RemoteDraft?

        var revision: Int? { response == nil ? previous.revision : response?.revision }
    }

    private enum Attempt {
        case end(End)
        case again(OpenText)
    }

    func run() throws -> ExitCode {
        let opened = try session.run(invocation, read)
        let editor = try Editor(console, fileName: part.fileName(of: feed))
        let end: End
        do { end = try edited(opened, in: editor) } catch {
            let failure = error as? RemoteError ?? RemoteError(message: "\(error)", advice: "", exitCode: .failed)
            throw Self.keeping(editor.path, of: feed, failure)
        }
        try report(end, editor)
        return .ok
    }

    static func keeping(_ path: String, of feed: String, _ failure: RemoteError) -> RemoteError {
        // The server may have saved the draft although its response was lost.
        let isKnown = ![.interrupted, .unreachable].contains(failure.exitCode)
        let outcome = isKnown ? "no changes were saved" : "check whether the draft was saved with 'vitrine rev ls \(feed)'"
        return RemoteError(
            message: failure.message, advice: "\(failure.advice)\n\(outcome)\nyour text is in \(path)", exitCode: failure.exitCode,
            details: failure.details)
    }

    private func edited(_ opened: OpenText, in editor: Editor) throws -> End {
        var text = opened
        while true {
            let printed = EditorComment.mark(text.text, with: text.comments)
            let result = try editor.edit(printed)
            let written = EditorComment.unmarked(result)
            guard written.contains(where: { !$0.isWhitespace }) else {
                throw RemoteError(message: "the edited text is empty", advice: "", exitCode: .invalid)
            }
            // This also stops an editor that is a program, which would write the same text forever.
            guard text.comments.isEmpty || (text.hasConflicts ? result != printed : written != text.text) else {
                throw RemoteError(
                    message: "the issues in the text are not resolved", advice: "", exitCode: text.hasConflicts ? .conflict : .invalid,
                    details: text.comments.map { "line \($0.line): \($0.text)" })
            }
            switch try attempt(written, text) {
            case .again(let next): text = next
            case .end(let end): return end
            }
        }
    }

    // MARK: Server

    private var path: String { "feeds/\(feed)/draft" }

    @Sendable private func read(from server: AdminClient) async throws -> OpenText {
        let (base, revision, tag) = try Self.draft(try await server.state(path, [("line", line)]))
        guard let value = part.value(in: base) else {
            throw RemoteError(
                message: "the draft of feed '\(feed)' does not have this section",
                advice: "list the sections with 'vitrine section ls \(feed)'",
                exitCode: .notFound)
        }
        return OpenText(base: base, revision: revision, tag: tag, text: try part.text(of: value))
    }

    private static func draft(_ response: RemoteResponse?) throws -> (document: JSONValue, revision: Int?, tag: String) {
        guard let tag = response?.tag, let draft = try response?.value(of: RemoteDraft.self), let document = draft.document else {
            throw AdminClient.notVitrineServer
        }
        return (document, draft.revision, tag)
    }

    private func attempt(_ written: String, _ before: OpenText) throws -> Attempt {
        var text = before
        (text.text, text.comments, text.hasConflicts) = (written, [], false)
        var document: JSONValue
        switch part.read(written, over: text.base) {
        case .success(let value): document = value
        case .failure(let error):
            text.comments = error.comments
            return .again(text)
        }
        guard try document.canonicalJSON() != text.base.canonicalJSON() else { return .end(End(document: text.base, previous: text)) }
        var attempts = 1
        while true {
            do {
                return .end(End(document: document, previous: text, response: try send(document, over: text).value()))
            } catch is RemoteSession.Interruption {
                throw RemoteError(message: "interrupted", advice: "", exitCode: .interrupted)
            } catch let failure as RemoteError where failure.current != nil && attempts < AdminClient.maxAttempts {
                attempts += 1
                let merge: DocumentMerge
                (text, merge) = try merged(document, text, failure)
                guard merge.conflicts.isEmpty else { return .again(text) }
                document = merge.merged
            } catch let failure as RemoteError where !failure.issues.isEmpty {
                text.comments = part.comments(failure.issues, in: text.text, of: document)
                return .again(text)
            }
        }
    }

    private func send(_ document: JSONValue, over text: OpenText) throws -> RemoteResponse {
        let (body, tag) = (try document.json(), text.tag)
        return try session.run(invocation) { server in
            isDry
                ? try await server.send(.post, "feeds/\(feed):validate", body: body)
                : try await server.send(.put, path, [("line", line)], .state(tag), body: body)
        }
    }

    // MARK: Output

    private func report(_ end: End, _ editor: Editor) throws {
        let isTable = invocation[OutputFormat.option] == .table
        if !isTable {
            try console.printJSON(
                DraftEditResult(
                    of: feed, line, from: (end.previous.revision, end.previous.base), to: end.document, revision: end.revision, end.response
                ))
        }
        if let response = end.response {
            if isTable {
                let difference = DraftDiff(old: FeedDraft(end.previous.base), new: FeedDraft(end.document))
                try console.print(isDry ? difference.text(console) : "Saved revision \(end.revision ?? 0) of '\(feed)'.\n")
            }
            let section: String? = if case .section(let key) = part { key } else { nil }
            console.printStatus(FindingsText(response.findings, of: section).text)
            console.printStatus(
                isDry
                    ? "\(Console.noChanges)hint: your text is in \(editor.path)\n"
                    : "hint: publish it with '\(FeedOptions.publishing(invocation, console))'\n")
        } else {
            console.printStatus("No changes.\n")
        }
        if !isDry || end.response == nil { try editor.remove() }
    }

    // MARK: Merging

    private func merged(_ mine: JSONValue, _ before: OpenText, _ failure: RemoteError) throws -> (OpenText, DocumentMerge) {
        let (theirs, number, tag) = try Self.draft(failure.current)
        let merge = DocumentMerge(base: before.base, mine: mine, theirs: theirs)
        guard let value = part.value(in: merge.merged) else {
            throw RemoteError(
                message: "another user deleted the section", advice: "list the revisions with 'vitrine rev ls \(feed)'", exitCode: .conflict
            )
        }
        let revision = "revision \(number ?? 0)"
        var text = OpenText(base: theirs, revision: number, tag: tag, text: try part.text(of: value, in: before.text))
        console.printStatus("Another user saved \(revision). Your changes are merged with it.\n")
        let issues = merge.conflicts.map { conflict in
            (conflict.pointer, "\(revision) has \(Self.words(conflict.theirs)) here. The value before was \(Self.words(conflict.base)).")
        }
        text.comments = part.comments(issues, in: text.text, of: merge.merged)
        if !issues.isEmpty {
            let advice =
                "Both of you changed the values marked below. The text has your values. Correct them, delete these lines, and save."
            text.comments.insert(EditorComment(line: 1, text: advice), at: 0)
            text.hasConflicts = true
        }
        return (text, merge)
    }

    private static func words(_ value: JSONValue?) -> String {
        guard let value else { return "no value" }
        do throws(JSONError) {
            let text = String(decoding: try value.json(), as: UTF8.self)
            return text.count <= 200 ? text : "\(text.prefix(199))…"
        } catch { return "another value" }
    }
}
