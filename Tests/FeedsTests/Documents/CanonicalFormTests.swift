import Feeds
import JSON
import Testing

@Suite("The canonical form of a feed document")
struct CanonicalFormTests {
    @Test("A document decodes from its canonical form, which does not depend on the order of fields")
    func randomDocuments() throws {
        for seed in 0..<400 as Range<UInt64> {
            var random = RandomFeeds(seed: seed)
            let value = random.document()
            let feed = try FeedDocument(parsing: value.json())
            let canonical = feed.canonical()
            #expect(try FeedDocument(parsing: canonical) == feed, "seed \(seed)")
            #expect(try FeedDocument(parsing: canonical).canonical() == canonical, "seed \(seed)")
            let again = try FeedDocument(parsing: random.reordered(value).json(.pretty))
            #expect(again == feed, "seed \(seed)")
            #expect(again.canonical() == canonical, "seed \(seed)")
        }
    }

    @Test("Different documents have different canonical forms")
    func different() throws {
        var forms: [[UInt8]: FeedDocument] = [:]
        for seed in 0..<400 as Range<UInt64> {
            var random = RandomFeeds(seed: seed)
            let feed = try FeedDocument(parsing: random.document().json())
            let other = forms.updateValue(feed, forKey: feed.canonical())
            #expect(other == nil || other == feed, "seed \(seed)")
        }
        #expect(forms.count > 300)
    }

    @Test("Explicit defaults are omitted, and short forms are kept")
    func defaults() throws {
        let spelledOut = ExampleFeed.document(
            [
                "rule": #"{"category": ["travel"]}"#, "pins": "[]", "exclude": "[]", "sort": #""-rating""#, "size": "20", "minItems": "1",
                "badges": "[]", "tracking": #""today.hero""#, "variants": "[]", "alternates": "{}", "continues": "false",
                "layout": #"{"list": {"showsSeparators": true}, "contentInsets": {}, "effects": []}"#,
                "seeAll": #"{"title": {"en": "All"}, "layout": {"list": {}}, "size": 200}"#,
            ], feed: ["kind": #""page""#, "theme": "{}", "configuration": #"{"interSectionSpacing": 0, "scrollDirection": "vertical"}"#])
        let expected =
            #"{"feed":"today","format":2,"sections":[{"cell":"appRow","key":"hero","layout":{"list":{}},"rule":{"category":"travel"},"#
            + #""seeAll":{"title":{"en":"All"}}}],"title":{"en":"Today"}}"#
        #expect(String(decoding: try FeedDocument(parsing: Array(spelledOut.utf8)).canonical(), as: UTF8.self) == expected)
    }

    @Test("The canonical form of a period has instants in UTC without an empty fraction, and wall clocks as they are")
    func period() throws {
        let text = ExampleFeed.document(["during": #"{"until": "2027-03-09t02:00:00.25z", "from": "2027-02-08T18:00"}"#])
        let canonical = String(decoding: try FeedDocument(parsing: Array(text.utf8)).canonical(), as: UTF8.self)
        #expect(canonical.contains(#""during":{"from":"2027-02-08T18:00","until":"2027-03-09T02:00:00.250000Z"}"#), "\(canonical)")
        let open = ExampleFeed.document(["during": #"{"until": "2027-03-09T02:00:00+03:00"}"#])
        let shorter = String(decoding: try FeedDocument(parsing: Array(open.utf8)).canonical(), as: UTF8.self)
        #expect(shorter.contains(#""during":{"until":"2027-03-08T23:00:00Z"}"#), "\(shorter)")
    }

    @Test("A grouped section continues, so only its group is written")
    func grouped() throws {
        let document = ExampleFeed.document(["group": #""initial""#, "sort": #""title""#, "continues": "true"])
        let feed = try FeedDocument(parsing: Array(document.utf8))
        #expect(feed.sections[0].continues && feed.sections[0].list?.size == FeedSection.maxItems)
        #expect(!String(decoding: feed.canonical(), as: UTF8.self).contains("continues"))
    }

    @Test("Equivalent notations have the same canonical form")
    func synonyms() throws {
        func form(_ members: [String: String?]) throws -> [UInt8] {
            try FeedDocument(parsing: Array(ExampleFeed.document(members).utf8)).canonical()
        }
        #expect(
            try form(["sort": #"{"rotate": {"seed": "a", "every": "PT24H"}}"#])
                == form(["sort": #"{"rotate": {"seed": "a", "every": "P1D"}}"#]))
        #expect(try form(["target": #"{"os": ">=17.0"}"#]) == form(["target": #"{"os": ">=17"}"#]))
        #expect(
            try form(["during": #"{"from": "2027-02-08T18:00:00.000+03:00", "until": "2027-02-08T18:00"}"#])
                == form(["during": #"{"until": "2027-02-08T18:00", "from": "2027-02-08T15:00:00Z"}"#]))
        #expect(try form(["during": #"{"from": "2027-02-08T15:00:00Z"}"#]) != form(["during": #"{"from": "2027-02-08T15:00"}"#]))
        #expect(try form(["layout": #"{"preset": "photo-grid", "columns": 3}"#]) == form(["layout": #"{"preset": "photo-grid"}"#]))
        #expect(try form(["layout": #"{"nestedGroup": "feature-pair"}"#]) == form(["layout": #"{"preset": "feature-pair"}"#]))
        #expect(try form(["title": #"{"en": "Café"}"#]) != form(["title": #"{"en": "Cafe\u0301"}"#]))
    }

    @Test("The canonical form keeps the short forms of the example")
    func example() throws {
        let text = String(decoding: try FeedDocument(parsing: ExampleFeed.bytes).canonical(), as: UTF8.self)
        for part in [
            #""layout":{"preset":"zoom-carousel"}"#, #""layout":{"carousel":{"rows":3}}"#,
            #""alternates":{"column":{"layout":{"list":{"rowHeight""#,
            #""cell":"tile","cells":{"large":"tileLarge"}"#, #""sort":{"rotate":{"every":"P1D","seed":"hero"}}"#, #""appVersion":">=3""#,
        ] { #expect(text.contains(part), "\(text)") }
    }
}
