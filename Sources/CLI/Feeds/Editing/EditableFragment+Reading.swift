internal import Feeds
internal import JSON

/// What was written of a part, and what is wrong with it.
extension EditableFragment {
    struct Refusal: Error {
        let remarks: [EditorComment]
    }

    /// The whole document that a text stands for.
    func read(_ text: String, over base: JSONValue) -> Result<JSONValue, Refusal> {
        do throws(JSONError) {
            let value = JSONValue(try JSONDocument(parsing: text, limits: .feed, notation: .commented).root)
            let document = self.document(base, with: value)
            guard self.value(in: document) == value else {
                return .failure(
                    Refusal(remarks: [EditorComment(line: 1, text: "A section keeps its key; vitrine section add makes another.")]))
            }
            do throws(JSONError) {
                _ = try FeedDocument(parsing: document.json(), limits: .feed)
            } catch {
                let mistakes = error.mistakes.map { (pointer: $0.pointer, message: $0.message + ($0.hint.map { "; \($0)" } ?? "")) }
                return .failure(Refusal(remarks: remarks(mistakes, in: text, of: document)))
            }
            return .success(document)
        } catch {
            return .failure(Refusal(remarks: error.mistakes.map { EditorComment(line: $0.position.line, text: $0.message) }))
        }
    }

    /// Above the lines that mistakes of a document are in.
    func remarks(_ mistakes: [(pointer: JSONPointer, message: String)], in text: String, of document: JSONValue) -> [EditorComment] {
        var root: JSONNode?
        do throws(JSONError) { root = try JSONDocument(parsing: text, limits: .feed, notation: .commented).root } catch {}
        return mistakes.map { mistake in
            let pointer = self.pointer(mistake.pointer, in: document)
            let line = pointer.flatMap { root?.nearest(to: $0).position.line }
            return EditorComment(line: line ?? 1, text: "\(pointer ?? mistake.pointer): \(mistake.message)")
        }
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
