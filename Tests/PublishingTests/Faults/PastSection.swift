import JSON
import Resolve

/// A section of a document of the former formats, read without the program. Its rule selects all items.
struct PastSection {
    /// The clients whose place in an experiment is in a range.
    private struct Bucket {
        let experiment: String
        let places: Range<Int>

        init?(_ target: JSONNode?) {
            guard let bucket = target?["bucket"], let experiment = bucket["experiment"]?.string, let from = bucket["from"]?.integer,
                let to = bucket["to"]?.integer
            else { return nil }
            self.experiment = experiment
            places = from..<to
        }

        func includes(_ client: String) -> Bool { places.contains(Place.of(client, in: experiment)) }
    }

    private struct Pin {
        let slot: Int
        /// The slug of the item, or the key of the card after `~`.
        let content: String
        let bucket: Bucket?

        init(_ json: JSONNode) {
            slot = json["slot"]?.integer ?? 0
            let slug = json["item"]?.string.map { $0.replacing("topapp:", with: "") }
            content = slug ?? "~\(json["card"]?["key"]?.string ?? "")"
            bucket = Bucket(json["target"])
        }
    }

    /// The number of items that a page showed at most.
    static let maxItems = 20
    /// The limit of a section of format 1 that states none.
    private static let standardLimit = 100
    private static let maxContinued = 1_000

    let key: String
    /// The limit of format 1, or nil in format 2.
    let limit: Int?
    private let minItems: Int
    let hasRule: Bool
    let hasSeeAll: Bool
    private let bucket: Bucket?
    /// In the order of the slots.
    private let pins: [Pin]

    static func all(of document: String) throws -> [PastSection] {
        let root = try JSONDocument(parsing: Array(document.utf8)).root
        return root["sections"]?.elements.map { PastSection($0, isFormat1: root["format"] == nil) } ?? []
    }

    private init(_ json: JSONNode, isFormat1: Bool) {
        key = json["key"]?.string ?? ""
        limit = isFormat1 ? json["limit"]?.integer ?? Self.standardLimit : nil
        minItems = json["minItems"]?.integer ?? 1
        hasRule = json["rule"] != nil
        hasSeeAll = json["seeAll"] != nil
        bucket = Bucket(json["target"])
        pins = (json["pins"]?.elements.map(Pin.init) ?? []).sorted { $0.slot < $1.slot }
    }

    var slots: [Int] { pins.map(\.slot) }

    /// The number of items on a page. Pins enlarge it, so that none is lost.
    private var size: Int {
        let pinned = hasRule ? (slots.last ?? 0) + 1 : pins.count
        return limit.map { min($0, max(Self.maxItems, pinned)) } ?? Self.maxItems
    }

    /// Returns the cards and items that a client sees, or nil if it does not see the section.
    func items(of all: [String], for client: String) -> [String]? {
        guard bucket?.includes(client) ?? true else { return nil }
        let visible = pins.filter { $0.bucket?.includes(client) ?? true }
        var rest = others(all)[...]
        var items: [String] = []
        for pin in visible {
            while items.count < pin.slot, let next = rest.popFirst() { items.append(next) }
            items.append(pin.content)
        }
        items = Array((items + rest).prefix(size))
        return items.isEmpty || items.count < minItems ? nil : items
    }

    /// Returns the items of the list: those of format 1 up to the limit, the pinned ones first. Without a list of its own, the section
    /// continues. Nil if the section has no list, or no items.
    func list(of all: [String]) -> [String]? {
        let items = pins.map(\.content) + others(all)
        guard let limit, hasSeeAll || limit > size, !items.isEmpty else { return nil }
        return Array(items.prefix(hasSeeAll ? limit : Self.maxContinued))
    }

    /// Returns the items of the rule that are not pinned.
    private func others(_ all: [String]) -> [String] {
        guard hasRule else { return [] }
        let pinned = Set(pins.map(\.content))
        return all.filter { !pinned.contains($0) }
    }
}
