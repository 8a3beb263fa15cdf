package import Items
package import JSON

/// A ranked list of a storefront, which replaces the existing one of the same name.
package struct ChartRecord: Sendable, Equatable {
    package let storefront: String
    package let name: String
    package let items: [ItemReference]

    init(storefront: String, name: String, items: [ItemReference]) {
        self.storefront = storefront
        self.name = name
        self.items = items
    }

    init(reading object: inout JSONObjectReader) throws(JSONReadError) {
        let storefront = object.required("storefront", .storefront)
        let name = object.required("name", .slug)
        let items = object.required("items", as: [ItemReference].self, .count(0...10_000))
        try object.finish()
        guard Set(try items()).count == (try items()).count else {
            throw object.refuse(.duplicate, at: "items", "the chart has an item twice")
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
