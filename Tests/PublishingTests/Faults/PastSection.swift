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

    /// The number of items that a page showed at most.
    private static let maxItems = 20

    let key: String
    private let limit: Int
    private let bucket: Bucket?
    /// The cards at the start of the section.
    private let cards: [(key: String, bucket: Bucket?)]

    static func all(of document: String) throws -> [PastSection] {
        let root = try JSONDocument(parsing: Array(document.utf8)).root
        return root["sections"]?.elements.map(PastSection.init) ?? []
    }

    private init(_ json: JSONNode) {
        key = json["key"]?.string ?? ""
        limit = min(json["limit"]?.integer ?? Self.maxItems, Self.maxItems)
        bucket = Bucket(json["target"])
        cards = json["pins"]?.elements.map { ($0["card"]?["key"]?.string ?? "", Bucket($0["target"])) } ?? []
    }

    /// Returns the cards and items that a client sees, or nil if it does not see the section.
    func items(of all: [String], for client: String) -> [String]? {
        guard bucket?.includes(client) ?? true else { return nil }
        let visible = cards.filter { $0.bucket?.includes(client) ?? true }.map { "~\($0.key)" }
        let items = (visible + all).prefix(limit)
        return items.isEmpty ? nil : Array(items)
    }
}
