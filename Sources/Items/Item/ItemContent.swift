package import JSON

/// All that a catalog file says about an item beyond what it is called, brought to one form: two are equal where they say the same, however
/// they were written.
package struct ItemContent: Sendable, Equatable {
    /// Never empty; sorted by the bytes of the locales.
    package let texts: [ItemText]
    /// Nil for the artwork that is made of the id.
    package let image: ItemImage?
    /// Never empty; the first is the main one.
    package let categories: [String]
    package let rating: ItemRating?
    package let availability: Availability
    /// Sorted by storefront.
    package let prices: [ItemPrice]
    package let details: Details

    /// Apart from the content, which is handed on by many.
    package indirect enum Details: Sendable, Equatable {
        case topApp(TopApp)
        case foodApp(FoodApp)
    }

    package var kind: ItemKind {
        switch details {
        case .topApp: .topApp
        case .foodApp: .foodApp
        }
    }
}

/// What an item is, as documents and the database name it.
package enum ItemKind: String, Sendable, Hashable, CaseIterable, JSONDecodable, JSONEncodable {
    case topApp, foodApp
}

/// What an item says in one locale.
package struct ItemText: Sendable, Equatable {
    package let locale: LocaleTag
    package let title: String
    package fileprivate(set) var subtitle: String?
    /// What the image shows, for those who do not see it.
    package fileprivate(set) var imageAlt: String?
}

extension ItemContent {
    /// Reads what is left of a record, and finishes it. A file is read strictly; a published document, which is read leniently, is not held to
    /// the rules for texts and words, which may be younger than it.
    package init(_ kind: ItemKind, finishing object: inout JSONObjectReader) throws(JSONReadError) {
        let titles = object.requiredTexts("title", 1...200)
        let subtitles = object.optionalTexts("subtitle", 1...500)
        let image = object.optional("image", as: ImageMember.self)
        let categories = object.required("categories", as: [String].self, object.ifStrict(.all(.slug, 1...50, "keys of categories")))
        let rating = object.optional("rating", as: ItemRating.self)
        // Without it the item would be everywhere.
        let availability = object.essential("availability", default: Availability.everywhere)
        let details: Details?
        var prices: [ItemPrice]
        switch kind {
        case .topApp:
            prices = object.prices(.price)
            details = TopApp.read(&object).map(Details.topApp)
        case .foodApp:
            prices = object.prices(.minimumOrder) + object.prices(.deliveryFee)
            details = FoodApp.read(&object).map(Details.foodApp)
        }
        try object.finish()
        guard let details else { throw object.refuse(.missingKey, at: "kind", "the item is not complete") }
        var texts = try titles().texts.map { ItemText(locale: $0.locale, title: $0.text) }
        if let locale = texts.put(subtitles, { $0.subtitle = $1 }) {
            throw object.refuse(.missingKey, at: "subtitle", "there is no title in \(locale), in which there is a subtitle")
        }
        if let image, let locale = texts.put(image.alt, { $0.imageAlt = $1 }) {
            throw object.refuse(.missingKey, at: "image", "there is no title in \(locale), in which the image is described")
        }
        if prices.count > 1 { prices.sort { $0.precedes($1) } }
        self.texts = texts
        self.image = image?.image
        self.categories = try categories()
        self.rating = rating
        self.availability = availability
        self.prices = prices
        self.details = details
    }

    /// In one order and with lists sorted, so that equal contents have one text.
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("title", texts.map { LocaleText(locale: $0.locale, text: $0.title) })
        json.member("subtitle", texts.inLocales(\.subtitle))
        let alt = texts.inLocales(\.imageAlt)
        if image != nil || !alt.isEmpty {
            json.member("image") {
                image?.encodeMembers(to: &$0)
                $0.member("alt", alt)
            }
        }
        json.member("categories", categories)
        json.member("rating", rating)
        json.member("availability", availability, unless: .everywhere)
        switch details {
        case .topApp(let app):
            json.member(prices, .price)
            app.encodeMembers(to: &json)
        case .foodApp(let app):
            json.member(prices, .minimumOrder)
            json.member(prices, .deliveryFee)
            app.encodeMembers(to: &json)
        }
    }
}

extension [ItemText] {
    /// Puts each text beside the title in its locale. Both are sorted; returns the first locale that has no title.
    fileprivate mutating func put(_ others: [LocaleText], _ set: (inout ItemText, String) -> Void) -> LocaleTag? {
        var place = 0
        for other in others {
            while place < count, self[place].locale != other.locale { place += 1 }
            guard place < count else { return other.locale }
            set(&self[place], other.text)
        }
        return nil
    }

    fileprivate func inLocales(_ part: (ItemText) -> String?) -> [LocaleText] {
        compactMap { text in part(text).map { LocaleText(locale: text.locale, text: $0) } }
    }
}
