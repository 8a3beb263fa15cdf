package import Feeds
package import JSON

/// A page with the parts of its document that only a picture of its cells shows.
package struct PageContent: Sendable {
    struct Section: Sendable {
        let page: ClientPage.Section
        let hasList: Bool
    }

    let page: ClientPage
    /// The sections by their ids.
    let sections: [String: Section]
    /// The items by their ids.
    let items: [String: Item]

    /// Reads the other parts of a page from its document. Invalid parts are omitted.
    package init(_ page: ClientPage, _ document: JSONDocument) {
        self.page = page
        let details = (document.root["sections"]?.elements.map(\.self) ?? []).map { ($0["id"]?.string ?? "", $0) }
        let detailsById = Dictionary(details, uniquingKeysWith: { first, _ in first })
        let sections = page.sections.compactMap { section -> Section? in
            guard let json = detailsById[section.id] else { return nil }
            return Section(page: section, hasList: json["seeAll"] != nil)
        }
        self.sections = Dictionary(sections.map { ($0.page.id, $0) }, uniquingKeysWith: { first, _ in first })
        let items = (document.root["items"]?.members.map(\.self) ?? []).map { ($0.key, Item($0.value)) }
        self.items = Dictionary(items, uniquingKeysWith: { first, _ in first })
    }
}

extension PageContent {
    /// The details of an item that a cell shows.
    struct Item: Sendable {
        struct Amount: Sendable {
            let minor: Int
            let currency: String
        }

        let isFood: Bool
        let subtitle: String?
        let image: PageImage?
        let hero: PageImage?
        let rating: Double?
        let price: Amount?
        let deliveryMinutes: (from: Int, to: Int)?

        init(_ json: JSONNode) {
            isFood = json["kind"]?.string == "foodApp"
            subtitle = json["subtitle"]?.string
            image = json["image"].flatMap { PageImage($0) }
            hero = json["hero"].flatMap { PageImage($0) }
            rating = json["rating"]?["average"]?.double.flatMap { $0 > 0 && $0 <= 5 ? $0 : nil }
            price = json["price"].flatMap { price in
                guard let minor = price["amountMinor"]?.integer, let currency = price["currency"]?.string else { return nil }
                return Amount(minor: minor, currency: currency)
            }
            deliveryMinutes = json["deliveryMinutes"].flatMap { minutes in
                guard let from = minutes["from"]?.integer, let to = minutes["to"]?.integer else { return nil }
                return (from, to)
            }
        }
    }
}

extension PageContent {
    /// Returns the content of a cell, or nil if the page does not have its item.
    func cell(of placement: ClientPage.Item, _ words: CellWords) -> CellContent? {
        if placement.isCard { return placement.appearance.map { CellContent(card: $0, placement, words) } }
        return items[placement.id].map { CellContent($0, placement, words) }
    }
}
