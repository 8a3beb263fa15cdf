package import Items
package import JSON
package import Values

/// An item as a file has it, brought to one form: two records are equal where they say the same, however they were written.
package struct ItemRecord: Sendable, Equatable {
    package var source: String
    package var id: UUID?
    package var serialNumber: Int64?
    package var slug: String?
    /// Titles in at least one locale; sorted by locale, as all lists are whose order says nothing.
    package var texts: [ItemText]
    package var image: ItemImage?
    /// The first is the main one.
    package var categories: [String]
    package var rating: ItemRating?
    /// Nil where the item is everywhere at all times.
    package var availability: [ItemAvailability]?
    package var prices: [ItemPrice]
    package var details: Details

    package enum Details: Sendable, Equatable {
        case topApp(TopAppRecord)
        case foodApp(FoodAppRecord)
    }

    /// How many rows its texts, categories, prices and times take.
    var parts: Int { texts.count + categories.count + prices.count + (availability?.reduce(0) { $0 + $1.windows.count } ?? 0) }

    package var kind: ItemKind {
        switch details {
        case .topApp: .topApp
        case .foodApp: .foodApp
        }
    }

    init(_ kind: ItemKind, reading object: inout JSONObjectReader) throws(JSONReadError) {
        let source = object.required("source", as: String.self, .line(1...200))
        let id = object.optional("id", as: ItemID.self)
        let serialNumber = object.optional("serialNumber", as: Int64.self, .in(1...9_007_199_254_740_991))
        let slug = object.optional("slug", as: String.self, .slug)
        let titles = object.requiredTexts("title", 1...200)
        let subtitles = object.optionalTexts("subtitle", 1...500)
        let image = object.optional("image", as: ItemImageReading.self)
        let categories = object.required("categories", as: [String].self, .all(.slug, 1...50, "keys of categories"))
        let rating = object.optional("rating", as: ItemRating.self)
        let availability = object.optional("availability", as: ItemAvailabilities.self)
        let details: Details?
        var prices: [ItemPrice]
        switch kind {
        case .topApp:
            prices = object.prices("prices", .price)
            details = TopAppRecord.read(&object).map(Details.topApp)
        case .foodApp:
            prices = object.prices("minimumOrder", .minimumOrder) + object.prices("deliveryFee", .deliveryFee)
            details = FoodAppRecord.read(&object).map(Details.foodApp)
        }
        try object.finish()
        guard let details else { throw object.refuse(.missingKey, at: "kind", "the item is not complete") }
        texts = try titles().texts.map { ItemText(locale: $0.locale, title: $0.text) }
        for subtitle in subtitles {
            guard texts.set(\.subtitle, to: subtitle) else {
                throw object.refuse(.missingKey, at: "subtitle", "there is no title in \(subtitle.locale), in which there is a subtitle")
            }
        }
        for alt in image?.alt ?? [] {
            guard texts.set(\.imageAlt, to: alt) else {
                throw object.refuse(.missingKey, at: "image", "there is no title in \(alt.locale), in which the image is described")
            }
        }
        if prices.count > 1 { prices.sort { $0.precedes($1) } }
        self.source = try source()
        self.id = id?.id
        self.serialNumber = serialNumber
        self.slug = slug
        self.image = image?.image
        self.categories = try categories()
        self.rating = rating
        self.availability = availability?.list
        self.prices = prices
        self.details = details
    }
}

/// What an item is called in one locale.
package struct ItemText: Sendable, Equatable {
    package let locale: String
    package var title: String
    package var subtitle: String?
    /// What the image shows, for those who do not see it.
    package var imageAlt: String?
}

extension [ItemText] {
    fileprivate mutating func set(_ part: WritableKeyPath<ItemText, String?>, to text: LocalizedText) -> Bool {
        guard let place = firstIndex(where: { $0.locale.utf8.elementsEqual(text.locale.utf8) }) else { return false }
        self[place][keyPath: part] = text.text
        return true
    }

    fileprivate func locales(_ part: KeyPath<ItemText, String?>) -> [LocalizedText] {
        compactMap { text in text[keyPath: part].map { LocalizedText(locale: text.locale, text: $0) } }
    }
}

extension ItemRecord: JSONEncodable {
    /// Members in one order and lists sorted, so that equal records have one text.
    package func encode(to json: inout JSONWriter) { encode(to: &json, asContent: false) }

    /// The content leaves out what tells the item from others and never changes.
    func encode(to json: inout JSONWriter, asContent: Bool) {
        json.object { json in
            json.member("kind", kind)
            json.member("source", source)
            if !asContent {
                json.member("id", id?.description)
                json.member("serialNumber", serialNumber)
            }
            json.member("slug", slug)
            json.member("title", texts.map { LocalizedText(locale: $0.locale, text: $0.title) })
            json.member("subtitle", texts.locales(\.subtitle))
            encodeImage(to: &json)
            json.member("categories", categories)
            json.member("rating", rating)
            if let availability { json.member("availability", ItemAvailabilities(list: availability)) }
            switch details {
            case .topApp(let app):
                json.member("prices", prices, .price)
                app.encodeMembers(to: &json)
            case .foodApp(let app):
                json.member("minimumOrder", prices, .minimumOrder)
                json.member("deliveryFee", prices, .deliveryFee)
                app.encodeMembers(to: &json)
            }
        }
    }

    private func encodeImage(to json: inout JSONWriter) {
        let alt = texts.locales(\.imageAlt)
        guard image != nil || !alt.isEmpty else { return }
        json.member("image") {
            $0.member("url", image?.url)
            $0.member("width", image?.width)
            $0.member("height", image?.height)
            $0.member("color", image?.color)
            $0.member("blurhash", image?.blurhash)
            $0.member("alt", alt)
        }
    }
}

private struct ItemID: JSONDecodable {
    let id: UUID

    init(from json: JSONReader) throws(JSONReadError) {
        guard let id = UUID(try json.decode(as: String.self)) else { throw json.refuse(.badForm, "expected a UUID with its hyphens") }
        self.id = id
    }
}
