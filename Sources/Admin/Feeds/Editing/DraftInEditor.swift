internal import Commands
internal import Feeds
internal import HTTPMessages
internal import Host
internal import JSON

/// A draft, or a section of it, in somebody's editor until it is saved: opened again with what is wrong in its place, and merged with what others
/// have saved meanwhile.
struct DraftInEditor {
    private let console: Console
    private let session: RemoteSession
    private let part: EditedPart
    private let feed: String
    private let line: String
    private let invocation: Invocation

    init(console: Console, part: EditedPart, _ invocation: Invocation) throws {
        (self.console, self.part, self.invocation) = (console, part, invocation)
        feed = try FeedWords.path(invocation)
        line = invocation[FeedWords.line]
        session = RemoteSession(console: console)
    }

    /// What is in the editor, and the state that it is to be saved over.
    private struct Desk {
        var base: JSONValue
        var tag: String
        var text: String
        var remarks: [Remark] = []
    }

    private enum Outcome {
        case saved(RemoteAnswer)
        /// There is nothing in it that was not there before.
        case same
        case again(Desk)
    }

    func run() throws -> ExitCode {
        guard var desk = try session.run(invocation, open) else { return .interrupted }
        let editor = try Editor(console, fileName: part.fileName(of: feed))
        do {
            while true {
                let shown = Remark.mark(desk.text, with: desk.remarks)
                let text = try editor.edit(shown)
                guard text != shown || desk.remarks.isEmpty else {
                    throw RemoteFailure(message: "what is marked is left as it is", advice: "", exitCode: .invalid)
                }
                switch try attempt(Remark.unmarked(text), desk) {
                case .again(let next): desk = next
                case .same:
                    console.say("Nothing was changed.\n")
                    try editor.remove()
                    return .ok
                case .saved(let answer):
                    tell(answer)
                    try editor.remove()
                    return .ok
                }
            }
        } catch {
            let failure = error as? RemoteFailure ?? RemoteFailure(message: "\(error)", advice: "", exitCode: .failed)
            let advice = "\(failure.advice)\nNothing was saved. What you wrote is in \(editor.path)."
            throw RemoteFailure(message: failure.message, advice: advice, exitCode: failure.exitCode)
        }
    }

    // MARK: The server

    private var path: String { "feeds/\(feed)/draft" }

    @Sendable private func open(from server: RemoteServer) async throws -> Desk {
        let (base, tag) = try Self.draft(try await server.state(path, [("line", line)]))
        guard let value = part.value(in: base) else {
            throw RemoteFailure(
                message: "there is no such section in the draft of \(feed)", advice: "vitrine section ls \(feed) lists them.",
                exitCode: .notFound)
        }
        return Desk(base: base, tag: tag, text: try part.text(of: value))
    }

    private static func draft(_ answer: RemoteAnswer?) throws -> (document: JSONValue, tag: String) {
        guard let tag = answer?.tag, let document = answer?.document?["document"] else { throw RemoteServer.stranger }
        return (JSONValue(document), tag)
    }

    /// Saves what a text says, merged with what others have saved meanwhile.
    private func attempt(_ text: String, _ before: Desk) throws -> Outcome {
        var desk = before
        (desk.text, desk.remarks) = (text, [])
        var document: JSONValue
        switch read(text, over: desk.base) {
        case .success(let value): document = value
        case .failure(let refusal):
            desk.remarks = refusal.remarks
            return .again(desk)
        }
        guard try document.canonicalJSON() != desk.base.canonicalJSON() else { return .same }
        for attempt in 1... {
            do {
                let (body, tag) = (try document.json(), desk.tag)
                let answer = try session.run(invocation) { server in
                    try await server.send(.put, path, [("line", line)], .state(tag), body: body)
                }
                guard let answer else { throw RemoteFailure(message: "interrupted", advice: "", exitCode: .interrupted) }
                return .saved(answer)
            } catch let failure as RemoteFailure where failure.current != nil && attempt < DraftEditing.mostAttempts {
                let merge: DocumentMerge
                (desk, merge) = try merged(document, desk, failure)
                guard merge.conflicts.isEmpty else { return .again(desk) }
                document = merge.merged
            } catch let failure as RemoteFailure where !failure.mistakes.isEmpty {
                desk.remarks = remarks(failure.mistakes, in: desk.text, of: document)
                return .again(desk)
            }
        }
        preconditionFailure("it ends with the last attempt")
    }

