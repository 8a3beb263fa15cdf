/// What the readers of one document share: its values, its mode, the mistakes so far.
///
/// Lives on one task for the time of one call and is never handed out. A first reading only counts mistakes, which leaves nothing to
/// allocate for a right document; where there are any, a second one explains them.
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
    /// Objects begun and not finished, counted in debug builds; any after a clean reading are a programmer's error.
    private(set) var unfinished = 0
    /// The keys that the objects being read were asked for, those of an inner object above those of its outer one; an object
    /// remembers them only where it needs them.
    var asked: [String] = []
    private var drafts: [Draft] = []

    init(reading document: JSONDocument, isStrict: Bool, explains: Bool) {
        self.document = document
        tape = document.tape
        self.isStrict = isStrict
        self.explains = explains
    }

    var isClean: Bool { issueCount == 0 }

    func text(at index: Int) -> String { tape.text(at: index) }

    func read<Value: JSONDecodable>(_ type: Value.Type, at index: Int = 0) -> Value? {
        do throws(JSONReadError) {
            return try Value(from: JSONReader(session: self, index: index))
        } catch {
            return nil
        }
    }

    /// Counts a mistake; its words are made only while they will be told.
    func report(
        _ code: JSONIssue.Code, at index: Int, _ message: @autoclosure () -> String, hint: @autoclosure () -> String? = nil
    ) {
        issueCount += 1
        guard explains, drafts.count < JSONError.limit else { return }
        drafts.append(Draft(index: index, code: code, message: message(), hint: hint()))
    }

    /// Called in assertions only.
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
