package import Items
package import JSON

/// An item that is pinned elsewhere than before, or not any more, or now.
package struct PinChange: Sendable, Equatable {
    package let item: ItemReference
    /// Its slot; nil where it is not pinned.
    package let before: Int?
    package let after: Int?
}

extension PinChange {
    /// By the slots.
    static func all(from before: [Pin], to after: [Pin]) -> [PinChange] {
        func slots(_ pins: [Pin]) -> [ItemReference: Int] {
            Dictionary(pins.map { ($0.item, $0.slot) }, uniquingKeysWith: { first, _ in first })
        }
        let (old, new) = (slots(before), slots(after))
        let gone = before.filter { new[$0.item] == nil }.map { PinChange(item: $0.item, before: $0.slot, after: nil) }
        let others = after.filter { old[$0.item] != $0.slot }.map { PinChange(item: $0.item, before: old[$0.item], after: $0.slot) }
        return gone + others
    }

    func line(_ depth: Int) -> DiffLine {
        switch (before, after) {
        case (let before?, let after?): DiffLine(.moved, depth, "pin \(item): slot \(before) → \(after)")
        case (let before?, nil): DiffLine(.removed, depth, "pin \(item) at slot \(before)")
        default: DiffLine(.added, depth, "pin \(item) at slot \(after ?? 0)")
        }
    }
}

extension PinChange: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("item", item)
            json.member("before", before)
            json.member("after", after)
        }
    }
}
