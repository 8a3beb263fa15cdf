internal import Items
internal import Values

/// The rows of items, by table.
struct ItemRows {
    private(set) var items = CopyRows()
    private(set) var topApps = CopyRows()
    private(set) var foodApps = CopyRows()
    private(set) var texts = CopyRows()
    private(set) var categories = CopyRows()
    private(set) var availability = CopyRows()
    private(set) var prices = CopyRows()
    private(set) var pricePeriods = CopyRows()
    private(set) var images = CopyRows()
    private(set) var platforms = CopyRows()
    private(set) var ageRatings = CopyRows()
    private(set) var lines = CopyRows()

    /// Encodes the rows of all new and changed items of the plan.
    init(_ plan: ItemPlan) {
        for (item, id) in plan.changed { appendParts(of: item, id: id) }
        for (item, number) in plan.new { append(item, serialNumber: number) }
    }

    /// Appends the rows of a new item.
    private mutating func append(_ item: PreparedItem, serialNumber: Int64) {
        let record = item.record
        let content = record.content
        let id = CopyRows.EncodedID(item.id)
        items.id(id)
        items.text(record.kind.rawValue)
        items.text(record.source)
        items.big(Int(serialNumber))
        items.text(item.slug)
        items.digest(item.contentHash)
        items.hundredths(content.rating?.hundredths)
        items.big(content.rating?.count)
        items.bool(content.availability == .everywhere)
        items.texts(content.tags)
        items.endRow()
        if let line = item.storedLine {
            lines.id(id)
            lines.digest(line)
            lines.endRow()
        }
        appendParts(of: content, id)
    }

    /// Appends the rows of all tables with the content of the item, but not that of `items`. The ID is that of the catalog.
    private mutating func appendParts(of item: PreparedItem, id: UUID) { appendParts(of: item.record.content, CopyRows.EncodedID(id)) }

    private mutating func appendParts(of content: ItemContent, _ id: CopyRows.EncodedID) {
        switch content.details {
        case .topApp(let app): append(app, id)
        case .foodApp(let app): append(app, id)
        }
        for text in content.texts {
            texts.id(id)
            texts.text(text.locale.text)
            texts.text(text.title)
            texts.text(text.subtitle)
            texts.text(text.imageAlt)
            texts.endRow()
        }
        for (index, category) in content.categories.enumerated() {
            categories.id(id)
            categories.text(category)
            categories.small(index + 1)
            categories.endRow()
        }
        if case .within(let storefronts) = content.availability {
            for entry in storefronts {
                availability.id(id)
                availability.text(entry.storefront)
                availability.spans(entry.windows.map { ($0.from, $0.until) })
                availability.endRow()
            }
        }
        for price in content.prices {
            prices.id(id)
            prices.text(price.storefront)
            prices.text(price.role.rawValue)
            prices.big(price.amount.amountMinor)
            prices.text(price.amount.currency)
            prices.endRow()
        }
        for period in content.pricePeriods {
            pricePeriods.id(id)
            pricePeriods.text(period.storefront)
            pricePeriods.text(period.role.rawValue)
            pricePeriods.span(from: period.from, until: period.until)
            pricePeriods.big(period.amount.amountMinor)
            pricePeriods.text(period.amount.currency)
            pricePeriods.big(period.previousMinor)
            pricePeriods.endRow()
        }
        for (role, place, image) in content.images.all {
            for row in image.rows {
                images.id(id)
                images.text(role)
                images.small(place)
                images.text(row.locale)
                images.text(row.isDark ? "dark" : "light")
                images.text(row.source?.template)
                images.integer(row.size?.width)
                images.integer(row.size?.height)
                images.pairs(row.sizes.map { sizes in sizes.map { ($0.width, $0.height) } })
                images.text(row.source?.color)
                images.text(row.source?.blurhash)
                images.text(row.alt)
                images.endRow()
            }
        }
    }

    private mutating func append(_ app: TopApp, _ id: CopyRows.EncodedID) {
        topApps.id(id)
        topApps.text(app.bundleID)
        topApps.text(app.developer)
        topApps.text(app.appVersion)
        topApps.big(app.sizeBytes)
        topApps.day(app.releaseDate)
        topApps.text(app.homepage)
        topApps.endRow()
        for platform in app.platforms {
            platforms.id(id)
            platforms.text(platform.key)
            platforms.text(platform.minimumOS)
            platforms.endRow()
        }
        for rating in app.ageRatings {
            ageRatings.id(id)
            ageRatings.text(rating.scheme)
            ageRatings.text(rating.label)
            ageRatings.endRow()
        }
    }

    private mutating func append(_ app: FoodApp, _ id: CopyRows.EncodedID) {
        foodApps.id(id)
        foodApps.text(app.brand)
        foodApps.texts(app.cuisines)
        foodApps.texts(app.dietaryTags)
        foodApps.small(app.deliveryMinutes.lowerBound)
        foodApps.small(app.deliveryMinutes.upperBound)
        foodApps.small(app.priceBand)
        foodApps.ranges(app.openingHours.spans)
        foodApps.text(app.timeZone)
        foodApps.day(app.releaseDate)
        foodApps.endRow()
    }
}

extension ImageTemplate {
    /// A row of an image: the standard one, or that of a locale, in one appearance.
    struct Row {
        /// The locale, or an empty text for the standard image.
        var locale = ""
        var isDark = false
        /// The source of the image; nil if the locale has only a text.
        let source: Source?
        /// The largest size. nil in rows other than the first.
        var size: Size?
        /// The sizes that exist. nil in rows other than the first.
        var sizes: [Size]?
        var alt: String?
    }

    /// The rows of the image, the standard one first.
    var rows: [Row] {
        var rows = [Row(source: standard.light, size: size, sizes: sizes)]
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
