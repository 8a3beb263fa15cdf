package import JSON

extension CellStyles {
    private enum Key { static let cell = "cell", cells = "cells" }

    /// Reads the members `cell` and `cells` of an object. Returns nil if it has neither. The slots of `cells` are checked
    /// unless `slots` is nil, because the layout is invalid.
    package static func read(_ object: inout JSONObjectReader, slots: [Name]?) -> CellStyles? {
        let cell = object.optional(Key.cell) { json throws(JSONReadError) in try json.name() }
        let cells = object.optional(Key.cells) { json throws(JSONReadError) in try styles(json, slots) }
        return CellStyles(cell: cell, slots: cells ?? [:])
    }

    /// Whether an object has one of the members `cell` and `cells`.
    package static func isGiven(in object: JSONObjectReader) -> Bool { object.has(Key.cell) || object.has(Key.cells) }

    /// Reads the members of a published object, without a check of the slots.
    package init?(published object: inout JSONObjectReader) {
        let cells = object.value(Key.cells, default: [String: String]())
        self.init(
            cell: object.optional(Key.cell),
            slots: Dictionary(cells.map { (Name($0), $1) }, uniquingKeysWith: { first, _ in first }))
    }

    private static func styles(_ json: JSONReader, _ slots: [Name]?) throws(JSONReadError) -> [Name: String] {
        var styles: [Name: String] = [:]
        var failure: JSONReadError?
        for value in try json.values() {
            do throws(JSONReadError) {
                let slot = Name(value.key)
                if let slots, !slots.contains(slot) { throw value.refuseSlot(among: slots.map(\.text)) }
                styles[slot] = try value.name()
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        guard !styles.isEmpty else { throw json.refuse(.invalidCount, "expected a cell style for at least one named slot") }
        return styles
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member(Key.cell, cell)
        guard !slots.isEmpty else { return }
        json.member(Key.cells) { json in
            for (slot, style) in slots.sorted(by: { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }) {
                json.member(slot.text, style)
            }
        }
    }
}

extension JSONReader {
    fileprivate func refuseSlot(among slots: [String]) -> JSONReadError {
        guard slots.isEmpty else { return refuseKey("the layout has the named slots", among: slots) }
        return refuse(.invalidChoice, "the layout has no named slots", hint: "write \"cell\" for a style of all cells")
    }
}
