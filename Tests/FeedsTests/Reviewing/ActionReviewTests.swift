import Feeds
import Items
import JSON
import Layout
import ScreenFiles
import Security
import Testing
import Values

@Suite("The review of actions and of conditions on sections")
struct ActionReviewTests {
    private static let codes = ["DEAD_ACTION", "UNKNOWN_FEED", "INSECTION_FOR_ANYBODY", "INSECTION_TOO_LARGE", "URL_SCHEME"]

    private let start = Timestamp("2026-12-24T00:00:00Z") ?? .epoch
    private let middle = Timestamp("2026-12-25T00:00:00Z") ?? .epoch
    private let end = Timestamp("2026-12-26T00:00:00Z") ?? .epoch

    private func context() throws -> ReviewContext {
        var context = ReviewContext()
        context.storefronts = ["de", "us"].map {
            Storefront(key: $0, currency: "USD", timeZone: "UTC", locales: [.english], defaultLocale: .english)
        }
        let always: Range<Timestamp> = .earliest ..< .latest
        context.items = [
            .slug(.topApp, "a"): .everywhere, .slug(.topApp, "local"): .at(["us": [always]]),
            .slug(.topApp, "season"): .at(["de": [start..<middle], "us": [always]]),
        ]
        let (top, local) = (try #require(SectionKey("top")), try #require(SectionKey("local")))
        let lists = [top: [String](), local: ["us"]]
        func feed(_ key: String) throws -> FeedKey { try #require(FeedKey(key)) }
        context.openings = try [
            feed("food"): FeedOpenings([.init(layer: .base, during: always, lists: lists)]),
            feed("tale"): FeedOpenings([.init(layer: .base, during: always, lists: [:], kind: .story)]),
            feed("page"): FeedOpenings([.init(layer: .base, during: always, lists: [:], kind: .page)], draftKind: .page),
            feed("becoming"): FeedOpenings([.init(layer: .base, during: always, lists: [:], kind: .page)], draftKind: .story),
            feed("draft"): FeedOpenings([], draftKind: .story),
            feed("relay"): FeedOpenings([
                .init(layer: .base, during: .earliest..<middle, lists: [top: []]),
                .init(layer: .base, during: middle ..< .latest, lists: [top: []]),
            ]),
            feed("late"): FeedOpenings([.init(layer: .base, during: middle ..< .latest, lists: [top: []])]),
            feed("early"): FeedOpenings([.init(layer: .base, during: .earliest..<middle, lists: [:])]),
            feed("market"): FeedOpenings([.init(layer: .takeover, during: middle..<end, lists: [top: []])]),
            feed("taken"): FeedOpenings([
                .init(layer: .base, during: always, lists: [top: []]), .init(layer: .takeover, during: middle..<end, lists: [:]),
            ]),
            feed("bridged"): FeedOpenings([
                .init(layer: .base, during: .earliest..<middle, lists: [top: []]),
                .init(layer: .takeover, during: middle ..< .latest, lists: [top: []]),
            ]),
        ]
        context.actionSchemes = ["https", "itms-apps"]
        return context
    }

    /// Returns the severity, the code and the pointer of each finding about actions and sections.
    private func findings(_ sections: String) throws -> Set<String> {
        let text = #"{"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [\#(sections)]}"#
        let context = try context()
        let review = PublicationReviewer(
            of: try FeedDocument(parsing: Array(text.utf8)), in: context, during: context.always(start..<end),
            on: try ScreenMatrix.builtIn(),
            hashedBy: Digest.sha256)
        let found = review.findings.filter { Self.codes.contains($0.code.rawValue) }
        return Set(found.map { "\($0.severity.rawValue) \($0.code.rawValue) \($0.pointer)" })
    }

    /// Returns the findings about a card with an action.
    private func findings(action: String, target: String? = nil) throws -> Set<String> {
        let card = #"{"slot": 0, "card": {"key": "c", "title": {"en": "C"}, "action": \#(action)}}"#
        let target = target.map { #", "target": \#($0)"# } ?? ""
        return try findings(#"{"key": "hero", "layout": {"list": {}}, "cell": "row", "pins": [\#(card)]\#(target)}"#)
    }

    @Test(
        "An action to something that is live and available during the whole publication has no finding",
        arguments: [
            #"{"feed": "food"}"#, #"{"story": "tale"}"#, #"{"feed": "tale"}"#, #"{"story": "becoming"}"#, #"{"feed": "page"}"#,
            #"{"feed": "today"}"#,
            #"{"feed": "relay"}"#, #"{"feed": "taken"}"#, #"{"feed": "bridged"}"#,
            #"{"list": "food/top"}"#, #"{"list": "relay/top"}"#, #"{"list": "bridged/top"}"#, #"{"item": "topapp:a"}"#,
            #"{"search": "tea"}"#, #"{"url": "https://example.com"}"#, #"{"url": "itms-apps://x"}"#,
        ])
    func alive(action: String) throws {
        #expect(try findings(action: action) == [])
    }

    @Test(
        "An action to a feed that does not exist, and a story action to a page, are errors",
        arguments: [
            (#"{"feed": "gone"}"#, "feed"), (#"{"story": "gone"}"#, "story"), (#"{"list": "gone/top"}"#, "list"),
            (#"{"story": "page"}"#, "story"), (#"{"story": "today"}"#, "story"),
        ])
    func unknown(action: String, kind: String) throws {
        #expect(try findings(action: action) == ["error UNKNOWN_FEED /sections/0/pins/0/card/action/\(kind)"])
    }

    @Test(
        "An action to something that does not exist all the time in each storefront is a warning",
        arguments: [
            (#"{"feed": "late"}"#, "feed"), (#"{"story": "draft"}"#, "story"),
            (#"{"feed": "early"}"#, "feed"), (#"{"feed": "market"}"#, "feed"), (#"{"list": "food/gone"}"#, "list"),
            (#"{"list": "food/local"}"#, "list"), (#"{"list": "late/top"}"#, "list"), (#"{"list": "taken/top"}"#, "list"),
            (#"{"item": "topapp:local"}"#, "item"), (#"{"item": "topapp:season"}"#, "item"),
        ])
    func dead(action: String, kind: String) throws {
        #expect(try findings(action: action) == ["warning DEAD_ACTION /sections/0/pins/0/card/action/\(kind)"])
    }

    @Test(
        "An action is reviewed in the storefronts of its section",
        arguments: [#"{"list": "food/local"}"#, #"{"item": "topapp:local"}"#, #"{"item": "topapp:season"}"#])
    func storefronts(action: String) throws {
        #expect(try findings(action: action, target: #"{"storefronts": ["us"]}"#) == [])
        #expect(try findings(action: action, target: #"{"storefronts": ["de"]}"#).count == 1)
    }

    @Test("A URL with a scheme that the server does not allow is an error")
    func schemes() throws {
        for url in ["tel:1", "http://example.com"] {
            #expect(try findings(action: #"{"url": "\#(url)"}"#) == ["error URL_SCHEME /sections/0/pins/0/card/action/url"])
        }
        let pin = #"{"slot": 0, "item": "topapp:a", "show": {"action": {"url": "tel:1"}}}"#
        let found = try findings(#"{"key": "hero", "layout": {"list": {}}, "cell": "row", "pins": [\#(pin)]}"#)
        #expect(found == ["error URL_SCHEME /sections/0/pins/0/show/action/url"])
    }

    /// Returns the findings about a section below the section `hero`.
    private func findings(below members: String) throws -> Set<String> {
        let hero = #"{"key": "hero", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}}"#
        return try findings(#"\#(hero), {"key": "more", "layout": {"list": {}}, "cell": "row", \#(members)}"#)
    }

    @Test(
        "A condition that excludes the items of a section above for each client has no finding",
        arguments: [
            #""rule": {"not": {"inSection": "hero"}}"#, #""rule": {"all": [{"kind": "topApp"}, {"not": {"inSection": "hero"}}]}"#,
            #""rule": {"kind": "topApp"}"#, #""rule": {"not": {"inSection": "hero"}}, "continues": true"#,
        ])
    func forEachClient(members: String) throws {
        #expect(try findings(below: members) == [])
    }

    @Test(
        "A condition on all items that a section above can show is a warning",
        arguments: [
            #""rule": {"inSection": "hero"}"#, #""rule": {"any": [{"not": {"inSection": "hero"}}, {"price": "free"}]}"#,
            #""rule": {"all": [{"kind": "topApp"}, {"not": {"not": {"inSection": "hero"}}}]}"#,
            #""rule": {"not": {"inSection": "hero"}}, "sort": "title", "group": "initial""#,
        ])
    func forAnybody(members: String) throws {
        let found = try findings(below: members)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("warning INSECTION_FOR_ANYBODY /sections/1/rule") == true)
    }

    @Test("Excluded sections with more items than the server selects in addition are a warning", arguments: [(9, false), (10, true)])
    func tooLarge(count: Int, isReported: Bool) throws {
        let members = #""layout": {"list": {}}, "cell": "row", "size": 100, "rule": {"kind": "topApp"}"#
        let above = (0..<count).map { #"{"key": "s\#($0)", \#(members)}"# }
        let keys = (0..<count).map { "\"s\($0)\"" }.joined(separator: ", ")
        let rule = #"{"all": [{"kind": "topApp"}, {"not": {"inSection": [\#(keys)]}}]}"#
        let section = #"{"key": "more", "layout": {"list": {}}, "cell": "row", "rule": \#(rule)}"#
        let found = try findings((above + [section]).joined(separator: ", "))
        #expect(found == (isReported ? ["warning INSECTION_TOO_LARGE /sections/\(count)/rule"] : []))
    }
}
