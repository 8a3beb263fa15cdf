package import Items
package import JSON
internal import Values

/// A category of items.
package struct CategoryRecord: Sendable, Equatable {
    package let key: String
    /// The kind of its items, or nil if it takes items of every kind.
    package let itemKind: ItemKind?
    package let titles: [LocaleText]

    package init(key: String, itemKind: ItemKind? = nil, title: String) {
        self.key = key
        self.itemKind = itemKind
        titles = [LocaleText(locale: .english, text: title)]
    }

    /// Creates a record of the catalog, whose titles are sorted by the bytes of their locales.
    init(key: String, itemKind: ItemKind?, titles: [LocaleText]) {
        self.key = key
        self.itemKind = itemKind
        self.titles = titles
    }

    init(reading object: inout JSONObjectReader) throws(JSONReadError) {
        let key = object.required("key", .slug)
        itemKind = object.optional("itemKind")
        let titles = object.requiredTexts("title", 1...200)
        try object.finish()
        self.key = try key()
        self.titles = try titles().texts
    }
}

extension CategoryRecord: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("kind", "category")
            $0.member("key", key)
            $0.member("itemKind", itemKind)
            $0.member("title", titles)
        }
    }
}