    private func tell(_ saved: RemoteAnswer) {
        let section: String? = if case .section(let key) = part { key } else { nil }
        console.say(saved.document?["findings"].map { FindingLines($0, of: section).text } ?? "")
        let number = saved.document?["revision"]?.integer ?? 0
        console.say("Saved as revision \(number) of \(feed). Publish it: \(FeedWords.publishing(invocation, console))\n")
    }

    // MARK: What was written

    private struct Refusal: Error {
        let remarks: [Remark]
    }

    /// The whole document that a text stands for.
    private func read(_ text: String, over base: JSONValue) -> Result<JSONValue, Refusal> {
        do throws(JSONError) {
            let value = JSONValue(try JSONDocument(parsing: text, limits: .feed, notation: .commented).root)
            let document = part.document(base, with: value)
            guard part.value(in: document) == value else {
                return .failure(Refusal(remarks: [Remark(line: 1, text: "A section keeps its key; vitrine section add makes another.")]))
            }
            do throws(JSONError) {
                _ = try FeedDocument(parsing: document.json(), limits: .feed)
            } catch {
                let mistakes = error.mistakes.map { (pointer: $0.pointer, message: $0.message + ($0.hint.map { "; \($0)" } ?? "")) }
                return .failure(Refusal(remarks: remarks(mistakes, in: text, of: document)))
            }
            return .success(document)
        } catch {
            return .failure(Refusal(remarks: error.mistakes.map { Remark(line: $0.position.line, text: $0.message) }))
        }
    }

    /// Above the lines that mistakes of a document are in.
    private func remarks(_ mistakes: [(pointer: JSONPointer, message: String)], in text: String, of document: JSONValue) -> [Remark] {
        var root: JSONNode?
        do throws(JSONError) { root = try JSONDocument(parsing: text, limits: .feed, notation: .commented).root } catch {}
        return mistakes.map { mistake in
            let pointer = part.pointer(mistake.pointer, in: document)
            let line = pointer.flatMap { root?.nearest(to: $0).position.line }
            return Remark(line: line ?? 1, text: "\(pointer ?? mistake.pointer): \(mistake.message)")
        }
    }

    // MARK: What others did meanwhile

    private func merged(_ mine: JSONValue, _ before: Desk, _ failure: RemoteFailure) throws -> (Desk, DocumentMerge) {
        let (theirs, tag) = try Self.draft(failure.current)
        let merge = DocumentMerge(base: before.base, mine: mine, theirs: theirs)
        guard let value = part.value(in: merge.merged) else {
            throw RemoteFailure(
                message: "somebody took the section away meanwhile", advice: "vitrine rev ls \(feed) tells of it.", exitCode: .conflict)
        }
        let revision = "revision \(failure.current?.document?["revision"]?.integer ?? 0)"
        var desk = Desk(base: theirs, tag: tag, text: try part.text(of: value, in: before.text))
        console.say("Somebody saved \(revision) meanwhile; what you wrote is merged with it.\n")
        let mistakes = merge.conflicts.map { conflict in
            (conflict.pointer, "\(revision) has \(Self.words(conflict.theirs)) here, and before it was \(Self.words(conflict.base))")
        }
        desk.remarks = remarks(mistakes, in: desk.text, of: merge.merged)
        if !mistakes.isEmpty {
            let advice = "Both of you changed what is marked below; yours is there. Take these lines away where it is right, and save."
            desk.remarks.insert(Remark(line: 1, text: advice), at: 0)
        }
        return (desk, merge)
    }

    private static func words(_ value: JSONValue?) -> String {
        guard let value else { return "nothing" }
        do throws(JSONError) {
            let text = String(decoding: try value.json(), as: UTF8.self)
            return text.count <= 200 ? text : "\(text.prefix(199))…"
        } catch { return "something" }
    }
}

extension JSONNode {
    /// What a pointer leads to, or the last that there is on the way.
    fileprivate func nearest(to pointer: JSONPointer) -> JSONNode {
        var node = self
        for token in pointer.tokens {
            let next =
                node.kind == .array ? Int(token).flatMap { index in node.elements.dropFirst(index).first { _ in true } } : node[token]
            guard let next else { return node }
            node = next
        }
        return node
    }
}
