package import JSON
internal import Values

/// A section of a page that appears, disappears, moves or changes for clients.
package struct ClientPageChange: Sendable, Equatable {
    /// An item or a card with its position among the first ones, from 0.
    package struct Item: Sendable, Equatable {
        /// The ID of the item, or of the placement if it is a card.
        package let id: String
        package let title: String
        package let isCard: Bool
        package let before: Int?
        package let after: Int?
    }

    /// The maximum number of items to list. Longer lists are counted.
    private static let maxListed = 6

    package let id: String
    package let title: String?
    package let previousTitle: String?
    package let before: Int?
    package let after: Int?
    package let isMoved: Bool
    package let counts: (before: Int, after: Int)
    package let hasOtherLayout: Bool
    /// The items that appear, in the order of the page. A new section has all of its items here.
    package let entering: [Item]
    package let leaving: [Item]
    /// The items that moved, not counting those that only made room for others.
    package let moving: [Item]
    /// The cards that changed, and the pinned items with another appearance.
    package let changing: [Item]

    init(from before: (section: ClientPage.Section, place: Int)?, to after: (section: ClientPage.Section, place: Int)?, isMoved: Bool) {
        id = (after ?? before)?.section.id ?? ""
        title = (after ?? before)?.section.title
        previousTitle = before == nil ? title : before?.section.title
        self.before = before?.place
        self.after = after?.place
        self.isMoved = isMoved
        let (old, new) = (before?.section.items ?? [], after?.section.items ?? [])
        counts = (old.count, new.count)
        hasOtherLayout = before != nil && after != nil && before?.section.arrangement != after?.section.arrangement
        let items = Dictionary((new + old).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        func item(_ id: String, from before: Int?, to after: Int?) -> Item {
            Item(id: id, title: items[id]?.title ?? "", isCard: items[id]?.isCard ?? false, before: before, after: after)
        }
        let order = SequenceDiff(from: old.map(\.id), to: new.map(\.id))
        entering = order.added.map { item($0.element, from: nil, to: $0.position) }
        leaving = order.removed.map { item($0.element, from: $0.position, to: nil) }
        moving = order.moved.map { item($0.element, from: $0.from, to: $0.to) }
        let previous = Dictionary(old.enumerated().map { ($1.id, ($0, $1)) }, uniquingKeysWith: { first, _ in first })
        changing = new.enumerated().compactMap { index, element in
            guard let (before, was) = previous[element.id], was.appearance.map(JSONValue.init) != element.appearance.map(JSONValue.init)
            else { return nil }
            return item(element.id, from: before, to: index)
        }
    }

    var isNothing: Bool {
        before != nil && after != nil && !isMoved && !hasOtherLayout && title == previousTitle && entering.isEmpty && leaving.isEmpty
            && moving.isEmpty && changing.isEmpty
    }

    /// The parts of the change that do not depend on the language.
    var withoutTitles: [String] {
        let items = (entering + leaving + moving + changing).map { "\($0.id) \($0.before ?? -1) \($0.after ?? -1)" }
        return ["\(id) \(before ?? -1) \(after ?? -1) \(isMoved) \(hasOtherLayout) \(title == previousTitle)"] + items
    }

    package static func == (a: ClientPageChange, b: ClientPageChange) -> Bool {
        a.withoutTitles == b.withoutTitles && a.title == b.title && a.previousTitle == b.previousTitle && a.counts == b.counts
    }

    package var lines: [DiffLine] {
        let key = id.split(separator: "/").dropFirst().joined(separator: "/").printable(limit: 100)
        let name = title.map { "\($0.printable(limit: 100)) (\(key))" } ?? key
        switch (before, after) {
        case (let before?, nil):
            return [DiffLine(.removed, 0, "\(name) removed from position \(before + 1), with \(Self.items(counts.before))")]
        case (nil, let after?):
            return [DiffLine(.added, 0, "\(name) added at position \(after + 1)")] + list(.added, "with", entering)
        default:
            let movement = isMoved ? " moved from position \((before ?? 0) + 1) to \((after ?? 0) + 1)" : ""
            var lines = [DiffLine(isMoved ? .moved : .changed, 0, name + movement)]
            if title != previousTitle {
                lines.append(DiffLine(.changed, 1, "title \(Self.quoted(previousTitle)) → \(Self.quoted(title))"))
            }
            if hasOtherLayout { lines.append(DiffLine(.changed, 1, "layout changed")) }
            return lines + list(.added, "added", entering) + list(.removed, "removed", leaving) + list(.moved, "moved", moving)
                + list(.changed, "changed", changing)
        }
    }

    private func list(_ mark: DiffLine.Mark, _ verb: String, _ items: [Item]) -> [DiffLine] {
        guard !items.isEmpty else { return [] }
        let reported = items.prefix(Self.maxListed).map { item -> String in
            let title = item.title.printable(limit: 60)
            guard let before = item.before, let after = item.after, before != after else { return title }
            return "\(title) (\(before + 1) → \(after + 1))"
        }
        let more = items.count > Self.maxListed ? " and \(items.count - Self.maxListed) more" : ""
        return [DiffLine(mark, 1, "\(verb) \(reported.joined(separator: ", "))\(more)")]
    }

    private static func quoted(_ title: String?) -> String { title.map { "\"\($0.printable(limit: 100))\"" } ?? "none" }

    private static func items(_ count: Int) -> String { count == 1 ? "1 item" : "\(count) items" }
}

extension ClientPageChange: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("section", id)
        json.member("change", before == nil ? "added" : after == nil ? "removed" : isMoved ? "moved" : "changed")
        json.member("fromPosition", before)
        json.member("toPosition", after)
        json.member("title", title)
        if title != previousTitle { json.member("previousTitle", previousTitle) }
        json.member("layoutChanged", hasOtherLayout, unless: false)
        json.member("added", entering, unless: [])
        json.member("removed", leaving, unless: [])
        json.member("moved", moving, unless: [])
        json.member("changed", changing, unless: [])
    }
}

extension ClientPageChange.Item: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member(isCard ? "placement" : "item", id)
        json.member("title", title)
        json.member("fromPosition", before)
        json.member("toPosition", after)
    }
}
