internal import Arguments
internal import JSON
internal import Values

extension FeedDraft {
    /// An item at a slot, as a document has it; slots count from 0.
    struct Pin: Sendable, Equatable {
        let slot: Int
        let item: String
    }

    /// By their slots.
    func pins(of section: String) throws(RemoteError) -> [Pin] { Self.pins(of: try self.section(section)) }

    static func pins(of section: JSONValue) -> [Pin] {
        let pins = section["pins"]?.list.compactMap { pin -> Pin? in
            guard let slot = pin["slot"]?.number, let item = pin["item"]?.text else { return nil }
            return Pin(slot: slot, item: item)
        }
        return (pins ?? []).sorted { $0.slot < $1.slot }
    }

    /// Pins an item at a slot, or at the first that is free. One that is taken is given up to it only where that is wanted.
    mutating func addPin(_ item: String, to section: String, at slot: Int?, replacing isWanted: Bool) throws -> (change: Change, slot: Int)
    {
        var pins = try pins(of: section)
        let slot = slot ?? (0...).first { free in !pins.contains { $0.slot == free } } ?? 0
        if let there = pins.first(where: { $0.item == item }) {
            guard there.slot != slot else { return (try setPins(pins, of: section), slot) }
            throw RemoteError(
                message: "\(item) is pinned at slot \(there.slot) of \(section) already",
                advice: "Move it: vitrine pin move \(feed) \(section) \(item) --slot \(slot)", exitCode: .conflict)
        }
        if let other = pins.first(where: { $0.slot == slot }), !isWanted {
            throw RemoteError(
                message: "slot \(slot) of \(section) has \(other.item)",
                advice: "Give --replace to pin \(item) in its place, or another --slot.", exitCode: .conflict)
        }
        pins.removeAll { $0.slot == slot }
        return (try setPins(pins + [Pin(slot: slot, item: item)], of: section), slot)
    }

    /// Moves a pin; the one that is at the slot goes where it was, and all others stay.
    mutating func movePin(_ item: String, of section: String, to slot: Int) throws -> (change: Change, swapped: Pin?) {
        let pins = try pins(of: section)
        guard let pin = pins.first(where: { $0.item == item }) else { throw unpinned(item, section) }
        let other = pins.first { $0.slot == slot && $0.item != item }
        let rest = pins.filter { $0 != pin && $0 != other }
        let swapped = other.map { Pin(slot: pin.slot, item: $0.item) }
        return (try setPins(rest + [Pin(slot: slot, item: item)] + (swapped.map { [$0] } ?? []), of: section), swapped)
    }

    mutating func removePin(_ item: String, of section: String) throws -> (change: Change, slot: Int) {
        let pins = try pins(of: section)
        guard let pin = pins.first(where: { $0.item == item }) else { throw unpinned(item, section) }
        return (try setPins(pins.filter { $0 != pin }, of: section), pin.slot)
    }

    private mutating func setPins(_ pins: [Pin], of section: String) throws -> Change {
        try set(section) { value in
            let list = pins.sorted { $0.slot < $1.slot }.map { pin in
                JSONValue.object([.init(key: "slot", value: .integer(pin.slot)), .init(key: "item", value: .string(pin.item))])
            }
            value["pins"] = list.isEmpty ? nil : .array(list)
        }
    }

    private func unpinned(_ item: String, _ section: String) -> RemoteError {
        RemoteError(
            message: "\(item.printable(limit: 80)) is not pinned to \(section)", advice: "vitrine pin ls \(feed) \(section) lists what is.",
            exitCode: .notFound)
    }
}
