package import JSON

/// The parts of a page document that only a picture of its cells shows, by section and by item.
package struct PageContent: Sendable {
    struct Section: Sendable {
        let subtitle: String?
        let hasList: Bool
        /// The cell style of all cells, or nil if `styles` has them by slot.
        let style: String?
        let styles: [String: String]
        /// The items in the order of the cells.
        let items: [String]
        let badges: [[String]]

        /// The cell style of a slot, or nil if the page does not name one.
        func style(of slot: String?) -> String? { style ?? slot.flatMap { styles[$0] } }
    }

    let locale: String
    let title: String
    let sections: [String: Section]
    let items: [String: Item]

    /// Reads a page. Invalid parts are omitted.
    package init(_ document: JSONDocument) {
        let root = document.root
        locale = root["locale"]?.string ?? ""
        title = root["title"]?.string ?? ""
        var sections: [String: Section] = [:]
        for section in root["sections"]?.elements.map(\.self) ?? [] {
            guard let id = section["id"]?.string else { continue }
            let placements = section["items"]?.elements.map(\.self) ?? []
            var styles: [String: String] = [:]
            for style in section["cells"]?.members.map(\.self) ?? [] { styles[style.key] = style.value.string }
            sections[id] = Section(
                subtitle: section["subtitle"]?.string, hasList: section["seeAll"] != nil, style: section["cell"]?.string, styles: styles,
                items: placements.map { $0["item"]?.string ?? "" },
                badges: placements.map { $0["badges"]?.elements.compactMap(\.string) ?? [] })
        }
        self.sections = sections
        var items: [String: Item] = [:]
        for item in root["items"]?.members.map(\.self) ?? [] { items[item.key] = Item(item.value, id: item.key) }
        self.items = items
    }
}

extension PageContent {
    /// An item as a cell shows it.
    struct Item: Sendable {
        struct Image: Sendable {
            let url: String
            /// The color that a cell shows until its image is loaded, as `#RRGGBB`.
            let color: String
        }

        struct Amount: Sendable {
            let minor: Int
            let currency: String
        }

        let isFood: Bool
        let title: String
        let subtitle: String?
        let image: Image?
        let rating: Double?
        let price: Amount?
        let deliveryMinutes: (from: Int, to: Int)?

        init(_ json: JSONNode, id: String) {
            isFood = json["kind"]?.string == "foodApp"
            title = json["title"]?.string ?? id
            subtitle = json["subtitle"]?.string
            image = json["image"].flatMap { image in
                image["url"]?.string.map { Image(url: $0, color: Self.color(image["color"]?.string) ?? "#c7c7cc") }
            }
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

        /// Returns the text if it is a color, because it becomes a part of the picture's source.
        private static func color(_ text: String?) -> String? {
            guard let text, text.utf8.count == 7, text.hasPrefix("#"), text.dropFirst().allSatisfy(\.isHexDigit) else { return nil }
            return text
        }
    }
}
