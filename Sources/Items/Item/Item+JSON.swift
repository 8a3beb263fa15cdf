package import JSON
internal import Values

extension Item {
    /// Of a published document, which has its version beside it. What a later program wrote there for others is passed by.
    package init(version: Int, document: [UInt8]) throws(JSONError) {
        self = try JSONDocument(parsing: document, limits: .ownOutput).decodeLeniently(Content.self).value.item(version)
    }
}

/// All of an item but its version.
private struct Content: JSONDecodable {
    let item: (_ version: Int) -> Item

    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let id = object.required("id", as: String.self)
        let serialNumber = object.required("serialNumber", as: Int.self)
        let slug = object.required("slug", as: String.self)
        let texts = object.required("texts", as: Texts.self)
        let image = object.optional("image", as: ItemImage.self)
        let categories = object.required("categories", as: [String].self)
        let rating = object.optional("rating", as: Item.Rating.self)
        let windows = object.optional("availability", as: [String: [Availability.Window]].self)
        let prices = object.value("prices", default: [ItemPrice]())
        let topApp = object.optional("topApp", as: TopApp.self)
        let foodApp = object.optional("foodApp", as: FoodApp.self)
        try object.finish()
        guard let uuid = UUID(try id()) else { throw json.refuse(.wrongType, "the id is no uuid") }
        guard let detail = topApp.map(Item.Detail.topApp) ?? foodApp.map(Item.Detail.foodApp) else {
            throw json.refuse(.missingKey, "the item is of no kind")
        }
        let (number, name, localized, listed) = (try serialNumber(), try slug(), try texts().byLocale, try categories())
        item = { version in
            Item(
                id: uuid, version: version, serialNumber: number, slug: name, texts: localized, image: image, categories: listed,
                rating: rating, availability: windows.map { .within($0) } ?? .everywhere, prices: prices, detail: detail)
        }
    }
}

/// Without those of locales that this program cannot spell.
private struct Texts: JSONDecodable {
    let byLocale: [LocaleTag: ItemText]

    init(from json: JSONReader) throws(JSONReadError) {
        let values = try json.values()
        var texts: [LocaleTag: ItemText] = Dictionary(minimumCapacity: values.underestimatedCount)
        for value in values {
            let text: ItemText = try value.decode()
            if let locale = LocaleTag(value.key) { texts[locale] = text }
        }
        byLocale = texts
    }
}

extension ItemText: JSONDecodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let title = object.required("title", as: String.self)
        subtitle = object.optional("subtitle")
        imageAlt = object.optional("imageAlt")
        try object.finish()
        self.title = try title()
    }
}

extension ItemImage: JSONDecodable {
    package init(from json: JSONReader) throws(JSONReadError) {
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
    package init(from json: JSONReader) throws(JSONReadError) {
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
    package init(from json: JSONReader) throws(JSONReadError) {
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
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        from = object.optional("from", as: Int.self).map { Timestamp(clamping: $0) }
        until = object.optional("until", as: Int.self).map { Timestamp(clamping: $0) }
        try object.finish()
    }
}
