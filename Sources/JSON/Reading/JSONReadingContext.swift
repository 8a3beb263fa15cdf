/// The state that all readers of one document share: its values, its mode and its issues.
///
/// A context exists for one call on one task and never leaves it. A first reading only counts issues, so that a valid
/// document allocates nothing. If it finds some, a second reading explains them.
final class JSONReadingContext {
    private struct Draft {
        let index: Int
        let code: JSONIssue.Code
        let message: String
        let hint: String?
    }

    let document: JSONDocument
    let tape: JSONTape
    let isStrict: Bool
    let explains: Bool
    private(set) var issueCount = 0
    /// The number of objects that were started and not finished, in debug builds. After a valid reading, any such
    /// object is a programming error.
    private(set) var unfinished = 0
    /// The requested keys of the objects being read, with those of an inner object after those of its outer one. An
    /// object stores them only if it needs them.
    var requestedKeys: [String] = []
    private var drafts: [Draft] = []

    init(reading document: JSONDocument, isStrict: Bool, explains: Bool) {
        self.document = document
        tape = document.tape
        self.isStrict = isStrict
        self.explains = explains
    }

    var isClean: Bool { issueCount == 0 }

    func text(at index: Int) -> String { tape.text(at: index) }

    /// Searches a member. A separate function borrows the tape, which an inlined one would retain.
    @inline(never)
    func find(_ key: String, with cursor: inout JSONKeyCursor) -> (value: Int, ordinal: Int)? { cursor.find(key, in: tape) }

    func read<Value: JSONDecodable>(_ type: Value.Type, at index: Int = 0) -> Value? {
        do throws(JSONReadError) {
            return try Value(from: JSONReader(session: self, index: index))
        } catch {
            return nil
        }
    }

    /// Counts an issue. Its message is created only if it will be reported.
    func report(
        _ code: JSONIssue.Code, at index: Int, _ message: @autoclosure () -> String, hint: @autoclosure () -> String? = nil
    ) {
        issueCount += 1
        guard explains, drafts.count < JSONError.limit else { return }
        drafts.append(Draft(index: index, code: code, message: message(), hint: hint()))
    }

    /// Counts started and finished objects. Only assertions call it.
    func countUnfinished(_ change: Int) -> Bool {
        unfinished += change
        return true
    }

    var error: JSONError {
        let inOrder = drafts.enumerated().sorted { ($0.element.index, $0.offset) < ($1.element.index, $1.offset) }
        let issues = inOrder.map { _, draft in
            let node = JSONNode(document: document, index: draft.index)
            return JSONIssue(
                code: draft.code, pointer: node.pointer, position: node.position, message: draft.message, hint: draft.hint)
        }
        return JSONError(issues, omitted: issueCount - drafts.count)
    }
}
