package import JSON

/// The difference of two documents of the same feed. It is complete: it is empty if and only if the documents are
/// equal.
package struct FeedDiff: Sendable, Equatable {
    package let members: [FieldChange]
    /// The removed sections, then the others in the order of the later document.
    package let sections: [SectionChange]

    /// Compares two documents. Without an earlier one, the later one is compared with a feed that has no fields and no
    /// sections.
    package init(from before: FeedDocument?, to after: FeedDocument) {
        members = FieldChange.all(from: before?.head ?? .object([]), to: after.head, except: ["feed", FeedDocument.formatKey])
        let sections = before?.sections ?? []
        let order = SequenceDiff(from: sections.map(\.key), to: after.sections.map(\.key))
        let old = Dictionary(sections.enumerated().map { ($1.key, ($0, $1)) }, uniquingKeysWith: { first, _ in first })
        let moved = Set(order.moved.map(\.element))
        let gone = order.removed.map { SectionChange(sections[$0.position], goneFrom: $0.position) }
        let others = after.sections.enumerated().compactMap { index, section -> SectionChange? in
            guard let before, let (previousPosition, previous) = old[section.key] else {
                return SectionChange(section, newAt: index, of: after)
            }
            let change = SectionChange(
                from: previous, of: before, at: previousPosition, to: section, of: after, at: index, isMoved: moved.contains(section.key))
            return change.isMoved || !change.members.isEmpty || !change.pins.isEmpty ? change : nil
        }
        self.sections = gone + others
    }

    package var isEmpty: Bool { members.isEmpty && sections.isEmpty }

    package var lines: [DiffLine] { members.flatMap { $0.lines(0) } + sections.flatMap(\.lines) }
}

extension FeedDiff: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("fields", members)
        json.member("sections", sections)
    }
}

extension FeedDocument {
    fileprivate var head: JSONValue {
        let value = JSONValue(written: { json in encode(to: &json) })
        guard case .object(let members) = value else { return value }
        return .object(members.filter { $0.key != "sections" })
    }
}

extension JSONValue {
    /// Reads the diff from its JSON.
    init(written write: (inout JSONWriter) -> Void) {
        var json = JSONWriter()
        write(&json)
        do throws(JSONError) {
            self.init(try JSONDocument(parsing: json.finish(), limits: .ownOutput).root)
        } catch {
            preconditionFailure("every number of a document is finite and every key is written once: \(error)")
        }
    }
}
