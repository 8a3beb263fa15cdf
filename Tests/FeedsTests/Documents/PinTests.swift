import Feeds
import Items
import JSON
import Resolve
import Testing
import Values

@Suite("The pins and cards of a feed document")
struct PinTests {
    private static let story: [String: String?] = ["kind": #""story""#]

    private func document(
        _ pins: String, _ members: [String: String?] = [:], feed: [String: String?] = [:]
    ) throws(JSONError) -> FeedDocument {
        let members = members.merging(["pins": "[\(pins)]"]) { $1 }
        return try FeedDocument(parsing: Array(ExampleFeed.document(members, feed: feed).utf8))
    }

    /// Returns a document with a card that has this action.
    private func document(action: String) throws(JSONError) -> FeedDocument {
        try document(#"{"slot": 0, "card": {"key": "c", "title": {"en": "C"}, "action": \#(action)}}"#)
    }

    private func issues(_ document: () throws(JSONError) -> FeedDocument) -> [String] {
        do throws(JSONError) {
            _ = try document()
            return []
        } catch {
            return error.issues.map { "\($0.pointer) \($0.code.rawValue)" }.sorted()
        }
    }

    @Test("A card is decoded with all its texts, its image and its action")
    func card() throws {
        let text = #"""
            {"slot": 3, "target": {"appVersion": ">=4.0"}, "card": {"key": "ramadan", "kicker": {"en": "Tonight"}, "title": {"en": "Iftar"},
             "subtitle": {"en": "Near you"}, "body": {"en": "One.\n\nTwo."},
             "image": {"template": "https://cdn.example/{w}x{h}.jpg", "width": 640, "height": 360}, "action": {"feed": "ramadan"}}}
            """#
        let pin = try #require(try document(text, feed: Self.story).sections.first?.pins.first)
        #expect(pin.slot == 3 && pin.item == nil && pin.name == "~ramadan")
        #expect(pin.target?.conditions == [.appVersion(try #require(VersionRange(">=4.0")))])
        let card = try #require(pin.card)
        #expect(card.key.text == "ramadan" && card.action?.kind == .feed && card.action?.target == "ramadan")
        #expect(card.texts.map(\.key) == ["kicker", "title", "subtitle", "body"])
        #expect(card.texts.map { $0.text[.english] } == ["Tonight", "Iftar", "Near you", "One.\n\nTwo."])
        #expect(card.image?.size.width == 640 && card.image?.standard.light.template == "https://cdn.example/{w}x{h}.jpg")
    }

    @Test("A pinned item can have another appearance and an action")
    func appearance() throws {
        let show = #"{"title": {"en": "Write by the water"}, "action": {"story": "harbor-story"}}"#
        let pin = try #require(
            try document(#"{"slot": 0, "item": "topapp:harbor-notes", "show": \#(show)}"#).sections.first?.pins.first)
        guard case .item(let item, let appearance?) = pin.content else {
            Issue.record("the pin has no appearance")
            return
        }
        #expect(item.description == "topapp:harbor-notes" && pin.item == item && pin.card == nil && pin.target == nil)
        #expect(appearance.title?[.english] == "Write by the water" && appearance.subtitle == nil && appearance.image == nil)
        #expect(appearance.action == pin.action && pin.action?.kind == .story && pin.action?.target == "harbor-story")
    }

    @Test(
        "An action has the kind of its key",
        arguments: [
            (#"{"item": "topapp:a"}"#, Action.Kind.item, "topapp:a"), (#"{"feed": "today"}"#, .feed, "today"),
            (#"{"story": "street-food"}"#, .story, "street-food"), (#"{"list": "today/top-free"}"#, .list, "today/top-free"),
            (#"{"search": "free games"}"#, .search, "free games"),
            (#"{"url": "https://example.com/a?b=c#d"}"#, .url, "https://example.com/a?b=c#d"),
        ])
    func kinds(text: String, kind: Action.Kind, target: String) throws {
        let action = try Action(parsing: Array(text.utf8))
        #expect(action.kind == kind && action.target == target)
        #expect(try Action(parsing: action.json()) == action)
        #expect(try document(action: text).sections.first?.pins.first?.action == action)
    }

    @Test("A URL has the scheme before its first colon, and another action has none")
    func schemes() throws {
        for (url, scheme) in [("https://a.example:8080", "https"), ("tel:+4930123", "tel"), ("itms-apps://x", "itms-apps")] {
            #expect(try Action(parsing: Array(#"{"url": "\#(url)"}"#.utf8)).scheme == scheme)
        }
        #expect(try Action(parsing: Array(#"{"search": "a:b"}"#.utf8)).scheme == nil)
    }

    private static let canonicalPins: [(String, String)] = [
        (
            #"{"slot": 0, "target": {"tags": ["beta"]}, "show": {"subtitle": {"en": "S"}, "title": {"en": "T"}}, "item": "topapp:a"}"#,
            #"{"item":"topapp:a","show":{"subtitle":{"en":"S"},"title":{"en":"T"}},"slot":0,"target":{"tags":["beta"]}}"#
        ),
        (
            #"{"card": {"title": {"en": "C"}, "key": "c", "action": {"list": "today/hero"}}, "slot": 2}"#,
            #"{"card":{"action":{"list":"today/hero"},"key":"c","title":{"en":"C"}},"slot":2}"#
        ),
        (#"{"slot": 1, "item": "topapp:a"}"#, #"{"item":"topapp:a","slot":1}"#),
    ]

    @Test("A pin is written in canonical form", arguments: canonicalPins)
    func canonical(text: String, expected: String) throws {
        let feed = try document(text)
        let canonical = feed.canonical()
        #expect(String(decoding: canonical, as: UTF8.self).contains(#""pins":[\#(expected)]"#))
        #expect(try FeedDocument(parsing: canonical) == feed)
    }

    private static let invalidPins: [(String, [String])] = [
        (
            #"{"slot": 0, "item": "topapp:a", "target": {"tags": ["a"]}}, {"slot": 0, "item": "topapp:b", "target": {"tags": ["b"]}}"#,
            ["/1/slot DUPLICATE"]
        ),
        (#"{"slot": 20, "card": {"key": "c", "title": {"en": "C"}}}"#, ["/0/slot OUT_OF_RANGE"]),
        (#"{"slot": 0}"#, ["/0 MISSING_KEY"]),
        (#"{"slot": 0, "item": "topapp:a", "card": {"key": "c", "title": {"en": "C"}}}"#, ["/0 INVALID_CHOICE"]),
        (#"{"slot": 0, "item": "topapp:a", "show": {}}"#, ["/0/show INVALID_COUNT"]),
        (#"{"slot": 0, "item": "topapp:a", "show": {"kicker": {"en": "K"}}}"#, ["/0/show/kicker UNKNOWN_KEY"]),
        (#"{"slot": 0, "item": "topapp:a", "target": {}}"#, ["/0/target INVALID_COUNT"]),
        (#"{"slot": 0, "card": {"title": {"en": "C"}}}"#, ["/0/card MISSING_KEY"]),
        (#"{"slot": 0, "card": {"key": "c"}}"#, ["/0/card MISSING_KEY"]),
        (#"{"slot": 0, "card": {"key": "C", "title": {"en": "C"}}}"#, ["/0/card/key INVALID_FORMAT"]),
        (#"{"slot": 0, "card": {"key": "c", "title": {"en": "A\nB"}}}"#, ["/0/card/title/en INVALID_FORMAT"]),
        (
            #"{"slot": 0, "card": {"key": "c", "title": {"en": "C"}}}, {"slot": 1, "card": {"key": "c", "title": {"en": "D"}}}"#,
            ["/1/card DUPLICATE"]
        ),
        (#"{"slot": 0, "card": {"key": "c", "title": {"en": "C"}, "body": {"en": "B"}}}"#, ["/0/card INVALID_CHOICE"]),
        (#"{"slot": 0, "card": {"key": "c", "title": {"en": "C"}}, "show": {"title": {"en": "D"}}}"#, ["/0/show INVALID_CHOICE"]),
        (
            #"{"slot": 0, "card": {"key": "c"}}, {"slot": 1, "item": "topapp:a", "show": {"action": {"url": "data:x"}}}"#,
            ["/0/card MISSING_KEY", "/1/show/action/url INVALID_FORMAT"]
        ),
    ]

    @Test("An invalid pin is an issue with its location", arguments: invalidPins)
    func invalidPin(pins: String, expected: [String]) {
        let found = issues { () throws(JSONError) in try document(pins) }
        #expect(found == expected.map { "/sections/0/pins\($0)" })
    }

    @Test("A section that is grouped has neither cards nor pins with targets")
    func grouped() {
        let members: [String: String?] = ["group": #""initial""#, "sort": #""title""#]
        let pins =
            #"{"slot": 0, "card": {"key": "c", "title": {"en": "C"}}}, {"slot": 1, "item": "topapp:a", "target": {"tags": ["beta"]}}"#
        let found = issues { () throws(JSONError) in try document(pins, members) }
        #expect(found == ["/sections/0/pins/0/card INVALID_CHOICE", "/sections/0/pins/1/target INVALID_CHOICE"])
        let others = issues { () throws(JSONError) in try document(#"{"slot": 0, "item": "topapp:a"}"#, members) }
        #expect(others.isEmpty)
    }

    private static let invalidActions: [(String, [String])] = [
        (#"{"feed": "today", "search": "tea"}"#, [" INVALID_CHOICE"]), ("{}", [" MISSING_KEY"]),
        (#"{"page": "today"}"#, [" MISSING_KEY", "/page UNKNOWN_KEY"]), (#""today""#, [" INVALID_TYPE"]),
        (#"{"item": "gameapp:a"}"#, ["/item INVALID_FORMAT"]), (#"{"feed": "To Day"}"#, ["/feed INVALID_FORMAT"]),
        (#"{"list": "today"}"#, ["/list INVALID_FORMAT"]), (#"{"list": "today/hero/all"}"#, ["/list INVALID_FORMAT"]),
        (#"{"list": "today/"}"#, ["/list INVALID_FORMAT"]), (#"{"search": "  "}"#, ["/search INVALID_FORMAT"]),
        (#"{"url": "javascript:alert(1)"}"#, ["/url INVALID_FORMAT"]), (#"{"url": "data:text/html,x"}"#, ["/url INVALID_FORMAT"]),
        (#"{"url": "file:///etc/passwd"}"#, ["/url INVALID_FORMAT"]), (#"{"url": "vbscript:x"}"#, ["/url INVALID_FORMAT"]),
        (#"{"url": "https:"}"#, ["/url INVALID_FORMAT"]), (#"{"url": "//example.com"}"#, ["/url INVALID_FORMAT"]),
        (#"{"url": "https://a b"}"#, ["/url INVALID_FORMAT"]), (#"{"url": "https://exämple.com"}"#, ["/url INVALID_FORMAT"]),
        (#"{"url": "https://a.example/\#(String(repeating: "x", count: 2_048))"}"#, ["/url INVALID_FORMAT"]),
    ]

    @Test("An invalid action is an issue with its location", arguments: invalidActions)
    func invalidAction(action: String, expected: [String]) {
        let found = issues { () throws(JSONError) in try document(action: action) }
        #expect(found == expected.map { "/sections/0/pins/0/card/action\($0)" })
    }

    @Test("A body has up to 5,000 characters on several lines")
    func body() throws {
        func text(_ body: String) -> String {
            #"{"slot": 0, "card": {"key": "c", "title": {"en": "C"}, "body": {"en": "\#(body)"}}}"#
        }
        let longest = String(repeating: "x", count: 4_999) + "\\n"
        let valid = issues { () throws(JSONError) in try document(text(longest), feed: Self.story) }
        #expect(valid.isEmpty)
        for invalid in [longest + "x", "\\n \\n", "a\\u0007"] {
            let found = issues { () throws(JSONError) in try document(text(invalid), feed: Self.story) }
            #expect(found == ["/sections/0/pins/0/card/body/en INVALID_FORMAT"], "\(invalid.count) characters")
        }
    }

    @Test("The references of a document include what its actions open and whom its pins are for")
    func references() throws {
        let pins = #"""
            {"slot": 0, "item": "topapp:a", "show": {"action": {"item": "topapp:b"}}, "target": {"storefronts": ["us"], "locales": ["en"]}},
            {"slot": 1, "card": {"key": "feed", "title": {"en": "C"}, "action": {"feed": "food"}}},
            {"slot": 2, "card": {"key": "story", "title": {"en": "C"}, "action": {"story": "street-food"}}},
            {"slot": 3, "card": {"key": "list", "title": {"en": "C"}, "action": {"list": "food/top"}}},
            {"slot": 4, "card": {"key": "url", "title": {"en": "C"}, "action": {"url": "tel:1"}}},
            {"slot": 5, "card": {"key": "search", "title": {"en": "C"}, "action": {"search": "tea"}}}
            """#
        let (food, top) = (try #require(FeedKey("food")), try #require(SectionKey("top")))
        let references = try document(pins, ["rule": nil]).references
        #expect(
            references.map(\.subject) == [
                .item(.slug(.topApp, "a")), .item(.slug(.topApp, "b")), .storefront("us"), .locale("en"), .feed(food),
                .feed(try #require(FeedKey("street-food"))), .list(feed: food, section: top), .scheme("tel"),
            ])
        #expect(
            references.map { $0.pointer.description.dropFirst("/sections/0/pins/".count) } == [
                "0/item", "0/show/action/item", "0/target/storefronts/0", "0/target/locales/0", "1/card/action/feed", "2/card/action/story",
                "3/card/action/list", "4/card/action/url",
            ])
    }

    private static let rulesOfShelves: [(String, Rule, [String], Int)] = [
        (#"{"not": {"inSection": "hero"}}"#, .any([.kind(.topApp), .kind(.foodApp)]), ["hero"], 6),
        (#"{"all": [{"not": {"inSection": "hero"}}, {"kind": "topApp"}]}"#, .kind(.topApp), ["hero"], 6),
        (
            #"{"all": [{"kind": "topApp"}, {"not": {"inSection": ["hero", "food"]}}, {"price": "free"}]}"#,
            .all([.kind(.topApp), .price(.free)]),
            ["hero", "food"], 26
        ),
        (
            #"{"all": [{"not": {"inSection": "food"}}, {"not": {"inSection": ["hero", "food"]}}]}"#,
            .any([.kind(.topApp), .kind(.foodApp)]),
            ["food", "hero"], 26
        ),
    ]

    @Test("A shelf leaves the outermost conditions that exclude sections to the client", arguments: rulesOfShelves)
    func without(text: String, rule: Rule, without: [String], itemsAbove: Int) throws {
        let section = try sectionBelow(#""rule": \#(text)"#)
        #expect(section.shelf.rule == rule && section.shelf.without.map(\.text) == without)
        #expect(section.shelf.itemsAbove == itemsAbove && section.shelf.sectionsAbove.isEmpty)
        let written = try Rule(parsing: Array(text.utf8))
        #expect(section.rule == written && section.list == nil)
    }

    @Test("A shelf plans for at most 900 items of the sections above")
    func largest() throws {
        let members = #""layout": {"list": {}}, "cell": "row", "size": 100, "rule": {"kind": "topApp"}"#
        let above = (0..<10).map { #", {"key": "s\#($0)", \#(members)}"# }
        let keys = (0..<10).map { "\"s\($0)\"" }.joined(separator: ", ")
        let more = #", {"key": "more", "layout": {"list": {}}, "cell": "row", "rule": {"not": {"inSection": [\#(keys)]}}}"#
        let text = ExampleFeed.document(["size": "6"], sections: above.joined() + more)
        let section = try #require(try FeedDocument(parsing: Array(text.utf8)).sections.last)
        #expect(section.shelf.itemsAbove == 900 && section.shelf.without.count == 10)
    }

    @Test(
        "The composer evaluates conditions on sections within other conditions, and all of them if the section is grouped",
        arguments: [
            (#""rule": {"inSection": "hero"}"#, 0), (#""rule": {"not": {"not": {"not": {"inSection": "hero"}}}}"#, 0),
            (#""rule": {"any": [{"not": {"inSection": "hero"}}, {"kind": "topApp"}]}"#, 0),
            (#""rule": {"all": [{"all": [{"not": {"inSection": "hero"}}]}, {"kind": "topApp"}]}"#, 0),
            (#""rule": {"not": {"inSection": "hero"}}, "sort": "title", "group": "initial""#, 0),
            (#""rule": {"all": [{"inSection": "hero"}, {"not": {"inSection": "food"}}]}"#, 20),
        ])
    func evaluated(members: String, itemsAbove: Int) throws {
        let section = try sectionBelow(members)
        #expect(section.shelf.itemsAbove == itemsAbove && section.shelf.without.count == (itemsAbove == 0 ? 0 : 1))
        #expect(section.shelf.sectionsAbove.map(\.text) == ["hero"])
    }

    /// Returns the section with these fields below the sections `hero`, with six items, and `food`.
    private func sectionBelow(_ members: String) throws -> FeedSection {
        let more = #"""
            , {"key": "food", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "foodApp"}},
            {"key": "more", "layout": {"list": {}}, "cell": "row", \#(members)}
            """#
        return try #require(try FeedDocument(parsing: Array(ExampleFeed.document(["size": "6"], sections: more).utf8)).sections.last)
    }
}
