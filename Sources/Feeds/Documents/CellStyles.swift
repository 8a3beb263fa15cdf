internal import Items
package import JSON
package import Layout
internal import Values

/// The names of the cells that a client draws.
package enum CellStyles: Sendable, Hashable {
    case all(String)
    /// The cell styles by slot of the layout. Never empty.
    case slots([Name: String])

    /// The cell style of a slot, or nil if the document does not specify one.
    package subscript(slot: Name?) -> String? {
        switch self {
        case .all(let style): style
        case .slots(let styles): slot.flatMap { styles[$0] }
        }
    }
}

extension CellStyles {
    private enum Key: String, CaseIterable { case cell, cells }

    /// Reads one of the fields `cell` and `cells` of a section. Returns nil if it is invalid.
    static func read(_ object: inout JSONObjectReader, for layout: Result<LayoutChoice, JSONReadError>) -> CellStyles? {
        do throws(JSONReadError) {
            let (key, json) = try object.choice(of: Key.self)()
            switch key {
            case .cell: return .all(try json.identifier(.name))
            case .cells: return .slots(try styles(json, for: layout))
            }
        } catch {
            return nil
        }
    }

    private static func styles(
        _ json: JSONReader, for layout: Result<LayoutChoice, JSONReadError>
    ) throws(JSONReadError) -> [Name: String] {
        var slots: [Name]?
        if case .success(let layout) = layout { slots = layout.slots }
        var styles: [Name: String] = [:]
        var failure: JSONReadError?
        for value in try json.values() {
            do throws(JSONReadError) {
                let slot = Name(value.key)
                if let slots, !slots.contains(slot) { throw value.refuseSlot(among: slots.map(\.text)) }
                styles[slot] = try value.identifier(.name)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        guard !styles.isEmpty else { throw json.refuse(.invalidCount, "expected a cell style for at least one slot") }
        return styles
    }

    package func encodeMembers(to json: inout JSONWriter) {
        switch self {
        case .all(let style): json.member(Key.cell.rawValue, style)
        case .slots(let styles):
            json.member(Key.cells.rawValue) { json in
                for (slot, style) in styles.sorted(by: { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }) {
                    json.member(slot.text, style)
                }
            }
        }
    }
}

extension JSONReader {
    fileprivate func refuseSlot(among slots: [String]) -> JSONReadError {
        refuse(
            .invalidChoice, slots.isEmpty ? "the layout has no slots" : "the layout has the slots \(Self.list(slots))",
            hint: slots.isEmpty ? "write \"cell\" for a style of all cells" : key.nearest(among: slots).map { "did you mean \"\($0)\"?" })
    }

    private static func list(_ slots: [String]) -> String {
        slots.prefix(20).map { "\"\($0.printable(limit: 48))\"" }.joined(separator: ", ")
    }
}
