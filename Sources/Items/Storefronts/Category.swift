/// A shelf of the store, with what it is called and how many items it has.
package struct Category: Sendable, Equatable {
    package let key: String
    /// Nil for items of every kind.
    package let itemKind: ItemKind?
    package let titles: [LocaleTag: String]
    /// In one storefront at one moment.
    package let items: Int

    package init(key: String, itemKind: ItemKind?, titles: [LocaleTag: String], items: Int) {
        self.key = key
        self.itemKind = itemKind
        self.titles = titles
        self.items = items
    }
}
