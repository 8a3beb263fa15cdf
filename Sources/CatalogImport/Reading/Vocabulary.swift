package import Items
internal import JSON

/// The names that items can use: those of the catalog, and those that the file has defined so far.
package struct Vocabulary: Sendable {
    /// The categories, each with the kind that it is for. Nil is every kind.
    package var categories: [String: ItemKind?]
    /// The storefronts with their currencies.
    package var storefronts: [String: String]
    /// The time zones that the server knows, or nil if they have not been read.
    package var timeZones: Set<String>?

    package init(categories: [String: ItemKind?] = [:], storefronts: [String: String] = [:], timeZones: Set<String>? = nil) {
        self.categories = categories
        self.storefronts = storefronts
        self.timeZones = timeZones
    }

    mutating func learn(_ record: CatalogRecord) {
        switch record {
        case .storefront(let storefront): storefronts[storefront.key] = storefront.currency
        case .category(let category): categories[category.key] = .some(category.itemKind)
        case .item, .chart: break
        }
    }

    /// Whether this record can make items invalid that were valid before it.
    func changes(_ record: CatalogRecord) -> Bool {
        switch record {
        case .storefront(let storefront): storefronts[storefront.key].map { $0 != storefront.currency } ?? false
        case .category(let category): category.itemKind != nil && categories[category.key].map { $0 != category.itemKind } ?? false
        case .item, .chart: false
        }
    }

    /// An issue of a record that uses an unknown name.
    struct Issue {
        let pointer: JSONPointer
        let code: JSONIssue.Code
        let reason: String
    }

    func issues(in record: CatalogRecord) -> [Issue] {
        switch record {
        case .category: []
        case .storefront(let storefront): issues(in: storefront)
        case .item(let item): issues(in: item)
        case .chart(let chart): unknown(chart.storefront, JSONPointer(tokens: ["storefront"])).map { [$0] } ?? []
        }
    }

    private func issues(in storefront: StorefrontRecord) -> [Issue] {
        guard let timeZones, !timeZones.contains(storefront.timeZone) else { return [] }
        return [
            Issue(
                pointer: JSONPointer(tokens: ["timeZone"]), code: .unknownReference,
                reason: "the time zone \(storefront.timeZone) does not exist")
        ]
    }

    private func issues(in item: ItemRecord) -> [Issue] {
        var issues: [Issue] = []
        for (index, category) in item.content.categories.enumerated() {
            let pointer = JSONPointer(tokens: ["categories", "\(index)"])
            guard let kind = categories[category] else {
                issues.append(Issue(pointer: pointer, code: .unknownReference, reason: "the category \(category) does not exist"))
                continue
            }
            if let kind, kind != item.kind {
                issues.append(
                    Issue(pointer: pointer, code: .unknownReference, reason: "the category \(category) cannot contain items of this kind"))
            }
        }
        if case .within(let storefronts) = item.content.availability {
            for storefront in storefronts.map(\.storefront) {
                if let issue = unknown(storefront, JSONPointer(tokens: ["availability", storefront])) { issues.append(issue) }
            }
        }
        for price in item.content.prices {
            let pointer = JSONPointer(tokens: [price.role.member, price.storefront])
            if let issue = unknown(price.storefront, pointer) {
                issues.append(issue)
            } else if let currency = storefronts[price.storefront], currency != price.amount.currency {
                issues.append(
                    Issue(
                        pointer: pointer.appending("currency"), code: .unknownReference,
                        reason: "the currency of \(price.storefront) is \(currency)"))
            }
        }
        return issues
    }

    private func unknown(_ storefront: String, _ pointer: JSONPointer) -> Issue? {
        guard storefronts[storefront] == nil else { return nil }
        return Issue(pointer: pointer, code: .unknownReference, reason: "the storefront \(storefront) does not exist")
    }
}
