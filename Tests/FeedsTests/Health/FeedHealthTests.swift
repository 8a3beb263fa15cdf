import Items
import JSON
import Layout
import Resolve
import Testing
import Values

@testable import Feeds

@Suite("The findings about the content of a feed")
struct FeedHealthTests {
    private static let ids = (0..<4).compactMap { UUID("00000000-0000-4000-8000-00000000000\($0)") }
    private static let references: [ItemReference: UUID] = [
        .slug(.topApp, "a"): ids[0], .slug(.topApp, "b"): ids[1], .id(ids[1]): ids[1],
    ]

    private static func document(_ sections: String...) throws -> FeedDocument {
        let text = #"{"format": 2, "feed": "today", "title": {"en": "T"}, "sections": [\#(sections.joined(separator: ","))]}"#
        return try FeedDocument(parsing: Array(text.utf8))
    }

    private static func section(_ key: String = "hero", _ fields: String = #""rule": {"kind": "topApp"}"#) -> String {
        #"{"key": "\#(key)", "layout": {"list": {}}, "cell": "row", \#(fields)}"#
    }

    private static func shelf(_ count: Int, pins: [ComposedItems.Pin] = []) -> ComposedItems {
        var shelf = ComposedItems()
        shelf.orders = [nil: Array(ids.prefix(count))]
        for (index, item) in ids.prefix(count).enumerated() { shelf.placements[item] = .init(serialNumber: index) }
        shelf.pins = pins
        return shelf
    }

