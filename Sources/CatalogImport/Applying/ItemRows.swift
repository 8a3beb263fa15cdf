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
    private(set) var pricePeriods = CopyText()
    private(set) var images = CopyText()
    private(set) var platforms = CopyText()
    private(set) var ageRatings = CopyText()
    private(set) var lines = CopyText()

    /// Appends the rows of a new item.
    mutating func append(_ item: PreparedItem, serialNumber: Int64) {
        let record = item.record
        let content = record.content
        let id = item.id.description
        items.plain(id)
        items.plain(record.kind.rawValue)
        items.text(record.source)
        items.number(Int(serialNumber))
        items.plain(item.slug)
        items.digest(item.contentHash)
        items.plain(content.rating?.average)
        items.number(content.rating?.count)
        items.bool(content.availability == .everywhere)
        items.terms(content.tags)
        items.endRow()
        if let line = item.storedLine {
            lines.plain(id)
            lines.digest(line)
            lines.endRow()
        }
        appendParts(of: content, id)
    }

    /// Appends the rows of all tables with the content of the item, but not that of `items`. The ID is that of the catalog.
    mutating func appendParts(of item: PreparedItem, id: UUID) { appendParts(of: item.record.content, id.description) }

    private mutating func appendParts(of content: ItemContent, _ id: String) {
        switch content.details {
        case .topApp(let app): append(app, id)
        case .foodApp(let app): append(app, id)
        }
        for text in content.texts {
            texts.plain(id)
            texts.plain(text.locale.text)
            texts.text(text.title)
            texts.text(text.subtitle)
            texts.text(text.imageAlt)
            texts.endRow()
        }
        for (index, category) in content.categories.enumerated() {
            categories.plain(id)
            categories.plain(category)
            categories.number(index + 1)
            categories.endRow()
        }
        if case .within(let storefronts) = content.availability {
            for entry in storefronts {
                availability.plain(id)
                availability.plain(entry.storefront)
                availability.plain(entry.during)
                availability.endRow()
            }
        }
        for price in content.prices {
            prices.plain(id)
            prices.plain(price.storefront)
            prices.plain(price.role.rawValue)
            prices.number(price.amount.amountMinor)
            prices.plain(price.amount.currency)
            prices.endRow()
        }
        for period in content.pricePeriods {
            pricePeriods.plain(id)
            pricePeriods.plain(period.storefront)
            pricePeriods.plain(period.role.rawValue)
            pricePeriods.plain("[\(period.from?.description ?? ""),\(period.until))")
            pricePeriods.number(period.amount.amountMinor)
            pricePeriods.plain(period.amount.currency)
            pricePeriods.number(period.previousMinor)
            pricePeriods.endRow()
        }
        for (role, place, image) in content.images.all {
            for row in image.rows {
                images.plain(id)
                images.plain(role)
                images.number(place)
                images.plain(row.locale)
                images.plain(row.isDark ? "dark" : "light")
                images.text(row.source?.template)
                images.number(row.size?.width)
                images.number(row.size?.height)
                images.plain(row.sizes)
                images.plain(row.source?.color)
                images.text(row.source?.blurhash)
                images.text(row.alt)
                images.endRow()
            }
        }
    }

    private mutating func append(_ app: TopApp, _ id: String) {
        topApps.plain(id)
        topApps.text(app.bundleID)
        topApps.text(app.developer)
        topApps.text(app.appVersion)
        topApps.number(app.sizeBytes)
        topApps.plain(app.releaseDate)
        topApps.text(app.homepage)
        topApps.endRow()
        for platform in app.platforms {
            platforms.plain(id)
            platforms.plain(platform.key)
            platforms.text(platform.minimumOS)
            platforms.endRow()
        }
        for rating in app.ageRatings {
            ageRatings.plain(id)
            ageRatings.plain(rating.scheme)
            ageRatings.text(rating.label)
            ageRatings.endRow()
        }
    }

    private mutating func append(_ app: FoodApp, _ id: String) {
        foodApps.plain(id)
        foodApps.text(app.brand)
        foodApps.terms(app.cuisines)
        foodApps.terms(app.dietaryTags)
        foodApps.number(app.deliveryMinutes.lowerBound)
        foodApps.number(app.deliveryMinutes.upperBound)
        foodApps.number(app.priceBand)
        foodApps.plain(app.openingHours.multirange)
        foodApps.text(app.timeZone)
        foodApps.plain(app.releaseDate)
        foodApps.endRow()
    }
}

extension ImageTemplate {
    /// A row of an image: the standard one, or that of a locale, in one appearance.
    struct Row {
        /// The locale, or an empty text for the standard image.
        var locale = ""
        var isDark = false
        /// nil if the locale has only a text.
        let source: Source?
        /// The largest size. nil in rows other than the first.
        var size: Size?
        /// The sizes as an array literal. nil in rows other than the first.
        var sizes: String?
        var alt: String?
    }

    /// The rows of the image, the standard one first.
    var rows: [Row] {
        let list = "{" + sizes.map { "{\($0.width),\($0.height)}" }.joined(separator: ",") + "}"
        var rows = [Row(source: standard.light, size: size, sizes: list)]
        if let dark = standard.dark { rows.append(Row(isDark: true, source: dark)) }
        for locale in Set(locales.keys).union(alt.keys).sorted(by: { $0.text < $1.text }) {
            rows.append(Row(locale: locale.text, source: locales[locale]?.light, alt: alt[locale]))
            if let dark = locales[locale]?.dark { rows.append(Row(locale: locale.text, isDark: true, source: dark)) }
        }
        return rows
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
