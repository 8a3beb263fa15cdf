internal import CatalogImport
import Host
internal import Items
internal import JSON
internal import Values

/// A list of any number of items, written page by page if the format allows it.
struct ItemPager: Sendable {
    /// The maximum that the server returns in one response.
    private static let pageSize = 200

    let filter: AdminClient.Query
    let limit: Int
    let format: ListFormat
    let console: Console

    /// Prints the items. Returns whether there are more than were requested.
    func run(_ server: AdminClient) async throws -> Bool {
        let isStreamed = [.name, .jsonl, .csv].contains(format)
        var stored: [RemoteValue<StoredItem.Summary>] = []
        var count = 0
        var cursor: String?
        defer { if !isStreamed { console.clearLine() } }
        repeat {
            let size = min(Self.pageSize, limit - count)
            let query = filter + [(name: "limit", value: "\(size)"), (name: "cursor", value: cursor)]
            let page = try await server.page("items", "items", query, of: StoredItem.Summary.self)
            let items = page.elements
            cursor = page.next
            if isStreamed {
                let text = try self.text(items, isFirst: count == 0)
                guard try StandardStream.output.deliver(text) else { return false }
            } else {
                stored += items
                if cursor != nil, stored.count < limit { console.rewriteLine { _ in "\(stored.count) of at most \(limit) items" } }
            }
            count += items.count
        } while cursor != nil && count < limit
        if !isStreamed {
            console.clearLine()
            try StandardStream.output.write(text(stored, isFirst: true))
        }
        return cursor != nil
    }

    private func text(_ items: [RemoteValue<StoredItem.Summary>], isFirst: Bool) throws(JSONError) -> [UInt8] {
        try ListPage(elements: items, columns: RemoteValue<StoredItem.Summary>.columns, name: \.name, hasHeader: isFirst)
            .text(as: format, width: StandardStream.output.width)
    }
}

extension RemoteValue<StoredItem.Summary> {
    fileprivate var name: String { CatalogItem.name(kind: content.kind, slug: content.slug) }

    fileprivate static var columns: [ListPage<Self>.Column] {
        [
            .init(title: "SERIAL") { "\($0.serialNumber)" },
            .init(title: "ITEM") { $0.name },
            .init(title: "STATE") { $0.isWithdrawn ? "withdrawn" : "" },
            .init(title: "TITLE") { $0.title },
            .init(title: "ID", isWide: true) { $0.id.description },
            .init(title: "SOURCE", isWide: true) { $0.source },
            .init(title: "VERSION", isWide: true) { "\($0.version)" },
            fact("DEVELOPER") { $0.developer ?? "" },
            fact("PLATFORMS") { $0.platforms.text { key, platform in platform.minimumOS.map { "\(key) \($0)" } ?? key } },
            fact("AGE") { $0.ageRatings.text { "\($0) \($1)" } },
            fact("DELIVERY") { facts in facts.deliveryMinutes.map { "\($0.range.lowerBound)-\($0.range.upperBound) min" } ?? "" },
            fact("DIET") { $0.dietaryTags.joined(separator: ",") },
            fact("TAGS") { $0.tags.joined(separator: ",") },
            fact("SALE") { $0.currentPrices.text { key, price in price.discountPercent.map { "\(key) \($0)%" } } },
            .init(title: "PRICE", isWide: true, placeholder: "-") { item in
                // A TopApp without a price is free.
                item.kind == ItemKind.topApp.rawValue && item.facts.currentPrices.isEmpty
                    ? "free" : item.facts.currentPrices.text { "\($0) \($1.amount.text)" }
            },
        ]
    }

    /// Returns the column of a fact that rules compare.
    private static func fact(_ title: String, _ text: @escaping @Sendable (StoredItem.Facts) -> String) -> ListPage<Self>.Column {
        .init(title: title, isWide: true, placeholder: "-") { text($0.facts) }
    }
}

extension Dictionary where Key == String {
    /// Returns the entries as a list, sorted by key. An entry without a text is omitted.
    fileprivate func text(_ entry: (String, Value) -> String?) -> String {
        sorted { $0.key < $1.key }.compactMap { entry($0.key, $0.value) }.joined(separator: ",")
    }
}
