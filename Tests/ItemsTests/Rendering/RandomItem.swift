import TestSupport

/// Published documents with random fields, spellings and orders of keys. The same seed generates the same documents.
struct RandomItem {
    private indirect enum Value {
        case text(String)
        case number(String)
        case list([Value])
        case object([(String, Value)])
    }

    static let storefronts = ["us", "de", "sa"]
    static let locales = ["en", "de", "ar", "ja", "pt", "pt-BR", "es-MX", "zh-Hant", "fr"]

    private var random: SeededRandom
    /// Whether the text has spaces, optional escapes and keys in another order than that of the database.
    private let isUnusual: Bool
    /// Whether texts can have control characters.
    private let hasControls: Bool

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        isUnusual = seed % 3 == 0
        hasControls = seed % 5 == 0
    }

    mutating func document() -> String {
        let isTopApp = chance(2)
        let titles = subset(of: Self.locales, atLeast: 1)
        var fields: [(String, Value)] = [
            ("kind", .text(isTopApp ? "topApp" : "foodApp")), ("id", .text(id())), ("serialNumber", number(0...9_007_199_254_740_991)),
            ("slug", .text("item-\(Int.random(in: 1...99, using: &random))")), ("title", texts(titles, mayBeLater: true)),
        ]
        if chance(2) { fields.append(("subtitle", texts(subset(of: titles, atLeast: 1), mayBeLater: false))) }
        if let icon = icon(titles) { fields.append(("image", icon)) }
        if chance(2) { fields.append(("images", images())) }
        fields.append(("categories", keys(1...3)))
        if chance(2) { fields.append(("tags", keys(1...3))) }
        if chance(2) { fields.append(("rating", rating())) }
        if chance(3) { fields.append(("availability", .object([("us", .list([.object([("until", .text("2027-01-01T00:00:00Z"))])]))]))) }
        for name in isTopApp ? ["price"] : ["minimumOrder", "deliveryFee"] {
            if chance(2) { fields.append((name == "price" ? "prices" : name, byStorefront { $0.money([]) })) }
            if chance(2) { fields.append(("\(name)Periods", byStorefront { $0.periods() })) }
        }
        fields += isTopApp ? topApp() : foodApp()
        if chance(4) { fields.append(("later", .object([("a", .list([]))]))) }
        if isUnusual { fields.shuffle(using: &random) }
        return text(.object(fields))
    }

    private mutating func topApp() -> [(String, Value)] {
        var fields: [(String, Value)] = ["bundleId", "developer", "appVersion"].map { ($0, .text(phrase())) }
        fields.append(("sizeBytes", number(1...1_000_000_000)))
        let platforms = subset(of: ["macos", "ios", "visor", "linux"], atLeast: 1)
        if chance(2) {
            if chance(2) { fields.append(("minimumOsVersion", .text("17.0"))) }
            fields.append(("platforms", .list(platforms.map { .text($0) })))
        } else {
            fields.append(("platforms", .object(platforms.map { ($0, .object(chance(2) ? [("minimumOsVersion", .text("16.2"))] : [])) })))
        }
        let labels = subset(of: ["apple-2015", "usk", "other"], atLeast: 1)
        fields.append(
            chance(4)
                ? ("ageRating", .text("12+"))
                : ("ageRatings", .object(labels.map { ($0, .text($0 == "usk" ? "16" : pick(["4+", "12+", "none"]))) })))
        fields.append(("releaseDate", .text("2024-05-01")))
        if chance(2) { fields.append(("homepage", .text("https://example.org/\(phrase())"))) }
        return fields
    }

    private mutating func foodApp() -> [(String, Value)] {
        var fields: [(String, Value)] = [("brand", .text(phrase())), ("cuisines", keys(1...3))]
        if chance(2) { fields.append(("dietaryTags", keys(0...3))) }
        var ends: [(String, Value)] = [("from", number(1...20)), ("to", number(20...90))]
        if isUnusual { ends.reverse() }
        fields += [("deliveryMinutes", .object(ends)), ("priceBand", number(1...4))]
        if chance(2) {
            let spans = subset(of: ["[60,120]", "[660,1380]", "[1500,1600]", "[2100,6000]", "[9720,10200]", "[5]", "[9,3]"], atLeast: 1)
            fields.append(("openMinutes", .list(spans.map { .number($0) })))
        }
        if chance(2) { fields.append(("timeZone", .text("Asia/Riyadh"))) }
        if chance(2) { fields.append(("releaseDate", .text("2024-05-01"))) }
        return fields
    }

    // MARK: Parts

    /// Returns texts in some locales. A later release can have locales that this one cannot read.
    private mutating func texts(_ locales: [String], mayBeLater: Bool) -> Value {
        if locales == ["en"], chance(2) { return .text(phrase()) }
        var texts: [(String, Value)] = []
        for locale in locales { texts.append((locale, .text(phrase()))) }
        if mayBeLater, chance(4) { texts.append(("english", .text(phrase()))) }
        return .object(texts)
    }

    private mutating func icon(_ titles: [String]) -> Value? {
        let alt = chance(2) ? texts(subset(of: titles, atLeast: 1), mayBeLater: false) : nil
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return nil
        case 1: return alt.map { .object([("alt", $0)]) }
        case 2: return .object([("frames", .list([]))] + (alt.map { [("alt", $0)] } ?? []))
        default: return image(alt)
        }
    }

    private mutating func images() -> Value {
        var roles: [(String, Value)] = []
        let alt = chance(2) ? texts(subset(of: Self.locales, atLeast: 1), mayBeLater: true) : nil
        if chance(2) { roles.append(("hero", image(alt))) }
        if chance(2) {
            var list: [Value] = []
            for _ in 0...Int.random(in: 0...2, using: &random) { list.append(chance(4) ? .object([("width", .number("1"))]) : image(nil)) }
            roles.append(("screenshot", chance(4) ? image(nil) : .list(list)))
        }
        if chance(3) { roles.append(("banner", image(nil))) }
        return .object(roles)
    }

    private mutating func image(_ alt: Value?) -> Value {
        var fields = source() + [("width", .number("640")), ("height", .number("480"))]
        if chance(2) {
            let sizes = subset(of: ["[640,480]", "[320,240]", "[64,48]", "[32,48]", "[1280,960]", "[0,1]", "[5]", "\"a\""], atLeast: 1)
            fields.append(("sizes", .list(sizes.map { .number($0) })))
        }
        if let alt { fields.append(("alt", alt)) }
        if chance(2) { fields.append(("dark", .object(chance(4) ? [("color", .text("#000000"))] : source()))) }
        if chance(2) {
            var locales: [(String, Value)] = []
            for locale in subset(of: Self.locales + ["later-locale"], atLeast: 1) {
                locales.append((locale, .object(source() + (chance(2) ? [("dark", .object(source()))] : []))))
            }
            fields.append(("locales", .object(locales)))
        }
        return .object(fields)
    }

    private mutating func source() -> [(String, Value)] {
        var fields: [(String, Value)] = [("template", .text("https://cdn.example/\(phrase())/{w}x{h}.png"))]
        if chance(2) { fields.append(("color", pick([.text("#1a2B3c"), .text("#FFFFFF"), .number("1")]))) }
        if chance(2) { fields.append(("blurhash", .text("L6Pj0^i_.AyE_3t7t7R**0o#DgR4"))) }
        return fields
    }

    private mutating func rating() -> Value {
        let (average, count) = pick([("4.5", "12"), ("4.50", "7"), ("5", "1"), ("0", "0"), ("3e0", "2"), ("4.25", "0"), ("1.07", "900")])
        return .object([("average", .number(average)), ("count", .number(count))])
    }

    private mutating func byStorefront(_ value: (inout RandomItem) -> Value) -> Value {
        var values: [(String, Value)] = []
        for storefront in subset(of: Self.storefronts, atLeast: 1) { values.append((storefront, value(&self))) }
        return .object(values)
    }

    private mutating func money(_ others: [(String, Value)]) -> Value {
        .object(others + [("amountMinor", number(0...9_999)), ("currency", .text(pick(["USD", "EUR", "SAR"])))])
    }

    /// Returns periods, at most one of which has started.
    private mutating func periods() -> Value {
        var periods: [Value] = []
        for month in 1...Int.random(in: 1...3, using: &random) {
            let from: [(String, Value)] = month == 1 && chance(2) ? [] : [("from", .text("2027-0\(month)-01T00:00:00Z"))]
            let previous: [(String, Value)] = chance(2) ? [("former", number(10_000...20_000))] : []
            periods.append(money(from + [("until", .text("2027-0\(month)-20T00:00:00.500000Z"))] + previous))
        }
        if isUnusual { periods.shuffle(using: &random) }
        return .list(periods)
    }

    private mutating func id() -> String {
        let digits = Array("0123456789abcdef")
        let groups = [8, 4, 4, 4, 12].map { count in String((0..<count).map { _ in digits[Int.random(in: 0..<16, using: &random)] }) }
        return groups.joined(separator: "-")
    }

    private mutating func keys(_ count: ClosedRange<Int>) -> Value {
        .list((0..<Int.random(in: count, using: &random)).map { .text("key-\($0)") })
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Value { .number("\(Int.random(in: range, using: &random))") }

    private mutating func phrase() -> String {
        let words = [
            "Harbor", "ملاحظات", "港", "\"q\"", "a\\b", "line\nbreak", "\t", hasControls ? "\u{1}" : "y", "é", "/", "🚢", "\u{2028}", "x", "",
        ]
        return (0...Int.random(in: 0...3, using: &random)).map { _ in pick(words) }.joined(separator: " ")
    }

    private mutating func chance(_ sides: Int) -> Bool { Int.random(in: 0..<sides, using: &random) == 0 }

    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[Int.random(in: 0..<elements.count, using: &random)] }

    private mutating func subset(of elements: [String], atLeast count: Int) -> [String] {
        Array(elements.shuffled(using: &random).prefix(Int.random(in: count...elements.count, using: &random)))
    }

    // MARK: Text

    private mutating func text(_ value: Value) -> String {
        switch value {
        case .text(let text): quoted(text)
        case .number(let text): text
        case .list(let values): "[" + joined(values.map { text($0) }) + "]"
        case .object(let fields): "{" + joined(fields.map { key, value in "\(quoted(key))\(space()):\(space())\(text(value))" }) + "}"
        }
    }

    private mutating func joined(_ parts: [String]) -> String {
        space() + parts.joined(separator: "\(space()),\(space())") + space()
    }

    private mutating func space() -> String { isUnusual ? pick(["", " ", "\n\t"]) : "" }

    /// Returns the string with the escapes of the database, or also with others that are not needed.
    private mutating func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\u{1}": result += "\\u0001"
            case "/" where isUnusual && chance(2): result += "\\/"
            case "é" where isUnusual && chance(2): result += "\\u00E9"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
