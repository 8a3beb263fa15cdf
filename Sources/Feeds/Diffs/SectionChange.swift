internal import Items
package import JSON
internal import Values

package struct SectionChange: Sendable, Equatable {
    package let key: SectionKey
    /// The previous index, or nil if the section is new.
    package let before: Int?
    package let after: Int?
    /// Whether the section moved, and did not only make room for others.
    package let isMoved: Bool
    /// The changed fields. A new section has all of its fields and a removed one has none.
    package let members: [FieldChange]
    package let pins: [PinChange]
    private let title: String?

    init(_ section: FeedSection, newAt index: Int, of document: FeedDocument) {
        let empty = JSONValue.object([])
        self.init(
            key: section.key, before: nil, after: index, isMoved: false,
            members: FieldChange.all(from: empty, to: section.said(in: document), except: ["key", "pins"]),
            pins: PinChange.all(from: [], to: section.pins), title: section.called)
    }

    init(_ section: FeedSection, goneFrom index: Int) {
        self.init(key: section.key, before: index, after: nil, isMoved: false, members: [], pins: [], title: section.called)
    }

    init(
        from previous: FeedSection, of prior: FeedDocument, at before: Int, to section: FeedSection, of later: FeedDocument,
        at after: Int,
        isMoved: Bool
    ) {
        self.init(
            key: section.key, before: before, after: after, isMoved: isMoved,
            members: FieldChange.all(from: previous.said(in: prior), to: section.said(in: later), except: ["pins"]),
            pins: PinChange.all(from: previous.pins, to: section.pins), title: section.called)
    }

    private init(
        key: SectionKey, before: Int?, after: Int?, isMoved: Bool, members: [FieldChange], pins: [PinChange], title: String?
    ) {
        self.key = key
        self.before = before
        self.after = after
        self.isMoved = isMoved
        self.members = members
        self.pins = pins
        self.title = title
    }

    package var lines: [DiffLine] {
        let name = "section \(key)\(title.map { ", \"\($0)\"" } ?? "")"
        switch (before, after) {
        case (let before?, nil): return [DiffLine(.removed, 0, "\(name), removed from position \(before + 1)")]
        case (nil, let after?):
            // The title is already part of the line.
            let said = members.filter { !["title", "subtitle"].contains($0.path[0]) }
            return [DiffLine(.added, 0, "\(name), added at position \(after + 1)")] + said.flatMap { $0.lines(1) }
                + pins.flatMap { $0.lines(1) }
        default:
            let movement = "moved from position \((before ?? 0) + 1) to \((after ?? 0) + 1)"
            return [DiffLine(isMoved ? .moved : .changed, 0, isMoved ? "\(name), \(movement)" : name)] + details
        }
    }

    private var details: [DiffLine] { members.flatMap { $0.lines(1) } + pins.flatMap { $0.lines(1) } }
}

extension SectionChange: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("section", key)
        json.member("change", before == nil ? "added" : after == nil ? "removed" : isMoved ? "moved" : "changed")
        json.member("fromPosition", before)
        json.member("toPosition", after)
        json.member("fields", members, unless: [])
        json.member("pins", pins, unless: [])
    }
}

extension FeedSection {
    /// Returns the JSON of the section without its defaults.
    fileprivate func said(in document: FeedDocument) -> JSONValue { JSONValue(written: { json in encode(to: &json, in: document.key) }) }

    /// The title of the section, in English if possible.
    fileprivate var called: String? {
        guard let title else { return nil }
        return title[.english] ?? title.texts.min { $0.key.text < $1.key.text }?.value
    }
}

package struct PinChange: Sendable, Equatable {
    /// The pin, as it is now or as it was before it was removed.
    package let pin: Pin
    /// The previous slot, or nil if the item or the card was not pinned.
    package let before: Int?
    package let after: Int?
    /// The changed fields of the appearance, the card and the target. A new and a removed pin have none.
    package let members: [FieldChange]
}

extension PinChange {
    static func all(from before: [Pin], to after: [Pin]) -> [PinChange] {
        func byName(_ pins: [Pin]) -> [String: Pin] {
            Dictionary(pins.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        }
        let (old, new) = (byName(before), byName(after))
        let gone = before.filter { new[$0.name] == nil }.map { PinChange(pin: $0, before: $0.slot, after: nil, members: []) }
        let others = after.compactMap { pin -> PinChange? in
            guard let previous = old[pin.name] else { return PinChange(pin: pin, before: nil, after: pin.slot, members: []) }
            guard previous != pin else { return nil }
            let members = FieldChange.all(from: previous.said, to: pin.said, except: ["slot"])
            return PinChange(pin: pin, before: previous.slot, after: pin.slot, members: members)
        }
        return gone + others
    }

    func lines(_ depth: Int) -> [DiffLine] { [line(depth)] + members.flatMap { $0.lines(depth + 1) } }

    private func line(_ depth: Int) -> DiffLine {
        let name = "pin \(pin.name)"
        switch (before, after) {
        case (let before?, let after?):
            return before == after
                ? DiffLine(.changed, depth, "\(name) at slot \(after)")
                : DiffLine(.moved, depth, "\(name): slot \(before) → \(after)")
        case (let before?, nil): return DiffLine(.removed, depth, "\(name) at slot \(before)")
        default: return DiffLine(.added, depth, "\(name) at slot \(after ?? 0)")
        }
    }
}

extension Pin {
    fileprivate var said: JSONValue { JSONValue(written: { json in encode(to: &json) }) }
}

extension PinChange: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("item", pin.item)
        json.member("card", pin.card?.key)
        json.member("fromSlot", before)
        json.member("toSlot", after)
        json.member("contentChanged", !members.isEmpty, unless: false)
        json.member("fields", members, unless: [])
    }
}
