import Testing

/// An invalid feed document with one issue.
struct BrokenFeed: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    /// Whether JSON Schema cannot express the issue.
    let passesSchema: Bool

    var testDescription: String { name }

    private init(
        _ name: String, _ members: [String: String?] = [:], sections: String = "", feed: [String: String?] = [:],
        passesSchema: Bool = false
    ) {
        self.name = name
        text = ExampleFeed.document(members, sections: sections, feed: feed)
        self.passesSchema = passesSchema
    }

    private init(_ name: String, _ members: [String: String?] = [:], pins: String, passesSchema: Bool = false) {
        self.init(name, members.merging(["pins": "[\(pins)]"]) { $1 }, passesSchema: passesSchema)
    }

    private init(_ name: String, action: String, passesSchema: Bool = false) {
        self.init(name, pins: #"{"slot": 0, "card": {"key": "c", "title": {"en": "C"}, "action": \#(action)}}"#, passesSchema: passesSchema)
    }

    static let all = feeds + sections + sources + periods + cards + rules + orders + targets + badges

    private static let feeds = [
        BrokenFeed("no key of the feed", feed: ["feed": nil]),
        BrokenFeed("a key with a capital", feed: ["feed": #""Today""#]),
        BrokenFeed("a key with two hyphens", feed: ["feed": #""to--day""#]),
        BrokenFeed("a key that is too long", feed: ["feed": #""\#(String(repeating: "a", count: 65))""#]),
        BrokenFeed("no title", feed: ["title": nil]),
        BrokenFeed("a title without its locale", feed: ["title": #""Today""#]),
        BrokenFeed("a title in no locale", feed: ["title": "{}"]),
        BrokenFeed("a title in a locale that is none", feed: ["title": #"{"english": "Today"}"#]),
        BrokenFeed("a blank title", feed: ["title": #"{"en": "  "}"#]),
        BrokenFeed("a title of two lines", feed: ["title": #"{"en": "To\nday"}"#]),
        BrokenFeed("a title that is too long", feed: ["title": #"{"en": "\#(String(repeating: "x", count: 201))"}"#]),
        BrokenFeed("a misspelt member of the feed", feed: ["sectoins": "[]"]),
        BrokenFeed("a configuration that is misspelt", feed: ["configuration": #"{"interSectionSpace": 4}"#]),
        BrokenFeed("no sections", feed: ["sections": nil]),
        BrokenFeed("sections that are no list", feed: ["sections": "{}"]),
        BrokenFeed("too many sections", sections: (0..<100).map { #", {"key": "s\#($0)", \#(rest)}"# }.joined()),
    ]

    private static let sections = [
        BrokenFeed("a null", ["size": "null"]),
        BrokenFeed("a misspelt member of a section", ["minItem": "3"]),
        BrokenFeed("two sections of one key", sections: #", {"key": "hero", \#(rest)}"#, passesSchema: true),
        BrokenFeed("no layout", ["layout": nil]),
        BrokenFeed("a preset that is misspelt", ["layout": #"{"preset": "zoom-carousell"}"#]),
        BrokenFeed("variants within the layout", ["layout": #"{"list": {}, "variants": []}"#]),
        BrokenFeed("an alternate that is no layout", ["alternates": #"{"grid": "passive"}"#]),
        BrokenFeed("neither cell nor cells", ["cell": nil]),
        BrokenFeed("cells for a layout without slots", ["cells": #"{"large": "tile"}"#], passesSchema: true),
        BrokenFeed("a cell with a blank", ["cell": #""app row""#]),
        BrokenFeed("cells for no slot", ["cell": nil, "cells": "{}", "layout": #"{"nestedGroup": "feature-pair"}"#]),
        BrokenFeed(
            "a slot that is misspelt",
            ["cell": nil, "cells": #"{"larg": "tile", "small": "tile"}"#, "layout": #"{"nestedGroup": "feature-pair"}"#], passesSchema: true
        ),
        BrokenFeed("a slot of a layout without slots", ["cell": nil, "cells": #"{"large": "tile"}"#], passesSchema: true),
    ]

    private static let sources = [
        BrokenFeed("neither pins nor rule", ["rule": nil]),
        BrokenFeed("no pin and no rule", ["rule": nil, "pins": "[]"]),
        BrokenFeed("a pin without an item", ["pins": #"[{"slot": 0}]"#]),
        BrokenFeed("a pin at a negative slot", ["pins": #"[{"slot": -1, "item": "topapp:a"}]"#]),
        BrokenFeed("a pin beyond the limit", ["pins": #"[{"slot": 6, "item": "topapp:a"}]"#, "size": "6"], passesSchema: true),
        BrokenFeed(
            "two pins at one slot", ["pins": #"[{"slot": 0, "item": "topapp:a"}, {"slot": 0, "item": "topapp:b"}]"#], passesSchema: true),
        BrokenFeed(
            "an item that is pinned twice", ["pins": #"[{"slot": 0, "item": "topapp:a"}, {"slot": 1, "item": "topapp:a"}]"#],
            passesSchema: true),
        BrokenFeed("an item of an unknown kind", ["pins": #"[{"slot": 0, "item": "gameapp:a"}]"#]),
        BrokenFeed("an item with a capital", ["exclude": #"["topApp:a"]"#]),
        BrokenFeed(
            "an item that is pinned and excluded",
            ["pins": #"[{"slot": 0, "item": "topapp:a"}]"#, "exclude": #"["topapp:b", "topapp:a"]"#], passesSchema: true),
        BrokenFeed("an item that is excluded twice", ["exclude": #"["topapp:a", "topapp:a"]"#]),
    ]

    private static let periods = [
        BrokenFeed("a period without a bound", ["during": "{}"]),
        BrokenFeed("a period that is a time", ["during": #""2027-02-08T18:00""#]),
        BrokenFeed("a bound that is misspelt", ["during": #"{"from": "2027-02-08T18:00", "untill": "2027-03-09T02:00"}"#]),
        BrokenFeed("a bound that is a number", ["during": #"{"from": 1802109600}"#]),
        BrokenFeed("a bound with a blank", ["during": #"{"from": "2027-02-08 18:00"}"#]),
        BrokenFeed("a bound that is a day", ["during": #"{"until": "2027-02-08"}"#]),
        BrokenFeed("a wall clock with seconds", ["during": #"{"until": "2027-02-08T18:00:30"}"#]),
        BrokenFeed("an instant without seconds", ["during": #"{"from": "2027-02-08T18:00Z"}"#]),
        BrokenFeed("a bound on a day that does not exist", ["during": #"{"from": "2027-02-29T18:00"}"#], passesSchema: true),
        BrokenFeed("a bound at an hour that does not exist", ["during": #"{"from": "2027-02-08T24:00"}"#]),
        BrokenFeed("a wall clock before the catalog", ["during": #"{"from": "1969-12-31T23:59"}"#]),
        BrokenFeed("an instant after the catalog", ["during": #"{"until": "2199-12-31T23:00:00-01:00"}"#], passesSchema: true),
        BrokenFeed(
            "a period that ends when it starts", ["during": #"{"from": "2027-02-08T18:00", "until": "2027-02-08T18:00"}"#],
            passesSchema: true),
        BrokenFeed(
            "a period of instants that ends before it starts",
            ["during": #"{"from": "2027-02-08T18:00:00Z", "until": "2027-02-08T18:30:00+01:00"}"#], passesSchema: true),
    ]

    private static let cards = [
        BrokenFeed(
            "two pins at one slot for different clients",
            pins:
                #"{"slot": 0, "item": "topapp:a", "target": {"tags": ["a"]}}, {"slot": 0, "item": "topapp:b", "target": {"tags": ["b"]}}"#,
            passesSchema: true),
        BrokenFeed("a pin of an item and a card", pins: #"{"slot": 0, "item": "topapp:a", "card": {"key": "c", "title": {"en": "C"}}}"#),
        BrokenFeed("a pin for no client", pins: #"{"slot": 0, "item": "topapp:a", "target": {}}"#),
        BrokenFeed("an item that looks like nothing", pins: #"{"slot": 0, "item": "topapp:a", "show": {}}"#),
        BrokenFeed("an item with a body", pins: #"{"slot": 0, "item": "topapp:a", "show": {"body": {"en": "B"}}}"#),
        BrokenFeed("a card without a key", pins: #"{"slot": 0, "card": {"title": {"en": "C"}}}"#),
        BrokenFeed("a card without a title and an image", pins: #"{"slot": 0, "card": {"key": "c", "kicker": {"en": "C"}}}"#),
        BrokenFeed("a card with a key of two words", pins: #"{"slot": 0, "card": {"key": "two words", "title": {"en": "C"}}}"#),
        BrokenFeed(
            "two cards of one key",
            pins: #"{"slot": 0, "card": {"key": "c", "title": {"en": "C"}}}, {"slot": 1, "card": {"key": "c", "title": {"en": "D"}}}"#,
            passesSchema: true),
        BrokenFeed(
            "a body outside of a story", pins: #"{"slot": 0, "card": {"key": "c", "title": {"en": "C"}, "body": {"en": "B"}}}"#,
            passesSchema: true),
        BrokenFeed(
            "a card that looks like another one",
            pins: #"{"slot": 0, "card": {"key": "c", "title": {"en": "C"}}, "show": {"title": {"en": "D"}}}"#),
        BrokenFeed(
            "an image without a size", pins: #"{"slot": 0, "card": {"key": "c", "image": {"template": "https://a.example/{w}x{h}"}}}"#),
        BrokenFeed("an action of two kinds", action: #"{"feed": "today", "search": "tea"}"#),
        BrokenFeed("an action of no kind", action: "{}"),
        BrokenFeed("an action of an unknown kind", action: #"{"page": "today"}"#),
        BrokenFeed("an action to an item of an unknown kind", action: #"{"item": "gameapp:a"}"#),
        BrokenFeed("an action to a list without a section", action: #"{"list": "today"}"#),
        BrokenFeed("a search for nothing", action: #"{"search": " "}"#),
        BrokenFeed("a URL without a scheme", action: #"{"url": "//example.com"}"#),
        BrokenFeed("a URL that runs a program", action: #"{"url": "javascript:alert(1)"}"#),
        BrokenFeed(
            "a card in a section that is grouped", ["group": #""initial""#, "sort": #""title""#],
            pins: #"{"slot": 0, "card": {"key": "c", "title": {"en": "C"}}}"#),
        BrokenFeed(
            "a pin with a target in a section that is grouped", ["group": #""initial""#, "sort": #""title""#],
            pins: #"{"slot": 0, "item": "topapp:a", "target": {"tags": ["beta"]}}"#),
    ]

    private static let rules = [
        BrokenFeed("an empty rule", ["rule": "{}"]),
        BrokenFeed("a rule of two keys", ["rule": #"{"kind": "topApp", "category": "travel"}"#]),
        BrokenFeed("a condition that is misspelt", ["rule": #"{"catgory": "travel"}"#]),
        BrokenFeed("a kind that is misspelt", ["rule": #"{"kind": "topapp"}"#]),
        BrokenFeed("all of nothing", ["rule": #"{"all": []}"#]),
        BrokenFeed("any of nothing", ["rule": #"{"not": {"any": []}}"#]),
        BrokenFeed("a category that is no slug", ["rule": #"{"category": "Travel & more"}"#]),
        BrokenFeed("a category twice", ["rule": #"{"category": ["travel", "travel"]}"#]),
        BrokenFeed("a rating without a bound", ["rule": #"{"rating": {"count": 3}}"#]),
        BrokenFeed("a rating above five", ["rule": #"{"rating": {"atLeast": 5.5}}"#]),
        BrokenFeed("a price that is misspelt", ["rule": #"{"price": "fre"}"#]),
        BrokenFeed("a price band that there is none of", ["rule": #"{"price": {"band": [0, 4]}}"#]),
        BrokenFeed("a price in no currency", ["rule": #"{"price": {"atMost": {"dollars": 499}}}"#]),
        BrokenFeed("a price with a fraction", ["rule": #"{"price": {"atMost": {"USD": 4.99}}}"#]),
        BrokenFeed("a discount that is denied", ["rule": #"{"discounted": false}"#]),
        BrokenFeed("a discount without a bound", ["rule": #"{"discounted": {}}"#]),
        BrokenFeed("a discount above the whole price", ["rule": #"{"discounted": {"atLeast": 20}}"#]),
        BrokenFeed("a discount of a part of a percent", ["rule": #"{"discounted": {"atLeast": 0.125}}"#], passesSchema: true),
        BrokenFeed("released within no days", ["rule": #"{"releasedWithin": {"days": 0}}"#]),
        BrokenFeed("released within days without their name", ["rule": #"{"releasedWithin": 14}"#]),
        BrokenFeed("released at no time", ["rule": #"{"released": {}}"#]),
        BrokenFeed("released on a day that no calendar has", ["rule": #"{"released": {"from": "2026-02-30"}}"#], passesSchema: true),
        BrokenFeed("released on a day in another form", ["rule": #"{"released": {"from": "1 March 2026"}}"#]),
        BrokenFeed(
            "released before it begins", ["rule": #"{"released": {"from": "2026-03-01", "before": "2026-03-01"}}"#], passesSchema: true),
        BrokenFeed("in a section below", ["rule": #"{"inSection": "top"}"#], sections: #", {"key": "top", \#(rest)}"#, passesSchema: true),
        BrokenFeed("in itself", ["rule": #"{"not": {"inSection": "hero"}}"#], passesSchema: true),
        BrokenFeed(
            "in a section that is misspelt",
            sections: #", {"key": "top", "layout": {"list": {}}, "cell": "c", "rule": {"inSection": "heroo"}}"#, passesSchema: true),
        BrokenFeed(
            "a rule that is too deep", ["rule": #"\#((0..<8).reduce(#"{"kind": "topApp"}"#) { inner, _ in #"{"not": \#(inner)}"# })"#]),
        BrokenFeed(
            "a rule of too many conditions",
            ["rule": #"{"any": [\#((0..<64).map { #"{"category": "c\#($0)"}"# }.joined(separator: ", "))]}"#], passesSchema: true),
    ]

    private static let orders = [
        BrokenFeed("a sort without a rule", ["rule": nil, "pins": #"[{"slot": 0, "item": "topapp:a"}]"#, "sort": #""-rating""#]),
        BrokenFeed("a sort that is misspelt", ["sort": #""-raiting""#]),
        BrokenFeed("a chart that is no slug", ["sort": #"{"chart": "Top Free"}"#]),
        BrokenFeed("a rotation without a seed", ["sort": #"{"rotate": {"every": "P1D"}}"#]),
        BrokenFeed("a rotation every month", ["sort": #"{"rotate": {"seed": "a", "every": "P1M"}}"#]),
        BrokenFeed("a rotation with a mixed period", ["sort": #"{"rotate": {"seed": "a", "every": "P1DT6H"}}"#]),
        BrokenFeed("a limit of none", ["size": "0"]),
        BrokenFeed("a limit that is a fraction", ["size": "6.5"]),
        BrokenFeed("more items at least than at most", ["size": "6", "minItems": "7"], passesSchema: true),
        BrokenFeed("a drop of more than everything", ["maxDrop": "1.5"]),
        BrokenFeed("a drop of everything", ["maxDrop": "1.0"]),
    ]

    private static let targets = [
        BrokenFeed("a target of everybody", ["target": "{}"]),
        BrokenFeed("a target of no storefront", ["target": #"{"storefronts": []}"#]),
        BrokenFeed("a storefront that is none", ["target": #"{"storefronts": ["usa"]}"#]),
        BrokenFeed("a locale that is none", ["target": #"{"locales": ["EN"]}"#]),
        BrokenFeed("a platform with a capital", ["target": #"{"platforms": ["iOS"]}"#]),
        BrokenFeed("a version without a sign", ["target": #"{"appVersion": "3.0"}"#]),
        BrokenFeed("a version with an unknown sign", ["target": #"{"os": ">17"}"#]),
        BrokenFeed("versions that end before they begin", ["target": #"{"appVersion": ">=4 <3.9"}"#], passesSchema: true),
        BrokenFeed("a tag with a blank", ["target": #"{"tags": ["beta tester"]}"#]),
        BrokenFeed("a bucket", ["target": #"{"bucket": {"experiment": "weekend", "from": 0, "to": 50}}"#]),
        BrokenFeed("a target of no experiment", ["target": #"{"experiment": {}}"#]),
        BrokenFeed("an experiment without arms", ["target": #"{"experiment": {"weekend": []}}"#]),
        BrokenFeed("an arm that is not in a list", ["target": #"{"experiment": {"weekend": "pairs"}}"#]),
        BrokenFeed("an experiment with a blank", ["target": #"{"experiment": {"next weekend": ["pairs"]}}"#]),
        BrokenFeed("an arm twice", ["target": #"{"experiment": {"weekend": ["pairs", "pairs"]}}"#]),
    ]

    private static let badges = [
        BrokenFeed("a badge for nobody", ["badges": #"[{"badge": "new"}]"#]),
        BrokenFeed("a badge by rule and by hand", ["badges": #"[{"badge": "new", "when": {"kind": "topApp"}, "on": ["topapp:a"]}]"#]),
        BrokenFeed("a badge with a capital", ["badges": #"[{"badge": "New", "when": {"kind": "topApp"}}]"#]),
        BrokenFeed("a badge on no item", ["badges": #"[{"badge": "new", "on": []}]"#]),
        BrokenFeed("a badge by a section below", ["badges": #"[{"badge": "new", "when": {"inSection": "hero"}}]"#], passesSchema: true),
        BrokenFeed("a list of all without a title", ["seeAll": #"{"layout": {"list": {}}}"#]),
        BrokenFeed("an unknown grouping", ["group": #""letter""#, "sort": #""title""#]),
        BrokenFeed("a grouping that is not sorted by title", ["group": #""initial""#]),
        BrokenFeed("a grouping that is sorted backwards", ["group": #""initial""#, "sort": #""-title""#]),
        BrokenFeed("a skeleton of no cells", ["skeleton": "0"]),
        BrokenFeed("a tracking id with a blank", ["tracking": #""today hero""#]),
    ]

    /// The other fields of a valid section.
    private static let rest = #""layout": {"list": {}}, "cell": "c", "rule": {"kind": "topApp"}"#
}
