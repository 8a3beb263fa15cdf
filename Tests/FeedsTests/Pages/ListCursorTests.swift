import Feeds
import JSON
import Security
import Testing
import Values

@Suite("A cursor in the list of a section")
struct ListCursorTests {
    private let english: LocaleTag
    private let german: LocaleTag
    private let key: OrderKey

    init() throws {
        english = try #require(LocaleTag("en"))
        german = try #require(LocaleTag("de"))
        key = try #require(OrderKey("a5"))
    }

    /// Returns the list of a section with these fields.
    private func list(
        _ members: [String: String?] = [:], seeAll: String? = #"{"title": {"en": "All"}}"#, generation: Int = 1
    ) throws -> PublishedList {
        var section = members
        if let seeAll { section["seeAll"] = seeAll }
        let document = try FeedDocument(parsing: Array(ExampleFeed.document(section).utf8))
        let selection = try #require(document.sections.first?.list)
        return PublishedList(id: "today/hero", selection, generation: generation, hashedBy: Digest.sha256)
    }

    @Test("A cursor continues after its key as long as its list has the same token")
    func after() throws {
        let cursor = try ListCursor(of: list(), after: key, in: english)
        #expect(try cursor.position(in: list()) == .after(key))
        #expect(try cursor.position(in: list(["size": "5"], seeAll: #"{"title": {"en": "Other"}, "size": 50}"#)) == .after(key))
        #expect(try cursor.position(in: list(generation: 2)) == .listChanged)
        #expect(try cursor.position(in: list(["rule": #"{"kind": "foodApp"}"#])) == .listChanged)
        #expect(cursor.position(in: nil) == .sectionGone)
    }

    @Test("A cursor belongs to one locale only if each locale has its own order")
    func locale() throws {
        let ranked = try list()
        let anywhere = ListCursor(of: ranked, after: key, in: english)
        #expect(!ranked.isByLocale && anywhere.texts == [ranked.token, "a5"])
        #expect(anywhere.isValid(in: german))
        for sorted in [try list(["sort": #""title""#]), try list(seeAll: #"{"title": {"en": "All"}, "sort": "title"}"#)] {
            let cursor = ListCursor(of: sorted, after: key, in: english)
            #expect(sorted.isByLocale && cursor.texts == [sorted.token, "a5", "en"])
            #expect(cursor.position(in: sorted) == .after(key))
            #expect(cursor.isValid(in: english) && !cursor.isValid(in: german))
            #expect(cursor.position(in: ranked) == .listChanged)
        }
    }

    @Test("A cursor is decoded from its texts")
    func texts() throws {
        for published in [try list(), try list(["sort": #""title""#])] {
            let cursor = ListCursor(of: published, after: key, in: english)
            #expect(ListCursor(cursor.texts) == cursor)
        }
    }

    @Test(
        "Texts that are not those of a cursor are rejected",
        arguments: [[], ["t"], ["t", "0"], ["t", "A"], ["t", "a", "en", "x"]] as [[String]])
    func foreign(texts: [String]) {
        #expect(ListCursor(texts) == nil)
    }

    @Test("Lists with the same rule, sort, grouping and generation have the same token")
    func sameToken() throws {
        let token = try list().token
        let sections: [[String: String?]] = [
            ["title": #"{"en": "Hero"}"#, "layout": #"{"grid": {}}"#, "cell": #""tile""#, "tracking": #""summer""#],
            ["pins": #"[{"slot": 0, "item": "topapp:a"}]"#, "exclude": #"["topapp:b"]"#],
            ["badges": #"[{"badge": "new", "on": ["topapp:c"]}]"#, "target": #"{"platforms": ["ios"]}"#],
            ["pins": #"[{"slot": 0, "card": {"key": "c", "title": {"en": "C"}}, "target": {"tags": ["beta"]}}]"#],
            ["size": "5", "minItems": "2", "maxDrop": "0.5"], ["sort": #"{"rotate": {"seed": "a", "every": "P1D"}}"#],
        ]
        for members in sections { #expect(try list(members).token == token, "\(members)") }
        for seeAll in [
            #"{"title": {"en": "Other"}, "layout": {"grid": {}}, "cell": "card"}"#,
            #"{"title": {"en": "All"}, "size": 50, "exclude": ["topapp:d"]}"#,
            #"{"title": {"en": "All"}, "rule": {"kind": "topApp"}, "sort": "-rating"}"#,
        ] {
            #expect(try list(seeAll: seeAll).token == token, "\(seeAll)")
        }
        #expect(try list(["continues": "true"], seeAll: nil).token == token)
    }

    @Test("Lists with another rule, sort, grouping or generation have other tokens")
    func otherTokens() throws {
        let lists = [
            try list(), try list(generation: 2), try list(["rule": #"{"kind": "foodApp"}"#]),
            try list(["rule": nil, "pins": #"[{"slot": 0, "item": "topapp:a"}]"#]),
            try list(seeAll: #"{"title": {"en": "All"}, "rule": {"category": "travel"}}"#), try list(["sort": #""-releaseDate""#]),
            try list(["sort": #""title""#]), try list(["sort": #""title""#, "group": #""initial""#]),
        ]
        #expect(Set(lists.map(\.token)).count == lists.count)
    }
}
