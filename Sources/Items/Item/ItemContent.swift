package import JSON
package import Values

/// The content of an item in a catalog file, without its identity. It is normalized: two contents are equal if they
/// mean the same, in whatever form they were written. It is a class because it is copied often and has twenty references.
package final class ItemContent: Sendable, Equatable {
    /// The texts, sorted by the bytes of their locales. Never empty.
    package let texts: [ItemText]
    package let images: ItemImages
    /// The categories, the main one first. Never empty.
    package let categories: [String]
    /// The tags that rules can select. Clients do not receive them.
    package let tags: [String]
    package let rating: ItemRating?
    package let availability: Availability
    /// The prices, sorted by storefront.
    package let prices: [ItemPrice]
    /// The periods with other prices, sorted by storefront, price and time.
    package let pricePeriods: [PricePeriod]
    package let details: Details

    /// The fields of one kind of item.
    package enum Details: Sendable, Equatable {
        case topApp(TopApp)
        case foodApp(FoodApp)
    }

    package var kind: ItemKind {
        switch details {
        case .topApp: .topApp
        case .foodApp: .foodApp
        }
    }

    /// Reads the remaining fields of a record and finishes it.
    ///
    /// A catalog file is read strictly. A published document is read leniently, because it can be older than the
    /// current rules for texts and identifiers.
    package init(_ kind: ItemKind, finishing object: inout JSONObjectReader) throws(JSONReadError) {
        let titles = object.requiredTexts("title", 1...200)
        let subtitles = object.optionalTexts("subtitle", 1...500)
        let image = object.optional("image", as: IconField.self)
        let images = object.optional("images", as: ItemImages.Roles.self)
        let categories = object.required("categories", each: .slug, 1...50, "keys of categories")
        let tags = object.optional("tags", each: .slug, 0...50, "tags") ?? []
        let rating = object.optional("rating", as: ItemRating.self)
        // Without this field the item would be available everywhere.
        let availability = object.essential("availability", default: Availability.everywhere)
        let details: Details?
        var prices: [ItemPrice] = []
        var pricePeriods: [PricePeriod] = []
        switch kind {
        case .topApp:
            object.read(.price, into: &prices)
            object.read(.price, into: &pricePeriods)
            details = TopApp.read(&object).map(Details.topApp)
        case .foodApp:
            object.read(.minimumOrder, into: &prices)
            object.read(.deliveryFee, into: &prices)
            object.read(.minimumOrder, into: &pricePeriods)
            object.read(.deliveryFee, into: &pricePeriods)
            details = FoodApp.read(&object).map(Details.foodApp)
        }
        try object.finish()
        guard let details else { throw object.refuse(.missingKey, at: "kind", "the record is incomplete") }
        var texts = try titles().texts.map { ItemText(locale: $0.locale, title: $0.text) }
        if let locale = texts.merge(subtitles, { $0.subtitle = $1 }) {
            throw object.refuse(.missingKey, at: "subtitle", "the subtitle has a text in \(locale), but the title does not")
        }
        if let image, let locale = texts.merge(image.alt, { $0.imageAlt = $1 }) {
            throw object.refuse(.missingKey, at: "image", "the image has an alt text in \(locale), but the title does not")
        }
        if prices.count > 1 { prices.sort { $0.precedes($1) } }
        if pricePeriods.count > 1 { pricePeriods.sort { $0.precedes($1) } }
        self.texts = texts
        self.images = ItemImages(icon: image?.icon, images?.roles ?? [:])
        self.categories = try categories()
        self.tags = tags
        self.rating = rating
        self.availability = availability
        self.prices = prices
        self.pricePeriods = pricePeriods
        self.details = details
    }

    package static func == (a: ItemContent, b: ItemContent) -> Bool {
        a.texts == b.texts && a.images == b.images && a.categories == b.categories && a.tags == b.tags && a.rating == b.rating
            && a.availability == b.availability && a.prices == b.prices && a.pricePeriods == b.pricePeriods && a.details == b.details
    }
}

/// The kind of an item, as named in documents and in the database.
package enum ItemKind: String, Sendable, Hashable, CaseIterable, JSONDecodable, JSONEncodable {
    case topApp, foodApp
}

/// The texts of an item in one locale.
package struct ItemText: Sendable, Equatable {
    package let locale: LocaleTag
    package let title: String
    package fileprivate(set) var subtitle: String?
    /// The description of the icon for users who cannot see it.
    package fileprivate(set) var imageAlt: String?
}

extension ItemContent {
    /// Encodes the fields in a fixed order, with sorted lists, so that equal contents have the same text.
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("title") { json in
            for text in texts { json.member(text.locale.text, text.title) }
        }
        json.member("subtitle", texts.inLocales(\.subtitle))
        json.member("image", IconField(icon: images.icon, alt: texts.inLocales(\.imageAlt)))
        json.member("images", images.others)
        json.member("categories", categories)
        json.member("tags", tags, unless: [])
        json.member("rating", rating)
        json.member("availability", availability, unless: .everywhere)
        switch details {
        case .topApp(let app):
            json.member(prices, .price)
            json.member(pricePeriods, .price)
            app.encodeMembers(to: &json)
        case .foodApp(let app):
            json.member(prices, .minimumOrder)
            json.member(prices, .deliveryFee)
            json.member(pricePeriods, .minimumOrder)
            json.member(pricePeriods, .deliveryFee)
            app.encodeMembers(to: &json)
        }
    }
}

extension [ItemText] {
    /// Sets each text on the element of the same locale. Both lists are sorted. Returns the first locale that has no
    /// title.
    fileprivate mutating func merge(_ others: [LocaleText], _ set: (inout ItemText, String) -> Void) -> LocaleTag? {
        var position = 0
        for other in others {
            while position < count, self[position].locale != other.locale { position += 1 }
            guard position < count else { return other.locale }
            set(&self[position], other.text)
        }
        return nil
    }

    fileprivate func inLocales(_ part: (ItemText) -> String?) -> [LocaleText] {
        compactMap { text in part(text).map { LocaleText(locale: text.locale, text: $0) } }
    }
}
