package import Items
internal import JSON
internal import Values

/// The names that items can use: those of the catalog, and those that the file has defined so far.
package struct Vocabulary: Sendable {
    /// The categories, each with the kind that it is for. Nil is every kind.
    package var categories: [String: ItemKind?]
    /// The storefronts with their currencies.
    package var storefronts: [String: String]
    /// The time zones that the server knows, or nil if they have not been read.
    package var timeZones: Set<String>?
    /// The platforms, or nil if they have not been read.
    package var platforms: [String]?
    /// The labels of each rating scheme, or nil if they have not been read.
    package var ratingLabels: [String: [String]]?

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
        /// The element below the pointer, if a record does not keep the order in which its elements were written.
        var element: Element?
        let code: JSONIssue.Code
        let reason: String

        enum Element {
            /// A platform: a key of the object, or an element of the list.
            case platform(String)
            /// The currency of the price period that starts at the time.
            case currency(from: Timestamp?)
        }

        /// Returns the pointer in a record as it was written. If its text is unknown, the pointer ends above the element.
        func pointer(in record: JSONNode?) -> JSONPointer {
            guard let record, let element else { return pointer }
            let list = record.nearest(to: pointer)
            switch element {
            case .platform(let key):
                if list.kind == .object { return pointer.appending(key) }
                return list.elements.enumerated().first { $0.element.string == key }.map { pointer.appending($0.offset) } ?? pointer
            case .currency(let start):
                let period = list.elements.enumerated().first { $0.element["from"]?.string.flatMap { Timestamp($0) } == start }
                return period.map { pointer.appending($0.offset).appending("currency") } ?? pointer
            }
        }
    }

    func issues(in record: CatalogRecord) -> [Issue] {
        switch record {
        case .category: []
        case .storefront(let storefront): issues(in: storefront)
        case .item(let item): issues(in: item)
        case .chart(let chart): unknown(chart.storefront, at: JSONPointer(tokens: ["storefront"])).map { [$0] } ?? []
        }
    }

    private func issues(in storefront: StorefrontRecord) -> [Issue] {
        var issues = unknown(timeZone: storefront.timeZone).map { [$0] } ?? []
        if let scheme = storefront.ratingScheme, let ratingLabels, ratingLabels[scheme] == nil {
            issues.append(unknown(scheme: scheme, ratingLabels, JSONPointer(tokens: ["ratingScheme"])))
        }
        return issues
    }

    private func unknown(timeZone: String) -> Issue? {
        guard let timeZones, !timeZones.contains(timeZone) else { return nil }
        return Issue(
            pointer: JSONPointer(tokens: ["timeZone"]), code: .unknownReference,
            reason: "the time zone \(timeZone) does not exist" + Self.suggestion(for: timeZone, among: timeZones.sorted()))
    }

    private func unknown(scheme: String, _ labels: [String: [String]], _ pointer: JSONPointer) -> Issue {
        Issue(
            pointer: pointer, code: .unknownReference,
            reason: "the rating scheme \(scheme) does not exist" + Self.suggestion(for: scheme, among: labels.keys.sorted()))
    }

    private static func suggestion(for word: String, among known: [String]) -> String {
        word.nearest(among: known).map { "; did you mean \($0)?" } ?? ""
    }

    private func issues(in app: TopApp) -> [Issue] {
        var issues: [Issue] = []
        if let platforms {
            for platform in app.platforms where !platforms.contains(platform.key) {
                issues.append(
                    Issue(
                        pointer: JSONPointer(tokens: ["platforms"]), element: .platform(platform.key), code: .unknownReference,
                        reason: "the platform \(platform.key) does not exist" + Self.suggestion(for: platform.key, among: platforms)))
            }
        }
        if let ratingLabels {
            for rating in app.ageRatings {
                guard let labels = ratingLabels[rating.scheme] else {
                    issues.append(unknown(scheme: rating.scheme, ratingLabels, JSONPointer(tokens: ["ageRatings", rating.scheme])))
                    continue
                }
                guard !labels.contains(rating.label) else { continue }
                issues.append(
                    Issue(
                        pointer: JSONPointer(tokens: ["ageRatings", rating.scheme]), code: .unknownReference,
                        reason: "the scheme \(rating.scheme) has no label \(rating.label); its labels are \(labels.joined(separator: ", "))"
                    ))
            }
        }
        return issues
    }

    private func issues(in item: ItemRecord) -> [Issue] {
        var issues: [Issue] = []
        for (index, category) in item.content.categories.enumerated() {
            let reason: String
            if let kind = categories[category] {
                guard let kind, kind != item.kind else { continue }
                reason = "the category \(category) cannot contain items of this kind"
            } else {
                reason = "the category \(category) does not exist" + Self.suggestion(for: category, among: categories.keys.sorted())
            }
            issues.append(
                Issue(pointer: JSONPointer(tokens: ["categories", "\(index)"]), code: .unknownReference, reason: reason))
        }
        if case .within(let storefronts) = item.content.availability {
            for entry in storefronts {
                if let issue = unknown(entry.storefront, in: "availability") { issues.append(issue) }
            }
        }
        switch item.content.details {
        case .topApp(let app): issues += self.issues(in: app)
        case .foodApp(let app): if let issue = app.timeZone.flatMap({ unknown(timeZone: $0) }) { issues.append(issue) }
        }
        for price in item.content.prices {
            let member = price.role.member
            if let issue = unknown(price.storefront, in: member) ?? other(price.amount, in: price.storefront, of: member, ["currency"]) {
                issues.append(issue)
            }
        }
        // Each list has one issue: that of its earliest period.
        var pointers: Set<String> = []
        for period in item.content.pricePeriods {
            let member = period.role.periodsMember
            var issue = unknown(period.storefront, in: member)
            if issue == nil {
                issue = other(period.amount, in: period.storefront, of: member)
                issue?.element = .currency(from: period.from)
            }
            if let issue, pointers.insert(issue.pointer.description).inserted { issues.append(issue) }
        }
        return issues
    }

    /// Returns the issue of an amount in another currency than that of its storefront.
    private func other(_ amount: Money, in storefront: String, of member: String, _ field: [String] = []) -> Issue? {
        guard let currency = storefronts[storefront], currency != amount.currency else { return nil }
        return Issue(
            pointer: JSONPointer(tokens: [member, storefront] + field), code: .unknownReference,
            reason: "the currency of \(storefront) is \(currency)")
    }

    private func unknown(_ storefront: String, in member: String) -> Issue? {
        unknown(storefront, at: JSONPointer(tokens: [member, storefront]))
    }

    private func unknown(_ storefront: String, at pointer: @autoclosure () -> JSONPointer) -> Issue? {
        guard storefronts[storefront] == nil else { return nil }
        return Issue(pointer: pointer(), code: .unknownReference, reason: "the storefront \(storefront) does not exist")
    }
}
