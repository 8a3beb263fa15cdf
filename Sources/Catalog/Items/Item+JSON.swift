package import JSON
internal import Postgres
internal import Time

/// Reads the document that `catalog.items` makes of the rows of an item.
extension Item: JSONDecodable {
    package init(from json: JSONReader) throws(JSONRefusal) {
        var object = try json.object()
        let id = object.required("id", as: String.self)
        // Published documents have it beside them.
        version = object.value("version", default: 0)
        let serialNumber = object.required("serialNumber", as: Int.self)
        let slug = object.required("slug", as: String.self)
        let texts = object.required("texts", as: [String: ItemText].self)
        image = object.optional("image")
        let categories = object.required("categories", as: [String].self)
        rating = object.optional("rating")
        let windows = object.optional("availability", as: [String: [Availability.Window]].self)
        prices = object.value("prices", default: [])
        let topApp = object.optional("topApp", as: TopApp.self)
        let foodApp = object.optional("foodApp", as: FoodApp.self)
        try object.finish()
        guard let uuid = UUID(try id()) else { throw json.refuse(.wrongType, "the id is no uuid") }
        self.id = uuid
        self.serialNumber = try serialNumber()
        self.slug = try slug()
        self.texts = try Dictionary(
            texts().compactMap { key, text in LocaleTag(key).map { ($0, text) } }, uniquingKeysWith: { first, _ in first })
        self.categories = try categories()
        availability = windows.map { .within($0) } ?? .everywhere
        guard let detail = topApp.map(Detail.topApp) ?? foodApp.map(Detail.foodApp) else {
            throw json.refuse(.missingKey, "the item is of no kind")
        }
        self.detail = detail
    }
}

extension Item {
    /// Of a published document, which does not tell its version.
    package init(published document: [UInt8], version: Int) throws(JSONError) {
        self = try JSONDocument(parsing: document, limits: .ownOutput).decodeLeniently(Item.self).value
        self.version = version
    }
}

extension ItemText: JSONDecodable {
    package init(from json: JSONReader) throws(JSONRefusal) {
        var object = try json.object()
        let title = object.required("title", as: String.self)
        subtitle = object.optional("subtitle")
        imageAlt = object.optional("imageAlt")
        try object.finish()
        self.title = try title()
    }
}

extension ItemImage: JSONDecodable {
    package init(from json: JSONReader) throws(JSONRefusal) {
        var object = try json.object()
        url = object.optional("url")
        let width = object.required("width", as: Int.self)
        let height = object.required("height", as: Int.self)
        let color = object.required("color", as: String.self)
        let blurhash = object.required("blurhash", as: String.self)
        try object.finish()
        self.width = try width()
        self.height = try height()
        self.color = try color()
        self.blurhash = try blurhash()
    }
}

extension Item.Rating: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONRefusal) {
        var object = try json.object()
        let average = object.required("average", as: Double.self)
        let count = object.required("count", as: Int.self)
        try object.finish()
        self.average = try average()
        self.count = try count()
    }

    package func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("average", average)
            $0.member("count", count)
        }
    }
}

extension ItemPrice: JSONDecodable {
    package init(from json: JSONReader) throws(JSONRefusal) {
        var object = try json.object()
        let storefront = object.required("storefront", as: String.self)
        let role = object.required("role", as: Role.self)
        let amountMinor = object.required("amountMinor", as: Int.self)
        let currency = object.required("currency", as: String.self)
        try object.finish()
        self.storefront = try storefront()
        self.role = try role()
        amount = Money(amountMinor: try amountMinor(), currency: try currency())
    }
}

extension Availability.Window: JSONDecodable {
    package init(from json: JSONReader) throws(JSONRefusal) {
        var object = try json.object()
        from = object.optional("from", as: Int.self).map { Timestamp(clamping: $0) }
        until = object.optional("until", as: Int.self).map { Timestamp(clamping: $0) }
        try object.finish()
    }
}
