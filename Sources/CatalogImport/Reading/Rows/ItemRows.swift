internal import Items
internal import Values

/// The tables of items, in the order in which their rows are copied. The raw values are part of the content hash, so add new tables
/// at the end.
enum ItemTable: UInt8, CaseIterable {
    case items, topApps, foodApps, texts, categories, availability, prices, pricePeriods, images, platforms, ageRatings, lines

    /// The number of columns, including the ID of the item.
    var columnCount: Int {
        switch self {
        case .items: 10
        case .topApps: 7
        case .foodApps: 10
        case .texts: 5
        case .categories, .availability, .platforms, .ageRatings: 3
        case .prices: 5
        case .pricePeriods: 7
        case .images: 12
        case .lines: 2
        }
    }
}

/// The rows of an item, without the columns of its identity in the catalog: its ID, its serial number and its hash.
///
/// Equal bytes mean equal rows, in whatever form the records were written. Texts, prices, periods, platforms, age ratings and sizes
/// are in canonical order. Other lists are in the order of the record.
struct ItemRows: Sendable {
    /// The rows one after another: the table, the length, and the columns.
    private var rows = CopyColumns(capacity: 1_024)
    private var start = 0

    /// Encodes the rows of a record. The row of `items` is the first one.
    init(_ record: ItemRecord, slug: String) {
        let content = record.content
        startRow(.items)
        rows.text(record.kind.rawValue)
        rows.text(record.source)
        rows.text(slug)
        rows.hundredths(content.rating?.hundredths)
        rows.big(content.rating?.count)
        rows.bool(content.availability == .everywhere)
        rows.texts(content.tags)
        endRow()
        switch content.details {
        case .topApp(let app): append(app)
        case .foodApp(let app): append(app)
        }
        for text in content.texts {
            startRow(.texts)
            rows.text(text.locale.text)
            rows.text(text.title)
            rows.text(text.subtitle)
            rows.text(text.imageAlt)
            endRow()
        }
        for (index, category) in content.categories.enumerated() {
            startRow(.categories)
            rows.text(category)
            rows.small(index + 1)
            endRow()
        }
        if case .within(let storefronts) = content.availability {
            for entry in storefronts {
                startRow(.availability)
                rows.text(entry.storefront)
                rows.spans(entry.windows) { ($0.from, $0.until) }
                endRow()
            }
        }
        for price in content.prices {
            startRow(.prices)
            rows.text(price.storefront)
            rows.text(price.role.rawValue)
            rows.big(price.amount.amountMinor)
            rows.text(price.amount.currency)
            endRow()
        }
        for period in content.pricePeriods {
            startRow(.pricePeriods)
            rows.text(period.storefront)
            rows.text(period.role.rawValue)
            rows.span(from: period.from, until: period.until)
            rows.big(period.amount.amountMinor)
            rows.text(period.amount.currency)
            rows.big(period.previousMinor)
            endRow()
        }
        for (role, place, image) in content.images.all { append(image, role, place) }
    }

    /// The encoded rows, from which the content hash is computed.
    var bytes: [UInt8] { rows.bytes }

    private mutating func append(_ app: TopApp) {
        startRow(.topApps)
        rows.text(app.bundleID)
        rows.text(app.developer)
        rows.text(app.appVersion)
        rows.big(app.sizeBytes)
        rows.day(app.releaseDate)
        rows.text(app.homepage)
        endRow()
        for platform in app.platforms {
            startRow(.platforms)
            rows.text(platform.key)
            rows.text(platform.minimumOS)
            endRow()
        }
        for rating in app.ageRatings {
            startRow(.ageRatings)
            rows.text(rating.scheme)
            rows.text(rating.label)
            endRow()
        }
    }

    private mutating func append(_ app: FoodApp) {
        startRow(.foodApps)
        rows.text(app.brand)
        rows.texts(app.cuisines)
        rows.texts(app.dietaryTags)
        rows.small(app.deliveryMinutes.lowerBound)
        rows.small(app.deliveryMinutes.upperBound)
        rows.small(app.priceBand)
        rows.ranges(app.openingHours.spans)
        rows.text(app.timeZone)
        rows.day(app.releaseDate)
        endRow()
    }

    private mutating func append(_ image: ImageTemplate, _ role: String, _ place: Int) {
        for row in image.rows {
            startRow(.images)
            rows.text(role)
            rows.small(place)
            rows.text(row.locale)
            rows.text(row.isDark ? "dark" : "light")
            rows.text(row.source?.template)
            rows.integer(row.size?.width)
            rows.integer(row.size?.height)
            rows.pairs(row.sizes.map { sizes in sizes.map { ($0.width, $0.height) } })
            rows.text(row.source?.color)
            rows.text(row.source?.blurhash)
            rows.text(row.alt)
            endRow()
        }
    }

    private mutating func startRow(_ table: ItemTable) { start = rows.startPart(table.rawValue) }

    private mutating func endRow() { rows.endSized(start) }
}

/// The rows with the ranges of their columns in the bytes.
extension ItemRows: Sequence {
    struct Iterator: IteratorProtocol {
        private let bytes: [UInt8]
        private var end = 0

        fileprivate init(_ bytes: [UInt8]) { self.bytes = bytes }

        mutating func next() -> (table: ItemTable, columns: Range<Int>)? {
            guard end < bytes.count, let table = ItemTable(rawValue: bytes[end]) else { return nil }
            let start = end + 5
            var length = 0
            for index in end + 1..<start { length = length << 8 | Int(bytes[index]) }
            end = start + length
            return (table, start..<end)
        }
    }

    func makeIterator() -> Iterator { Iterator(bytes) }
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
