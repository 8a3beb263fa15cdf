import Feeds
import JSON
import Layout
import TestSupport

/// A generator of random valid documents, as a curator might write them.
struct RandomFeeds {
    private var random: SeededRandom
    private let format: Int
    private var isStory = false

    init(seed: UInt64, format: Int = FeedDocument.format) {
        random = SeededRandom(seed: seed)
        self.format = format
    }

    mutating func document() -> JSONValue {
        let count = Int.random(in: 0...6, using: &random)
        let hasKind = format > 1 && chance(3)
        isStory = hasKind && chance(2)
        var sections: [JSONValue] = []
        for index in 0..<count { sections.append(section(index)) }
        var members: [(String, JSONValue)] = [
            ("feed", .string("feed-\(count)")), ("title", texts()), ("sections", .array(sections)),
        ]
        if format > 1 {
            members.append(("format", .integer(format)))
            if hasKind { members.append(("kind", isStory ? "story" : "page")) }
            if chance(3) { members.append(("theme", theme())) }
        }
        if chance(2) { members.append(("configuration", object(("interSectionSpacing", .integer(number(0...40)))))) }
        return shuffled(members)
    }

    /// Returns the same document with its fields in another order.
    mutating func reordered(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map { reordered($0) })
        case .object(let members): return shuffled(members.map { ($0.key, reordered($0.value)) })
        default: return value
        }
    }

    private mutating func section(_ index: Int) -> JSONValue {
        let hasRule = chance(2)
        let hasPins = !hasRule || chance(2)
        let isGrouped = hasRule && chance(8)
        let continues = format > 1 && chance(3) ? chance(2) : nil
        let sort: JSONValue? = isGrouped ? "title" : hasRule && chance(2) ? self.sort() : nil
        let size = format > 1 ? number(10...100) : chance(3) ? 100 : number(10...1_000)
        var members: [(String, JSONValue)] = [("key", .string("s\(index)"))]
        if format > 1 {
            members.append(("size", .integer(size)))
            if let continues { members.append(("continues", .bool(continues))) }
            if chance(3) { members.append(("header", chance(2) ? .bool(false) : header())) }
        } else if size != 100 {
            members.append(("limit", .integer(size)))
        }
        members += layout()
        if chance(2) { members.append(("title", texts())) }
        if chance(3) { members.append(("subtitle", texts())) }
        if hasPins { members.append(("pins", .array(pins(below: size, isGrouped: isGrouped)))) }
        if chance(3) { members.append(("exclude", .array([item(100), item(101)]))) }
        if hasRule {
            members.append(("rule", rule(below: index, depth: 1)))
            if isGrouped { members.append(("group", "initial")) }
            if let sort { members.append(("sort", sort)) }
        }
        if chance(2) { members.append(("minItems", .integer(number(0...size)))) }
        if chance(4) { members.append(("eligibility", chance(2) ? "none" : "platform")) }
        if chance(3) { members.append(("maxDrop", chance(2) ? .number(0.25) : .integer(number(0...9)))) }
        if chance(3) { members.append(("target", target())) }
        if chance(3) { members.append(("badges", .array([badge(below: index)]))) }
        if chance(3) {
            let hasOwnItems = format > 1 && !isGrouped && continues != true
            members.append(("seeAll", seeAll(hasOwnItems: hasOwnItems, hasRule: hasRule, isByTitle: sort == "title")))
        }
        if chance(3) { members.append(("skeleton", .integer(number(1...100)))) }
        if chance(4) { members.append(("tracking", .string("t.\(number(0...99))"))) }
        if format > 1, chance(4) { members.append(("during", period())) }
        return shuffled(members)
    }

    private mutating func theme() -> JSONValue {
        var theme = object(("accent", object(("light", "#8A6D1F"), ("dark", "#E3C878"))))
        if chance(2) { theme["paper"] = object(("light", .string("#F4F1E\(number(0...9))"))) }
        if chance(2) { theme["rowLine2"] = object(("dark", "#101010"), ("light", "#C0C0C0")) }
        return theme
    }

    private static let pair = JSONValue.object([.init(key: "nestedGroup", value: "feature-pair")])

    private mutating func form() -> JSONValue {
        switch number(0...8) {
        case 0: return object(("list", object()))
        case 1:
            var grid = object(("columns", .integer(number(1...4))), ("spacing", .integer(10)))
            if chance(2) { grid["regularColumns"] = .integer(number(1...6)) }
            return object(("grid", grid))
        case 2: return object(("carousel", carousel()))
        case 3: return object(("preset", "photo-grid"), ("columns", .integer(number(2...6))))
        case 4: return object(("preset", "zoom-carousel"))
        case 5: return object(("list", list()))
        case 6: return object(("preset", chance(2) ? "photo-grid-3-pinned-headers" : "photo-grid-adaptive"))
        case 7: return object(("compositional", object(("list", list()), ("contentInsets", object(("top", .integer(number(1...9))))))))
        default:
            return object(("compositional", object(("list", object()), ("contentInsets", object(("top", .integer(number(1...9))))))))
        }
    }

    private mutating func list() -> JSONValue {
        var list = object(("headerMode", ["none", "supplementary", "firstItemInSection"][number(0...2)]))
        if chance(3) { list["rowHeight"] = object(("absolute", .integer(number(20...200)))) }
        if format > 1, chance(3) { list["rowBackground"] = chance(2) ? "paper" : "#FFFFFF" }
        return list
    }

    private mutating func layout() -> [(String, JSONValue)] {
        if chance(4) {
            let cells = object(("large", .string("tile\(number(0...9))")), ("small", "tile"))
            return [("layout", Self.pair), ("cells", cells)] + arrangements()
        }
        var members: [(String, JSONValue)] = [("layout", form()), ("cell", "row")]
        if format > 1, chance(4) {
            members[0].1 = Self.pair
            members.append(("cells", object(("large", "tile"))))
        }
        return members + arrangements()
    }

    /// Returns variants and alternates.
    private mutating func arrangements() -> [(String, JSONValue)] {
        var members: [(String, JSONValue)] = []
        if chance(4) { members.append(("alternates", object(("b", format > 1 ? arranged() : form()), ("a", "active")))) }
        if chance(4) {
            let conditions = [
                object(("minWidth", .integer(number(300...900)))), object(("minTextSize", "accessibilityLarge")),
                object(("horizontalSizeClass", "regular")),
            ]
            var variant = object(("when", conditions[number(0...(format > 1 ? 2 : 0))]), ("layout", form()))
            if format > 1 { for member in arranged().members { variant[member.key] = member.value } }
            members.append(("variants", .array([variant])))
        }
        return members
    }

    /// Returns a layout, possibly with its own cells.
    private mutating func arranged() -> JSONValue {
        var layout = object(("layout", form()))
        if chance(3) {
            layout["layout"] = Self.pair
            layout["cells"] = object(("small", "other"), ("large", "otherLarge"))
        }
        if chance(2) { layout["cell"] = "other" }
        return layout
    }

    private mutating func carousel() -> JSONValue {
        var carousel = object(("rows", .integer(number(1...3))), ("width", .number(0.9)))
        if format == 1, chance(2) { carousel["header"] = .integer([0, 44, 60][number(0...2)]) }
        return carousel
    }

    private mutating func header() -> JSONValue {
        var header = object()
        if chance(2) { header["height"] = object((chance(3) ? "estimated" : "absolute", .integer(number(1...99)))) }
        if chance(2) { header["pinned"] = .bool(!chance(3)) }
        return header
    }

    private mutating func rule(below index: Int, depth: Int) -> JSONValue {
        switch number(depth < 4 ? 0...19 : 3...19) {
        case 0: return object(("all", .array([rule(below: index, depth: depth + 1), rule(below: index, depth: depth + 1)])))
        case 1: return object(("any", .array([rule(below: index, depth: depth + 1)])))
        case 2: return object(("not", rule(below: index, depth: depth + 1)))
        case 3: return object(("kind", chance(2) ? "topApp" : "foodApp"))
        case 4: return object(("category", chance(2) ? "travel" : .array(["travel", "games"])))
        case 5: return object(("cuisine", .array(["pizza"])))
        case 6: return object(("price", chance(2) ? "free" : object(("band", .array([1, 2])))))
        case 7: return object(("price", object(("atMost", object(("USD", .integer(number(0...999))), ("EUR", 5))))))
        case 8: return object(("rating", object(("atLeast", .number(Double(number(0...50)) / 10)), ("count", .integer(number(0...2))))))
        case 9: return object(("releasedWithin", object(("days", .integer(number(1...3_650))))))
        case 10: return object(("released", object(("from", "2020-02-29"), ("before", .string("2026-0\(number(1...9))-01")))))
        case 11: return object(("diet", chance(2) ? "vegan" : .array(["vegan", "halal"])))
        case 12: return object(("tag", chance(2) ? "made-here" : .array(["made-here", "new"])))
        case 13: return object(("developer", chance(2) ? "Quay Labs" : .array(["Quay Labs", "Südwind & Söhne"])))
        case 15: return object(("platform", chance(2) ? "ios" : .array(["ios", "macos"])))
        case 16:
            return object(("runsOn", chance(2) ? object(("ios", "16.0")) : .array([object(("ios", "16")), object(("macos", "13.1"))])))
        case 17: return object(("ageRating", object(("atMost", .integer(number(0...99))))))
        case 14: return object(("deliveryMinutes", object(("atMost", .integer(number(0...1_440))))))
        case 18: return object(("discounted", chance(2) ? .bool(true) : object(("atLeast", .number(Double(number(1...100)) / 100)))))
        default: return index == 0 ? object(("price", "paid")) : object(("inSection", .string("s\(number(0...index - 1))")))
        }
    }

    private mutating func sort() -> JSONValue {
        let periods: [JSONValue] = ["P1D", "PT24H", "P2W", "PT90M"]
        return switch number(0...7) {
        case 0: object(("chart", "top-free"))
        case 1: object(("rotate", object(("seed", .string("s\(number(0...9))")), ("every", periods[number(0...3)]))))
        default: ["-rating", "-releaseDate", "title"][number(0...2)]
        }
    }

    /// Returns a period with one bound or two, each an instant or a wall clock.
    private mutating func period() -> JSONValue {
        var members: [(String, JSONValue)] = []
        let zones = ["", ":00Z", ":30+05:45", ":00.5-03:30"]
        if chance(2) { members.append(("from", .string("2027-02-0\(number(1...9))T18:00\(zones[number(0...3)])"))) }
        if members.isEmpty || chance(2) { members.append(("until", .string("2027-03-0\(number(1...9))T02:30\(zones[number(0...3)])"))) }
        return shuffled(members)
    }

    private mutating func target() -> JSONValue {
        var members: [(String, JSONValue)] = [("platforms", .array(["ios"]))]
        if chance(2) { members.append(("storefronts", .array(["us", "de"]))) }
        if chance(2) { members.append(("locales", .array(["en", "pt-BR"]))) }
        if chance(2) { members.append(("appVersion", ">=3.0 <4.2.1")) }
        if chance(2) { members.append(("os", "=17.0")) }
        if chance(2) { members.append(("tags", .array(["beta"]))) }
        let from = number(0...99)
        if format > 1, chance(2) {
            members.append(("experiment", object(("weekend", .array(["pairs", "rows"])), ("dark-mode", .array(["on"])))))
        } else if format == 1, chance(2) {
            members.append(
                ("bucket", object(("experiment", "weekend"), ("from", .integer(from)), ("to", .integer(number(from + 1...100))))))
        }
        return shuffled(members)
    }

    private mutating func badge(below index: Int) -> JSONValue {
        object(("badge", "new"), chance(2) ? ("when", rule(below: index, depth: 2)) : ("on", .array([item(1), item(2)])))
    }

    /// Returns a list. With its own items, it has its own rule, its own sort or groups.
    private mutating func seeAll(hasOwnItems: Bool, hasRule: Bool, isByTitle: Bool) -> JSONValue {
        var members: [(String, JSONValue)] = [("title", texts())]
        guard format > 1 else {
            if chance(2) { members.append(("layout", chance(2) ? object(("list", object())) : object(("carousel", carousel())))) }
            return shuffled(members)
        }
        if chance(2) { members.append(("size", .integer(number(1...1_000)))) }
        if chance(3) { members.append(("exclude", .array([item(102), item(103)]))) }
        if chance(4) {
            members += [("layout", Self.pair), ("cells", object(("large", "tileLarge"), ("small", "rankedTile")))]
        } else if chance(2) {
            members.append(("layout", form()))
        }
        if chance(3) { members.append(("cell", "rankedRow")) }
        members += arrangements()
        guard hasOwnItems else { return shuffled(members) }
        // A list cannot refer to other sections. The first section has none above it.
        let hasOwnRule = chance(3)
        if hasOwnRule { members.append(("rule", rule(below: 0, depth: 2))) }
        var isByTitle = isByTitle
        if hasRule || hasOwnRule, chance(2) {
            let sort: JSONValue = chance(4) ? object(("chart", "top-paid")) : ["-rating", "-releaseDate", "title"][number(0...2)]
            members.append(("sort", sort))
            isByTitle = sort == "title"
        }
        if isByTitle, chance(2) { members.append(("group", "initial")) }
        return shuffled(members)
    }

    private mutating func pins(below size: Int, isGrouped: Bool) -> [JSONValue] {
        let step = size > 40 && chance(3) ? 12 : 2
        var pins: [JSONValue] = []
        for index in (0..<number(1...4)).shuffled(using: &random) {
            var pin = object(("slot", .integer(step * index)))
            if format > 1, !isGrouped, chance(3) {
                pin["card"] = card(index)
            } else {
                pin["item"] = item(index)
                if format > 1, chance(3) { pin["show"] = appearance() }
            }
            if format > 1, !isGrouped, chance(3) { pin["target"] = target() }
            pins.append(pin)
        }
        return pins
    }

    private mutating func card(_ index: Int) -> JSONValue {
        var members: [(String, JSONValue)] = [("key", .string("card-\(index)"))]
        let hasTitle = chance(2)
        if hasTitle { members.append(("title", texts())) }
        if !hasTitle || chance(2) { members.append(("image", image)) }
        if chance(3) { members.append(("kicker", texts())) }
        if chance(3) { members.append(("subtitle", texts())) }
        if isStory, chance(2) { members.append(("body", object(("en", "One line.\nAnother one.")))) }
        if chance(2) { members.append(("action", action())) }
        return shuffled(members)
    }

    private mutating func appearance() -> JSONValue {
        var members: [(String, JSONValue)] = [chance(2) ? ("title", texts()) : ("image", image)]
        if chance(3) { members.append(("subtitle", texts())) }
        if chance(2) { members.append(("action", action())) }
        return shuffled(members)
    }

    private mutating func action() -> JSONValue {
        switch number(0...5) {
        case 0: object(("item", item(number(0...9))))
        case 1: object(("feed", .string("feed-\(number(0...9))")))
        case 2: object(("story", .string("story-\(number(0...9))")))
        case 3: object(("list", .string("feed-\(number(0...9))/s\(number(0...9))")))
        case 4: object(("search", .string("Word \(number(0...9))")))
        default: object(("url", .string("https://example.com/\(number(0...9))?a=b")))
        }
    }

    private var image: JSONValue {
        object(("template", "https://cdn.example/{w}x{h}.jpg"), ("width", .integer(640)), ("height", .integer(360)))
    }

    private func item(_ number: Int) -> JSONValue {
        number.isMultiple(of: 3) ? .string("0d0f8a3e-7f6c-4a43-9a51-6f1f6c2f\(7_000 + number)") : .string("topapp:item-\(number)")
    }

    private mutating func texts() -> JSONValue {
        chance(2) ? object(("en", .string("Title \(number(0...99))"))) : object(("en", "Café"), ("de", "Cafe\u{301}"), ("ar", "اليوم"))
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }

    private mutating func chance(_ one: Int) -> Bool { number(1...one) == 1 }

    private mutating func shuffled(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(members.shuffled(using: &random).map { .init(key: $0.0, value: $0.1) })
    }

    private func object(_ members: (String, JSONValue)...) -> JSONValue { .object(members.map { .init(key: $0.0, value: $0.1) }) }
}
