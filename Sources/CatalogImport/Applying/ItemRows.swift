internal import Items
internal import Values

/// The rows of items, by table.
struct ItemRows {
    private(set) var items = CopyText()
    private(set) var topApps = CopyText()
    private(set) var foodApps = CopyText()
    private(set) var texts = CopyText()
    private(set) var categories = CopyText()
    private(set) var availability = CopyText()
    private(set) var prices = CopyText()

    /// Appends the rows of a new item.
    mutating func append(_ item: PreparedItem, serialNumber: Int64) {
        let record = item.record
        let content = record.content
        items.plain(item.id.description.utf8)
        items.plain(record.kind.rawValue.utf8)
        items.text(record.source)
        items.number(serialNumber)
        items.plain(item.slug.utf8)
        items.digest(item.contentHash)
        items.plain((content.rating?.average).map(\.utf8))
        items.number(content.rating?.count)
        items.bool(content.availability == .everywhere)
        items.text(content.image?.url)
        items.number(content.image?.width)
        items.number(content.image?.height)
        items.plain((content.image?.color).map(\.utf8))
        items.text(content.image?.blurhash)
        items.endRow()
        appendParts(of: item, id: item.id)
    }

    /// Appends the rows of all tables but `items`. The ID is that of the catalog.
    mutating func appendParts(of item: PreparedItem, id: UUID) {
        let id = id.description
        let content = item.record.content
        switch content.details {
        case .topApp(let app): append(app, id)
        case .foodApp(let app): append(app, id)
        }
        for text in content.texts {
            texts.plain(id.utf8)
            texts.plain(text.locale.text.utf8)
            texts.text(text.title)
            texts.text(text.subtitle)
            texts.text(text.imageAlt)
            texts.endRow()
        }
        for (index, category) in content.categories.enumerated() {
            categories.plain(id.utf8)
            categories.plain(category.utf8)
            categories.number(index + 1)
            categories.endRow()
        }
        if case .within(let storefronts) = content.availability {
            for entry in storefronts {
                availability.plain(id.utf8)
                availability.plain(entry.storefront.utf8)
                availability.plain(entry.during.utf8)
                availability.endRow()
            }
        }
        for price in content.prices {
            prices.plain(id.utf8)
            prices.plain(price.storefront.utf8)
            prices.plain(price.role.rawValue.utf8)
            prices.number(price.amount.amountMinor)
            prices.plain(price.amount.currency.utf8)
            prices.endRow()
        }
    }

    private mutating func append(_ app: TopApp, _ id: String) {
        topApps.plain(id.utf8)
        topApps.text(app.bundleID)
        topApps.text(app.developer)
        topApps.text(app.appVersion)
        topApps.number(app.sizeBytes)
        topApps.text(app.minimumOS)
        topApps.terms(app.platforms)
        topApps.plain(app.ageRating.utf8)
        topApps.plain(app.releaseDate.utf8)
        topApps.text(app.homepage)
        topApps.endRow()
    }

    private mutating func append(_ app: FoodApp, _ id: String) {
        foodApps.plain(id.utf8)
        foodApps.text(app.brand)
        foodApps.terms(app.cuisines)
        foodApps.terms(app.dietaryTags)
        foodApps.number(app.deliveryMinutes.lowerBound)
        foodApps.number(app.deliveryMinutes.upperBound)
        foodApps.number(app.priceBand)
        foodApps.plain(app.openingHours.multirange.utf8)
        foodApps.plain(app.releaseDate.map(\.utf8))
        foodApps.endRow()
    }
}

extension ItemRating {
    /// The average as a decimal with two decimal places.
    var average: String {
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        return "\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }
}

extension Availability.StorefrontWindows {
    /// The windows as a `tstzmultirange` literal.
    fileprivate var during: String {
        "{" + windows.map { "[\($0.from?.description ?? ""),\($0.until?.description ?? ""))" }.joined(separator: ",") + "}"
    }
}

extension OpeningHours {
    /// The spans as an `int4multirange` literal.
    fileprivate var multirange: String { "{" + spans.map { "[\($0.lowerBound),\($0.upperBound))" }.joined(separator: ",") + "}" }
}
