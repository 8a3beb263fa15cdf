package import JSON

/// A merge of two independent changes of one document.
///
/// Objects are merged field by field. Sections are matched by key, and pins by item or by the key of their card, wherever
/// they are, and merged one by one. All other values, including the item of a slot, change as a whole. If both sides changed
/// one in different ways, it is a conflict and the value of `mine` stays.
package struct DocumentMerge {
    package let merged: JSONValue
    package private(set) var conflicts: [MergeConflict]

    package init(base: JSONValue, mine: JSONValue, theirs: JSONValue) {
        var differences: [Difference] = []
        let merged = Self.merged(base, mine, theirs, at: [], &differences) ?? .null
        self.merged = merged
        conflicts = differences.map { $0.conflict(in: merged) }
    }

    /// A step of the path to a value, which stays valid while elements move.
    fileprivate enum Step {
        case member(String)
        case element(JSONValue)
    }

    private struct Difference {
        let path: [Step]
        let base, mine, theirs: JSONValue?

        func conflict(in merged: JSONValue) -> MergeConflict {
            var pointer = JSONPointer.root
            var value: JSONValue? = merged
            for step in path {
                switch step {
                case .member(let key):
                    pointer.append(key)
                    value = value?[key]
                case .element(let name):
                    let (list, name) = (value?.list ?? [], name)
                    guard let index = list.firstIndex(where: { $0.name == name }) else { break }
                    pointer.append(index)
                    value = list[index]
                }
            }
            return MergeConflict(pointer: pointer, base: base, mine: mine, theirs: theirs)
        }
    }

    private static func merged(
        _ base: JSONValue?, _ mine: JSONValue?, _ theirs: JSONValue?, at path: [Step], _ differences: inout [Difference]
    ) -> JSONValue? {
        if mine.isSame(as: theirs) || theirs.isSame(as: base) { return mine }
        if mine.isSame(as: base) { return theirs }
        if case .object(let mine)? = mine, case .object(let theirs)? = theirs {
            return .object(members(base?.members ?? [], mine, theirs, at: path, &differences))
        }
        if let mine = mine?.named, let theirs = theirs?.named, let base = base == nil ? [] : base?.named {
            return .array(elements(base, mine, theirs, at: path, &differences))
        }
        differences.append(Difference(path: path, base: base, mine: mine, theirs: theirs))
        return mine
    }

    private static func members(
        _ base: [JSONValue.Member], _ mine: [JSONValue.Member], _ theirs: [JSONValue.Member], at path: [Step],
        _ differences: inout [Difference]
    ) -> [JSONValue.Member] {
        let keys = mine.map(\.key) + theirs.map(\.key).filter { key in !mine.contains { $0.key == key } }
        return keys.compactMap { key in
            let value = merged(base[key], mine[key], theirs[key], at: path + [.member(key)], &differences)
            return value.map { JSONValue.Member(key: key, value: $0) }
        }
    }

    private static func elements(
        _ base: [JSONValue], _ mine: [JSONValue], _ theirs: [JSONValue], at path: [Step], _ differences: inout [Difference]
    ) -> [JSONValue] {
        var retained: [JSONValue] = []
        for name in (mine + theirs.filter { mine[$0.name] == nil }).map(\.name) {
            if let element = merged(base[name], mine[name], theirs[name], at: path + [.element(name)], &differences) {
                retained.append(element)
            }
        }
        guard (mine + theirs).allSatisfy({ $0.slot == nil }) else { return pins(retained, base, mine, at: path, &differences) }
        let names = order(base.map(\.name), mine.map(\.name), theirs.map(\.name)) { mine, theirs in
            differences.append(Difference(path: path, base: .array(base.map(\.name)), mine: .array(mine), theirs: .array(theirs)))
        }
        return names.compactMap { retained[$0] }
    }

    /// Returns the pins in the order of their slots. A pin whose slot is used by one of mine returns to my slot for it,
    /// or is omitted.
    private static func pins(
        _ merged: [JSONValue], _ base: [JSONValue], _ mine: [JSONValue], at path: [Step], _ differences: inout [Difference]
    ) -> [JSONValue] {
        var pins = merged
        while let index = pins.firstIndex(where: { pin in
            mine[pin.name]?.slot != pin.slot && pins.contains { $0.slot == pin.slot && $0.name != pin.name }
        }) {
            let theirs = pins.remove(at: index)
            if let winner = pins.first(where: { $0.slot == theirs.slot }) {
                let previous = base.first { $0.slot == theirs.slot }
                differences.append(Difference(path: path + [.element(winner.name)], base: previous, mine: winner, theirs: theirs))
            }
            if let own = mine[theirs.name] { pins.append(own) }
        }
        return pins.sorted { ($0.slot ?? 0) < ($1.slot ?? 0) }
    }

    /// Returns the merged order. It is that of the side that changed it, or mine if both did. An element that only the
    /// other side has stays after its neighbor there.
    private static func order(
        _ base: [JSONValue], _ mine: [JSONValue], _ theirs: [JSONValue], conflict: ([JSONValue], [JSONValue]) -> Void
    ) -> [JSONValue] {
        let common = base.filter { mine.contains($0) && theirs.contains($0) }
        let (myOrder, theirOrder) = (mine.filter(common.contains), theirs.filter(common.contains))
        if myOrder != common, theirOrder != common, myOrder != theirOrder { conflict(myOrder, theirOrder) }
        let (spine, other) = myOrder == common ? (theirs, mine) : (mine, theirs)
        var result = spine
        for (position, name) in other.enumerated() where !spine.contains(name) {
            let before = other[..<position].last { result.contains($0) }
            let index = before.flatMap { name in result.firstIndex(of: name) }.map { $0 + 1 } ?? 0
            result.insert(name, at: index)
        }
        return result
    }
}

