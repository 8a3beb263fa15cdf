package import JSON
package import Postgres

/// A ranked list of a storefront, which takes the place of the one of that name.
package struct ChartRecord: Sendable, Equatable {
    /// How a chart names an item.
    package enum Reference: Sendable, Hashable {
        case id(UUID)
        case slug(ItemKind, String)
    }

    package let storefront: String
    package let name: String
    package let items: [Reference]

    init(reading object: inout JSONObjectReader) throws(JSONRefusal) {
        let storefront = object.required("storefront", as: String.self, .storefront)
        let name = object.required("name", as: String.self, .slug)
        let items = object.required("items", as: [Reference].self, .count(0...10_000))
        try object.finish()
        guard Set(try items()).count == (try items()).count else {
            throw object.refuse(.twice, at: "items", "an item stands in it twice")
        }
        self.storefront = try storefront()
        self.name = try name()
        self.items = try items()
    }
}

extension ChartRecord: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("kind", "chart")
            $0.member("storefront", storefront)
            $0.member("name", name)
            $0.member("items", items)
        }
    }
}

extension ChartRecord.Reference: CustomStringConvertible {
    package var description: String {
        switch self {
        case .id(let id): id.description
        case .slug(let kind, let slug): "\(kind.rawValue.lowercased()):\(slug)"
        }
    }
}

extension ChartRecord.Reference: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONRefusal) {
        let text = try json.decode(as: String.self)
        if let id = UUID(text) {
            self = .id(id)
            return
        }
        for kind in ItemKind.allCases {
            let prefix = Array("\(kind.rawValue.lowercased()):".utf8)
            guard text.utf8.starts(with: prefix) else { continue }
            let slug = String(decoding: text.utf8.dropFirst(prefix.count), as: UTF8.self)
            guard TextShape.slug.fits(slug) else { break }
            self = .slug(kind, slug)
            return
        }
        throw json.refuse(.badForm, "expected an item such as topapp:harbor-notes or its id")
    }

    package func encode(to json: inout JSONWriter) { json.string(description) }
}