    private static func key(_ text: String) throws -> SectionKey { try #require(SectionKey(text)) }

    private static func result(
        _ document: FeedDocument, _ parts: [SectionPart: ComposedItems], _ failures: [SectionPart: FeedHealth.PartFailure] = [:],
        in key: String = "us", _ registry: ExperimentRegistry = ExperimentRegistry()
    ) -> FeedHealth.Result {
        let storefront = Storefront(key: key, currency: "USD", timeZone: "UTC", locales: [.english], defaultLocale: .english)
        return FeedHealth(
            of: document, revision: 3, in: storefront, on: ClientPlatforms(), sections: Set(document.sections(in: key).map(\.key)),
            parts: parts, failures: failures, references: references, registry: registry
        ).result
    }

    /// The code and the pointer of each finding.
    private static func printed(_ result: FeedHealth.Result) -> [String] {
        result.findings.map { "\($0.identity.code) \($0.pointer)" }
    }

    @Test("A feed whose sections show their items has no findings")
    func calm() throws {
        let document = try Self.document(Self.section(), Self.section("none", #""rule": {"kind": "topApp"}, "minItems": 0"#))
        #expect(Self.result(document, [.shelf(try Self.key("hero")): Self.shelf(1)]).findings.isEmpty)
    }

    @Test("A section with fewer items than its minimum is missing, whether it has some or none", arguments: [0, 2])
    func missing(count: Int) throws {
        let document = try Self.document(
            Self.section("few", #""rule": {"kind": "topApp"}, "minItems": 3"#), Self.section("all"))
        let parts: [SectionPart: ComposedItems] = [
            .shelf(try Self.key("few")): Self.shelf(count), .shelf(try Self.key("all")): Self.shelf(1),
        ]
        let failure = FeedHealth.PartFailure.insufficientItems(.tooFew(found: count, minimum: 3))
        let result = Self.result(document, parts, [.shelf(try Self.key("few")): failure])
        #expect(Self.printed(result) == ["SECTION_MISSING /sections/0/minItems"])
        let finding = try #require(result.findings.first)
        #expect(finding.severity == .error && finding.revision == 3 && finding.section == "few" && finding.platforms.isEmpty)
        #expect(finding.message == "pages omit the section, because it has fewer items than minItems, which is 3")
    }

    @Test("A page without a shown section is empty, also if the document has none for the storefront")
    func empty() throws {
        let document = try Self.document(Self.section("only", #""rule": {"kind": "topApp"}, "target": {"storefronts": ["us"]}"#))
        #expect(Self.printed(Self.result(document, [:])) == ["SECTION_MISSING /sections/0", "FEED_EMPTY "])
        #expect(Self.printed(Self.result(document, [:], in: "de")) == ["FEED_EMPTY "])
        #expect(Self.printed(Self.result(try Self.document(), [:])) == ["FEED_EMPTY "])
    }

    @Test("A section that keeps its last good items has a finding at the limit that its rule breaks")
    func kept() throws {
        let document = try Self.document(
            Self.section("few", #""rule": {"kind": "topApp"}, "minItems": 2"#), Self.section("one"),
            Self.section("drop", #""rule": {"kind": "topApp"}, "maxDrop": 1"#))
        var parts: [SectionPart: ComposedItems] = [:]
        for key in ["few", "one", "drop"] { parts[.shelf(try Self.key(key))] = Self.shelf(2) }
        let few = FeedHealth.PartFailure.insufficientItems(.tooFew(found: 0, minimum: 2))
        let result = Self.result(
            document, parts,
            [
                .shelf(try Self.key("few")): few, .shelf(try Self.key("one")): few,
                .shelf(try Self.key("drop")): .insufficientItems(.tooLargeDrop(found: 1, before: 4)),
            ])
        #expect(
            Self.printed(result) == [
                "SECTION_KEPT /sections/0/minItems", "SECTION_KEPT /sections/1", "SECTION_KEPT /sections/2/maxDrop",
            ])
        #expect(result.findings.allSatisfy { $0.severity == .warning })
    }

    @Test("A slow rule has one finding, and its list another one only if it has its own rule")
    func slow() throws {
        let own = #""rule": {"kind": "topApp"}, "seeAll": {"title": {"en": "All"}, "rule": {"kind": "foodApp"}}"#
        let shared = #""rule": {"kind": "topApp"}, "title": {"en": "A"}, "continues": true"#
        let document = try Self.document(Self.section("own", own), Self.section("shared", shared), Self.section("list", shared))
        var parts: [SectionPart: ComposedItems] = [:]
        var failures: [SectionPart: FeedHealth.PartFailure] = [.list(try Self.key("list")): .timeout]
        for key in ["own", "shared", "list"] { parts[.shelf(try Self.key(key))] = Self.shelf(2) }
        for key in ["own", "shared"] {
            failures[.shelf(try Self.key(key))] = .timeout
            failures[.list(try Self.key(key))] = .timeout
        }
        let result = Self.result(document, parts, failures)
        #expect(
            Self.printed(result) == [
                "RULE_TOO_SLOW /sections/0/rule", "RULE_TOO_SLOW /sections/0/seeAll/rule", "RULE_TOO_SLOW /sections/1/rule",
                "RULE_TOO_SLOW /sections/2/rule",
            ])
        #expect(Set(result.findings.map(\.identity)).count == 4)
        let absent = Self.result(document, [:], [.shelf(try Self.key("own")): .timeout])
        #expect(absent.findings.contains { $0.message.hasSuffix("because its rule takes too long and it has no earlier items") })
    }

    @Test("If a rule did not run, the earlier findings about its items continue, and no others")
    func undecided() throws {
        let list = #""rule": {"kind": "topApp"}, "minItems": 2, "title": {"en": "A"}, "continues": true"#
        let document = try Self.document(Self.section("hero", list))
        let hero = try Self.key("hero")
        let earlier = Self.result(document, [:], [.shelf(hero): .timeout, .list(hero): .timeout])
        let slowList = Self.result(document, [.shelf(hero): Self.shelf(2)], [.list(hero): .timeout]).findings
        #expect(Self.printed(earlier).count == 3)
        let skipped = Self.result(document, [:], [.shelf(hero): .skipped])
        #expect(skipped.findings.isEmpty)
        #expect(earlier.findings.allSatisfy(skipped.isUndecided) && !slowList.contains(where: skipped.isUndecided))
        let decided = Self.result(document, [.shelf(hero): Self.shelf(2)], [.list(hero): .skipped])
        #expect(slowList.allSatisfy(decided.isUndecided))
        let other = StorefrontFinding.unreadable(revision: 1, "x")
        #expect(!skipped.isUndecided(other) && !Self.result(document, [.shelf(hero): Self.shelf(2)]).isUndecided(earlier.findings[0]))
    }

    // MARK: Pins

    @Test("A pinned item that is not available has a finding in the storefronts and for the platforms that see the pin")
    func pins() throws {
        let pins = #"""
            "pins": [{"slot": 0, "item": "topapp:a"}, {"slot": 1, "item": "topapp:gone", "target": {"storefronts": ["us"], "platforms": ["ios", "macos"]}},
                {"slot": 2, "card": {"key": "c", "title": {"en": "C"}}}],
            "rule": {"kind": "topApp"}, "target": {"platforms": ["visionos", "ios"]}
            """#
        let document = try Self.document(Self.section("hero", pins))
        let parts = [
            SectionPart.shelf(try Self.key("hero")): Self.shelf(1, pins: [ComposedItems.Pin(slot: 0, content: .item(Self.ids[0], nil))])
        ]
        let result = Self.result(document, parts)
        #expect(Self.printed(result) == ["PIN_GONE /sections/0/pins/1/item"])
        #expect(result.findings.first?.identity.subject == "hero/topapp:gone" && result.findings.first?.platforms == ["ios"])
        #expect(Self.result(document, parts, in: "de").findings.isEmpty)
        let none = Self.result(document, [:])
        #expect(Self.printed(none).filter { $0.hasPrefix("PIN_GONE") }.count == 2)
        // While the rule is too slow and there are no previous items, the pins are unknown.
        let slow = Self.result(document, [:], [.shelf(try Self.key("hero")): .timeout])
        #expect(!slow.findings.contains { $0.identity.code == "PIN_GONE" })
    }

    @Test("An item that is pinned under two names is not gone")
    func twoNames() throws {
        let pins = #""pins": [{"slot": 0, "item": "topapp:b"}, {"slot": 1, "item": "\#(Self.ids[1])"}]"#
        let document = try Self.document(Self.section("hero", pins))
        let shelf = Self.shelf(2, pins: [ComposedItems.Pin(slot: 0, content: .item(Self.ids[1], nil))])
        #expect(Self.result(document, [.shelf(try Self.key("hero")): shelf]).findings.isEmpty)
    }

    @Test("A section of pins alone counts them, also if no order of items is known")
    func pinsAlone() throws {
        let document = try Self.document(Self.section("hero", #""pins": [{"slot": 0, "card": {"key": "c", "title": {"en": "C"}}}]"#))
        let pin = try #require(document.sections.first?.pins.first?.card)
        var shelf = ComposedItems()
        shelf.pins = [ComposedItems.Pin(slot: 0, content: .card(pin))]
        #expect(Self.result(document, [.shelf(try Self.key("hero")): shelf]).findings.isEmpty)
    }

    // MARK: Experiments

    private static func registry(_ state: Experiment.State) -> ExperimentRegistry {
        let experiment = Experiment(salt: "weekend", arms: ["control": [0..<50], "pairs": [50..<100]], defaultArm: "control", state: state)
        return ExperimentRegistry(experiment.map { ["weekend": $0] } ?? [:])
    }

    @Test("The targets of sections and pins have a finding unless their experiment is running")
    func experiments() throws {
        let target = #""target": {"experiment": {"weekend": ["pairs"]}}"#
        let document = try Self.document(
            Self.section("hero", #""rule": {"kind": "topApp"}, \#(target)"#),
            Self.section(
                "pins", #""pins": [{"slot": 0, "card": {"key": "c", "title": {"en": "C"}}, \#(target)}], "rule": {"kind": "topApp"}"#))
        let parts = [SectionPart.shelf(try Self.key("hero")): Self.shelf(1), .shelf(try Self.key("pins")): Self.shelf(1)]
        #expect(Self.result(document, parts, Self.registry(.running)).findings.isEmpty)
        for (registry, words) in [
            (Self.registry(.draft), "has not started, so every client has the arm 'control'"),
            (Self.registry(.concluded(winner: "pairs")), "is concluded, so every client has the arm 'pairs'"),
            (ExperimentRegistry(), "does not exist"),
        ] {
            let result = Self.result(document, parts, registry)
            #expect(
                Self.printed(result) == [
                    "EXPERIMENT_NOT_RUNNING /sections/0/target/experiment/weekend",
                    "EXPERIMENT_NOT_RUNNING /sections/1/pins/0/target/experiment/weekend",
                ])
            #expect(result.findings.allSatisfy { $0.message.contains(words) })
            #expect(result.findings.map(\.identity.subject) == ["hero/experiment:weekend", "pins/~c/experiment:weekend"])
        }
    }

    private static func result(_ document: FeedDocument, _ parts: [SectionPart: ComposedItems], _ registry: ExperimentRegistry)
        -> FeedHealth.Result
    { result(document, parts, [:], in: "us", registry) }

    // MARK: Actions

    @Test("The actions of pins are those that open an item, a feed or a list, each with its location and its clients")
    func actions() throws {
        let document = try Self.document(
            Self.section(
                "hero",
                #"""
                "pins": [{"slot": 0, "item": "topapp:a", "show": {"action": {"story": "tale"}}, "target": {"storefronts": ["us"]}},
                    {"slot": 1, "card": {"key": "c", "title": {"en": "C"}, "action": {"list": "food/best"}}},
                    {"slot": 2, "card": {"key": "d", "title": {"en": "D"}, "action": {"search": "tea"}}},
                    {"slot": 3, "card": {"key": "e", "title": {"en": "E"}, "action": {"url": "https://example.com/"}}}],
                "rule": {"kind": "topApp"}, "target": {"storefronts": ["us", "de"]}
                """#))
        let actions = document.pinActions
        #expect(actions.map(\.pointer.description) == ["/sections/0/pins/0/show/action/story", "/sections/0/pins/1/card/action/list"])
        func isFor(_ storefront: String) -> [Bool] { actions.map { $0.isFor(storefront, at: .epoch, by: LocalClock()) } }
        #expect(isFor("us") == [true, true] && isFor("de") == [false, true] && isFor("sa") == [false, false])
        let findings = actions.map { $0.finding(revision: 3) }
        #expect(findings.map(\.identity) == [.init("DEAD_ACTION", "hero/topapp:a"), .init("DEAD_ACTION", "hero/~c")])
        #expect(
            findings.map(\.message) == [
                "the action opens the feed tale, which is not live", "the action opens the list food/best, which is not shown",
            ])
    }

    @Test("An action is for a storefront from the start of its section until before its end")
    func actionPeriod() throws {
        let (start, end) = (try #require(Timestamp("2027-02-08T18:00:00Z")), try #require(Timestamp("2027-02-09T02:00:00Z")))
        let document = try Self.document(
            Self.section(
                "hero",
                #"""
                "pins": [{"slot": 0, "card": {"key": "c", "title": {"en": "C"}, "action": {"feed": "gifts"}}}],
                "during": {"from": "\#(start)", "until": "\#(end)"}
                """#))
        let action = try #require(document.pinActions.first)
        for (time, isFor) in [
            (start.advanced(by: .microseconds(-1)), false), (start, true), (end.advanced(by: .microseconds(-1)), true), (end, false),
        ] { #expect(action.isFor("us", at: time, by: LocalClock()) == isFor, "\(time)") }
    }
}