extension JSONValue {
    /// The identity of an element of a list: the key of a section, the item of a pin, or `~` with the key of its card.
    fileprivate var name: JSONValue {
        if let key = self["key"] { return key }
        guard slot != nil else { return .null }
        if let item = self["item"] { return item }
        return self["card"]?["key"]?.text.map { JSONValue.string("~\($0)") } ?? .null
    }

    fileprivate var slot: Int? {
        if case .integer(let slot)? = self["slot"] { slot } else { nil }
    }

    /// The elements of a list, or nil if they do not all have a unique identity.
    fileprivate var named: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        let names = elements.map(\.name)
        let areNames = names.indices.allSatisfy { names[$0] != .null && !names[..<$0].contains(names[$0]) }
        return areNames ? elements : nil
    }

    /// Whether two values are equal, regardless of the order of fields.
    fileprivate func isSame(as other: JSONValue) -> Bool {
        switch (self, other) {
        case (.array(let mine), .array(let theirs)):
            return mine.count == theirs.count && zip(mine, theirs).allSatisfy { $0.isSame(as: $1) }
        case (.object(let mine), .object(let theirs)):
            return mine.count == theirs.count && mine.allSatisfy { member in theirs[member.key]?.isSame(as: member.value) ?? false }
        default: return self == other
        }
    }
}

extension JSONValue? {
    fileprivate func isSame(as other: JSONValue?) -> Bool {
        switch (self, other) {
        case (nil, nil): true
        case (let mine?, let theirs?): mine.isSame(as: theirs)
        default: false
        }
    }
}

extension [JSONValue] {
    fileprivate subscript(name: JSONValue) -> JSONValue? { first { $0.name == name } }
}

/// A value that both sides changed in different ways. A value that does not exist is nil.
package struct MergeConflict: Sendable, Equatable {
    /// The location in the merged document. If the element was removed, it is the location of its list.
    package let pointer: JSONPointer
    package let base: JSONValue?
    /// The value in the merged document.
    package let mine: JSONValue?
    package let theirs: JSONValue?
}
