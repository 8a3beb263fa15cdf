import Feeds
import Items
import JSON
import Layout
import Resolve
import Testing
import Values

@Suite("A feed document")
struct FeedDocumentTests {
    private func section(_ members: [String: String?]) throws -> FeedSection {
        try #require(try FeedDocument(parsing: Array(ExampleFeed.document(members).utf8)).sections.first)
    }

    private func reference(_ text: String) throws -> ItemReference { try #require(ItemReference(text)) }

    @Test("The example is decoded with all its fields")
    func example() throws {
        let feed = try FeedDocument(parsing: try ExampleFeed.bytes)
        #expect(feed.key.text == "today")
        #expect(feed.title[try #require(LocaleTag("ar"))] == "اليوم")
        #expect(feed.configuration == PageConfiguration(interSectionSpacing: 24, contentInsetsReference: .safeArea))
        #expect(feed.sections.map(\.key.text) == ["hero", "top-free", "feature", "order-in", "a-to-z"])
        #expect(feed.sections.map(\.tracking).first == "today.hero")

        let hero = feed.sections[0]
        #expect(hero.title == nil)
        #expect(hero.pins.map(\.slot) == [0, 1])
        #expect(hero.pins.compactMap(\.item) == [try reference("topapp:harbor-notes"), .slug(.foodApp, "saffron-table")])
        #expect(hero.rule == .all([.kind(.topApp), .rating(atLeast: 4.5, count: 0)]))
        #expect(hero.sort == .rotation(Rotation(seed: "hero", every: try #require(RotationPeriod("P1D")))))
        #expect((hero.size, hero.minItems) == (6, 3))

        let charts = feed.sections[1]
        #expect(charts.sort == .chart("top-free"))
        #expect(charts.exclusions == [.slug(.topApp, "harbor-notes")])
        #expect(charts.badges.map(\.badge) == ["new"])
        #expect(charts.badges.map(\.bearers) == [.rule(.releasedWithin(days: 14))])
        #expect(charts.seeAll?.layout == LayoutChoice(.list(ListLayout())))
        #expect(charts.list?.size == 200)

        let feature = feed.sections[2]
        #expect(feature.cells == CellStyles(cell: "tile", slots: ["large": "tileLarge"]))
        #expect(feature.cells["large"] == "tileLarge" && feature.cells["small"] == "tile")
        #expect(feature.rule == .any([.category(["travel"]), .category(["outdoors"])]))
        #expect(feature.sort == .rating)
        let range = try #require(VersionRange(">=3.0"))
        #expect(feature.target?.conditions == [.platforms(["ios"]), .appVersion(range), .experiment("weekend", arms: ["pairs"])])

        let orderIn = feed.sections[3]
        #expect(orderIn.cells[nil] == "foodCard")
        #expect(orderIn.layout.expanded(at: 3).active == "grid")
        #expect(orderIn.layout.expanded(at: 3).alternates.map(\.name) == ["column"])
        #expect(orderIn.rule == .all([.kind(.foodApp), .not(.inSection([hero.key])), .cuisine(["pizza", "levantine"])]))

        #expect(feed.sections.map(\.grouping) == [.none, .none, .none, .none, .initial])
    }

    @Test("An absent field has its default")
    func defaults() throws {
        let section = try section([:])
        #expect((section.size, section.minItems) == (20, 1))
        #expect(section.sort == .rating)
        #expect(section.tracking == "today.hero")
        #expect(section.pins.isEmpty && section.exclusions.isEmpty && section.badges.isEmpty)
        #expect(section.eligibility == .platform)
        #expect(section.target == nil && section.maxDrop == nil && section.skeleton == nil && section.seeAll == nil)
    }

    @Test("Pins are decoded in any order and sorted by slot, and an item may be referenced by its ID")
    func pins() throws {
        let id = "0d0f8a3e-7f6c-4a43-9a51-6f1f6c2f7a10"
        let section = try section([
            "pins": #"[{"slot": 4, "item": "topapp:a"}, {"slot": 2, "item": "\#(id)"}]"#, "rule": nil, "size": "5",
        ])
        #expect(section.pins.map(\.slot) == [2, 4])
        #expect(section.pins.map(\.name) == [id, "topapp:a"])
        #expect(section.rule == nil)
    }

    private static func version(_ platform: String, _ version: String) -> [PlatformVersion] {
        Version(version).map { [PlatformVersion(platform: platform, version: $0)] } ?? []
    }

    @Test(
        "Every condition of a rule is decoded",
        arguments: [
            (#"{"price": "free"}"#, Rule.price(.free)), (#"{"price": "paid"}"#, .price(.paid)),
            (#"{"price": {"band": 2}}"#, .price(.bands([2]))), (#"{"price": {"band": [1, 2]}}"#, .price(.bands([1, 2]))),
            (#"{"price": {"atMost": {"USD": 499, "EUR": 0}}}"#, .price(.atMost(["EUR": 0, "USD": 499]))),
            (#"{"discounted": true}"#, .discounted(atLeastPercent: 0)),
            (#"{"discounted": {"atLeast": 0.2}}"#, .discounted(atLeastPercent: 20)),
            (#"{"discounted": {"atLeast": 0.29}}"#, .discounted(atLeastPercent: 29)),
            (#"{"discounted": {"atLeast": 1}}"#, .discounted(atLeastPercent: 100)),
            (#"{"diet": "vegan"}"#, .diet(["vegan"])), (#"{"tag": ["made-here", "new"]}"#, .tag(["made-here", "new"])),
            (#"{"developer": ["Quay Labs", "南 & Co"]}"#, .developer(["Quay Labs", "南 & Co"])),
            (#"{"deliveryMinutes": {"atMost": 30}}"#, .deliveryMinutes(atMost: 30)),
            (#"{"platform": ["ios", "ipados"]}"#, .platform(["ios", "ipados"])),
            (#"{"ageRating": {"atMost": 12}}"#, .ageRating(atMost: 12)),
            (#"{"runsOn": {"ios": "16.0"}}"#, .runsOn(Self.version("ios", "16"))),
            (#"{"runsOn": [{"ios": "16.2"}, {"macos": "13"}]}"#, .runsOn(Self.version("ios", "16.2") + Self.version("macos", "13"))),
            (#"{"rating": {"atLeast": 4, "count": 100}}"#, .rating(atLeast: 4, count: 100)),
            (#"{"inSection": ["hero", "top-free"]}"#, .inSection([SectionKey("hero"), SectionKey("top-free")].compactMap(\.self))),
            (#"{"not": {"any": [{"category": ["a", "b"]}]}}"#, .not(.any([.category(["a", "b"])]))),
        ])
    func conditions(text: String, rule: Rule) throws {
        #expect(try Rule(parsing: Array(text.utf8)) == rule)
        #expect(try Rule(parsing: rule.json()) == rule)
    }

    @Test("Every share in whole percent is written as it was read, and others are rejected")
    func discounts() throws {
        for percent in 1...100 {
            let rule = Rule.discounted(atLeastPercent: percent)
            #expect(try Rule(parsing: rule.json()) == rule)
        }
        let canonical = try Rule(parsing: Array(#"{"discounted": {"atLeast": 0.20}}"#.utf8)).json()
        #expect(String(decoding: canonical, as: UTF8.self) == #"{"discounted":{"atLeast":0.2}}"#)
        for value in [
            "false", "0.2", "{}", #"{"atLeast": 0}"#, #"{"atLeast": 1.01}"#, #"{"atLeast": 0.125}"#, #"{"atMost": 0.2}"#, "\"yes\"",
        ] {
            #expect(throws: JSONError.self, "\(value)") { try Rule(parsing: Array(#"{"discounted": \#(value)}"#.utf8)) }
        }
    }

    @Test(
        "An invalid condition on a fact is refused at its location, and a similar key is suggested",
        arguments: [
            (#"{"diet": "Vegan"}"#, "/diet", "1 to 80 lowercase"), (#"{"tag": []}"#, "/tag", "1 to 50"),
            (#"{"tag": ["a", "a"]}"#, "/tag/1", "already"), (#"{"developer": " "}"#, "/developer", "1 to 200 characters"),
            (#"{"developer": ["Quay", "a\tb"]}"#, "/developer/1", "1 to 200 characters"),
            (#"{"deliveryMinutes": 30}"#, "/deliveryMinutes", "object"),
            (#"{"deliveryMinutes": {"atMost": 1441}}"#, "/deliveryMinutes/atMost", "1440"),
            (#"{"platform": "iOS"}"#, "/platform", "1 to 80 lowercase"), (#"{"runsOn": "ios"}"#, "/runsOn", "object"),
            (#"{"runsOn": {}}"#, "/runsOn", "one platform"), (#"{"runsOn": {"ios": "16", "macos": "13"}}"#, "/runsOn", "list of objects"),
            (#"{"runsOn": {"ios": 16}}"#, "/runsOn/ios", "string"),
            (#"{"runsOn": [{"ios": "16"}, {"ios": "16.x"}]}"#, "/runsOn/1/ios", "16.2"),
            (#"{"ageRating": {"atMost": 100}}"#, "/ageRating/atMost", "99"), (#"{"ageRating": "12+"}"#, "/ageRating", "object"),
            (#"{"deliveryMinutes": {"most": 30}}"#, "/deliveryMinutes/most", "atMost"),
            (#"{"develper": "Quay"}"#, "/develper", "developer"),
        ])
    func refusedFacts(text: String, pointer: String, words: String) {
        let error = #expect(throws: JSONError.self) { try Rule(parsing: Array(text.utf8)) }
        let issue = error?.issues.first { $0.pointer.description == pointer }
        #expect(issue.map { "\($0.message) \($0.hint ?? "")" }?.contains(words) == true, "\(String(describing: error?.issues))")
    }

    @Test("A range of release dates has a start, an end or both")
    func released() throws {
        let day = try #require(CalendarDay("2026-01-01"))
        let later = try #require(CalendarDay("2026-02-01"))
        #expect(try Rule(parsing: Array(#"{"released": {"from": "2026-01-01"}}"#.utf8)) == .released(.from(day)))
        #expect(try Rule(parsing: Array(#"{"released": {"before": "2026-01-01"}}"#.utf8)) == .released(.before(day)))
        let both = #"{"released": {"from": "2026-01-01", "before": "2026-02-01"}}"#
        #expect(try Rule(parsing: Array(both.utf8)) == .released(.within(day..<later)))
    }

    @Test(
        "A maximum drop is a share or a number of items",
        arguments: [
            ("0.5", MaxDrop.share(0.5), 10, 5, true), ("0.5", .share(0.5), 10, 4, false), ("0", .items(0), 10, 9, false),
            ("3", .items(3), 10, 7, true), ("3", .items(3), 10, 6, false), ("3", .items(3), 5, 10, true), ("0.1", .share(0.1), 0, 0, true),
        ])
    func maxDrop(text: String, drop: MaxDrop, before: Int, after: Int, allows: Bool) throws {
        #expect(try section(["maxDrop": text]).maxDrop == drop)
        #expect(drop.allows(from: before, to: after) == allows)
    }

    @Test("A large document is decoded, with 100 pins and 100 sections")
    func large() throws {
        let texts = (0..<99).map { #", {"key": "s\#($0)", "layout": {"list": {}}, "cell": "c", "rule": {"inSection": "hero"}}"# }
        let pins = (0..<100).map { #"{"slot": \#($0), "item": "topapp:a\#($0)"}"# }.joined(separator: ",")
        let text = ExampleFeed.document(["pins": "[\(pins)]", "size": "100"], sections: texts.joined())
        let feed = try FeedDocument(parsing: Array(text.utf8))
        #expect(feed.sections.count == 100)
        #expect(feed.sections[0].pins.count == 100)
    }
}
