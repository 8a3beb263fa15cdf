internal import JSON

/// What an edit makes of a draft, line by line: of each section that is another one, and of their order.
struct DraftDifference: Sendable {
    let old: FeedDraft
    let new: FeedDraft

    func text(isColored: Bool) -> String {
        let keys = old.keys + new.keys.filter { !old.keys.contains($0) }
        let parts =
            [(new.feed, lines(of: head(old)), lines(of: head(new)))]
            + keys.map { ("\(new.feed)/\($0)", lines(of: section($0, of: old)), lines(of: section($0, of: new))) }
            + [(new.feed, old.keys, new.keys)]
        return parts.map { name, before, after in
            let difference = LineDifference(from: before, to: after)
            return difference.isEmpty ? "" : "\(name)\n\(difference.text(isColored: isColored))"
        }.joined()
    }

    private func head(_ draft: FeedDraft) -> JSONValue? {
        var head = draft.document
        head["sections"] = nil
        return head
    }

    private func section(_ key: String, of draft: FeedDraft) -> JSONValue? { draft.sections.first { $0["key"] == .string(key) } }

    private func lines(of value: JSONValue?) -> [String] {
        value?.sorted.text(.pretty).split(separator: "\n").map(String.init) ?? []
    }
}
