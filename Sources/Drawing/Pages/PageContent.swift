package import Feeds
package import JSON

/// A page with the parts of its document that only a picture of its cells shows.
package struct PageContent: Sendable {
    struct Section: Sendable {
        let page: ClientPage.Section
        let hasList: Bool
        /// The cell style of each slot that `styles` does not have.
        let style: String?
        let styles: [String: String]

        /// The cell style of a slot, or nil if the page does not name one.
        func style(of slot: String?) -> String? { slot.flatMap { styles[$0] } ?? style }
    }

    let page: ClientPage
    /// The sections by their ids.
    let sections: [String: Section]
    /// The items by their ids.
    let items: [String: Item]

    /// Reads the other parts of a page from its document. Invalid parts are omitted.
    package init(_ page: ClientPage, _ document: JSONDocument) {
        self.page = page
        let details = document.root["sections"]?.elements.map(\.self) ?? []
        let sections = zip(page.sections, details).map { section, json in
            let styles = (json["cells"]?.members.map(\.self) ?? []).compactMap { style in style.value.string.map { (style.key, $0) } }
            return Section(
                page: section, hasList: json["seeAll"] != nil, style: json["cell"]?.string,
                styles: Dictionary(styles, uniquingKeysWith: { first, _ in first }))
        }
        self.sections = Dictionary(sections.map { ($0.page.id, $0) }, uniquingKeysWith: { first, _ in first })
        let items = (document.root["items"]?.members.map(\.self) ?? []).map { ($0.key, Item($0.value)) }
        self.items = Dictionary(items, uniquingKeysWith: { first, _ in first })
    }
}

extension PageContent {
    /// The details of an item that a cell shows.
    struct Item: Sendable {
        struct Image: Sendable {
            let url: String
            /// The color that a cell shows until its image is loaded, as `#RRGGBB`.
            let color: String
            /// The size in pixels. The image is a square if the page has no valid size.
            let width: Int
            let height: Int
        }

        struct Amount: Sendable {
            let minor: Int
            let currency: String
        }

        let isFood: Bool
        let subtitle: String?
        let image: Image?
        let rating: Double?
        let price: Amount?
        let deliveryMinutes: (from: Int, to: Int)?

        init(_ json: JSONNode) {
            isFood = json["kind"]?.string == "foodApp"
            subtitle = json["subtitle"]?.string
            image = json["image"].flatMap(Image.init)
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

extension PageContent.Item.Image {
    /// Returns nil if the image has no URL.
    fileprivate init?(_ json: JSONNode) {
        guard let url = json["url"]?.string else { return nil }
        self.url = url
        color = Self.color(json["color"]?.string) ?? "#c7c7cc"
        let (width, height) = (json["width"]?.integer ?? 0, json["height"]?.integer ?? 0)
        (self.width, self.height) = width > 0 && height > 0 ? (width, height) : (1, 1)
    }

    /// Returns the text if it is a color, because it becomes a part of the picture's source.
    private static func color(_ text: String?) -> String? {
        guard let text, text.utf8.count == 7, text.hasPrefix("#"), text.dropFirst().allSatisfy(\.isHexDigit) else { return nil }
        return text
    }
}
