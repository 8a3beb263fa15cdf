package import Items
package import JSON

package struct Pin: Sendable, Hashable {
    /// The slot, from 0 and below the section's size.
    package let slot: Int
    package let item: ItemReference
}

extension Pin {
    /// Returns pins in the order of their slots. Inserts each pinned item into `items`, even if its pin is invalid.
    static func list(_ json: JSONReader, below size: Int, items: inout Set<ItemReference>) throws(JSONReadError) -> [Pin] {
        var slots: Set<Int> = []
        var pins: [Pin] = []
        var failure: JSONReadError?
        for element in try json.elements() {
            do throws(JSONReadError) {
                pins.append(try Pin(element, below: size, slots: &slots, items: &items))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return pins.sorted { $0.slot < $1.slot }
    }

    private init(
        _ json: JSONReader, below size: Int, slots: inout Set<Int>, items: inout Set<ItemReference>
    ) throws(JSONReadError) {
        var object = try json.object()
        let slot = object.required("slot", as: Int.self, .slot(below: size))
        let item = object.required("item", as: ItemReference.self)
        if let slot = slot.value, !slots.insert(slot).inserted {
            object.report(.duplicate, at: "slot", "another pin already has the slot \(slot)")
        }
        if let item = item.value, !items.insert(item).inserted { object.report(.duplicate, at: "item", "\(item) is already pinned") }
        try object.finish()
        self.slot = try slot()
        self.item = try item()
    }
}

extension Pin: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("slot", slot)
        json.member("item", item)
    }
}

extension JSONRule<Int> {
    fileprivate static func slot(below size: Int) -> JSONRule {
        .satisfying(.outOfRange, "expected 0 to \(size - 1), because the size is \(size)") { (0..<size).contains($0) }
    }
}
