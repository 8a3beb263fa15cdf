internal import Items
internal import Values

/// A column of a CSV file: the location of its value in a record, and the meaning of its text.
package struct CSVColumn: Sendable {
    enum Meaning: Sendable {
        case text
        case number
        /// A list of parts, separated by bars.
        case list
        /// A list of platforms, separated by bars. Each is like `ios` or `ios 16.2`.
        case platforms
        /// A list of image sizes, separated by bars. Each is `WIDTHxHEIGHT`.
        case sizes
        /// A list of windows, separated by bars. Each is `FROM/UNTIL`, of which one may be empty.
        case windows
        /// A list of price periods, separated by bars. Each is `FROM/UNTIL AMOUNT CURRENCY`, with the former amount of a sale at
        /// its end.
        case periods
        /// A list of spans, separated by bars. Each is like `mon,tue 11:00-23:00`.
        case hours
        /// An object without fields, written as `nowhere`.
        case nowhere
    }

    /// The maximum length of a name.
    static let maxNameBytes = 128

    let name: String
    let path: [String]
    let meaning: Meaning

    /// Returns nil if no record has such a field.
    init?(name: String) {
        let path = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        // A role has up to 80 bytes.
        guard let meaning = Self.meaning(of: path), path.allSatisfy({ !$0.isEmpty && $0.utf8.count <= 80 }) else { return nil }
        self.name = name
        self.path = path
        self.meaning = meaning
    }

    private static let texts: Set<String> = [
        "kind", "source", "id", "slug", "title", "subtitle", "bundleId", "developer", "appVersion", "minimumOsVersion", "ageRating",
        "releaseDate",
        "homepage", "brand", "key", "currency", "timeZone", "defaultLocale", "ratingScheme", "itemKind", "storefront", "name",
    ]
    private static let numbers: Set<String> = ["serialNumber", "sizeBytes", "priceBand"]
    private static let lists: Set<String> = ["categories", "cuisines", "dietaryTags", "tags", "locales", "items"]
    private static let prices: Set<String> = ["prices", "minimumOrder", "deliveryFee"]
    private static let periods: Set<String> = ["pricePeriods", "minimumOrderPeriods", "deliveryFeePeriods"]

    /// An example of each field that a record can have.
    package static let examples =
        texts.union(numbers).union(lists).sorted() + [
            "title.en", "subtitle.en", "image.template", "image.width", "image.height", "image.sizes", "image.color", "image.blurhash",
            "image.alt", "image.dark.template", "image.locales.en.template", "images.hero.template", "images.screenshot.template",
            "rating.average", "rating.count", "availability", "availability.us", "prices.us.amountMinor", "prices.us.currency",
            "deliveryMinutes.from",
            "deliveryMinutes.to", "minimumOrder.us.amountMinor", "minimumOrder.us.currency", "deliveryFee.us.amountMinor",
            "deliveryFee.us.currency", "pricePeriods.us", "minimumOrderPeriods.us", "deliveryFeePeriods.us", "openingHours", "platforms",
            "platforms.ios.minimumOsVersion", "ageRatings.pegi",
        ]

    /// Returns the path of an object that can only be removed as a whole, because its fields are invalid alone: `image`,
    /// the images of one role such as `images.hero`, or a price of one storefront such as `prices.us`. Returns nil if the
    /// name is something else.
    static func object(name: String) -> [String]? {
        let path = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        switch (path[0], path.count) {
        case ("image", 1): return path
        case ("images", 2): return IdentifierFormat.slug.fits(path[1]) ? path : nil
        case (let name, 2): return prices.contains(name) && IdentifierFormat.storefront.fits(path[1]) ? path : nil
        default: return nil
        }
    }

    /// Returns the hint that follows an invalid name: the most similar valid one.
    static func suggestion(for name: String) -> String { name.nearest(among: examples).map { "; did you mean \($0)?" } ?? "" }

    private static func meaning(of path: [String]) -> Meaning? {
        switch (path[0], path.count) {
        case ("openingHours", 1): .hours
        case ("platforms", 1): .platforms
        case ("platforms", 3): path[2] == "minimumOsVersion" ? .text : nil
        case ("ageRatings", 2): .text
        case ("availability", 1): .nowhere
        case (let name, 1) where texts.contains(name): .text
        case (let name, 1) where numbers.contains(name): .number
        case (let name, 1) where lists.contains(name): .list
        case ("title", 2), ("subtitle", 2): .text
        case ("image", 2...): meaning(ofImage: path.dropFirst())
        case ("images", 3...): meaning(ofImage: path.dropFirst(2))
        case ("rating", 2): ["average", "count"].contains(path[1]) ? .number : nil
        case ("deliveryMinutes", 2): ["from", "to"].contains(path[1]) ? .number : nil
        case ("availability", 2): .windows
        case (let name, 2) where periods.contains(name): .periods
        case (let name, 3) where prices.contains(name): path[2] == "amountMinor" ? .number : path[2] == "currency" ? .text : nil
        default: nil
        }
    }

    /// Returns the meaning of a field of an image.
    private static func meaning(ofImage path: ArraySlice<String>) -> Meaning? {
        switch (path.first, path.count) {
        case ("width", 1), ("height", 1): .number
        case ("sizes", 1): .sizes
        case ("alt", 1...2): .text
        case ("locales", 3...): meaning(ofSource: path.dropFirst(2))
        default: meaning(ofSource: path)
        }
    }

    /// Returns the meaning of a field of one locale of an image, in light or dark appearance.
    private static func meaning(ofSource path: ArraySlice<String>) -> Meaning? {
        let field = path.first == "dark" ? path.dropFirst() : path
        return field.count == 1 && field.first.map(["template", "color", "blurhash"].contains) == true ? .text : nil
    }
}
