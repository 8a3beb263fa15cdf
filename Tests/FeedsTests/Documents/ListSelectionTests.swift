import Feeds
import Items
import JSON
import Testing

@Suite("The items of a section's list")
struct ListSelectionTests {
    private static let rule = #""rule": {"kind": "topApp"}"#
    private static let title = #""title": {"en": "All"}"#
    private static let rotation = #""sort": {"rotate": {"seed": "a", "every": "P1D"}}"#
    private static let pins = #""pins": [{"slot": 7, "item": "topapp:b"}, {"slot": 2, "item": "topapp:a"}]"#

    /// Returns a document with the section `hero`, and below it a section with these fields.
    private func document(_ members: String) -> String {
        ExampleFeed.document(sections: #", {"key": "more", "layout": {"list": {}}, "cell": "row", \#(members)}"#)
    }

    private func section(_ members: String) throws -> FeedSection {
        try #require(try FeedDocument(parsing: Array(document(members).utf8)).sections.last)
    }

    private static let rules: [(String, Rule)] = [
        (#"{"not": {"kind": "foodApp"}}"#, .not(.kind(.foodApp))),
        (#"{"inSection": "hero"}"#, .any([.kind(.topApp), .kind(.foodApp)])),
        (#"{"not": {"inSection": "hero"}}"#, .any([.kind(.topApp), .kind(.foodApp)])),
        (#"{"all": [{"kind": "topApp"}, {"inSection": "hero"}]}"#, .kind(.topApp)),
        (#"{"all": [{"not": {"inSection": "hero"}}, {"kind": "topApp"}, {"price": "free"}]}"#, .all([.kind(.topApp), .price(.free)])),
        (#"{"any": [{"kind": "topApp"}, {"inSection": "hero"}]}"#, .kind(.topApp)),
        (#"{"not": {"any": [{"inSection": "hero"}, {"price": "free"}]}}"#, .not(.price(.free))),
        (
            #"{"any": [{"all": [{"category": "travel"}, {"not": {"all": [{"inSection": "hero"}]}}]}, {"not": {"inSection": "hero"}}]}"#,
            .category(["travel"])
        ),
    ]

    @Test("A list has the rule of its shelf without the conditions on other sections", arguments: rules)
    func conditions(text: String, rule: Rule) throws {
        let list = try #require(try section(#""rule": \#(text), "continues": true"#).list)
        #expect(list.rule == rule)
        #expect(list.sectionsAbove.isEmpty)
    }

    @Test("A list starts with the pins of its shelf in the order of their slots, and is retained as its shelf is")
    func firstItems() throws {
        let section = try section(#"\#(Self.rule), \#(Self.pins), "minItems": 3, "maxDrop": 5, "seeAll": {\#(Self.title)}"#)
        let list = try #require(section.list)
        #expect(list.startsWithPins && list.pins.map(\.name) == ["topapp:a", "topapp:b"])
        #expect(list.followsShelf && list.minItems == 0 && list.maxDrop == nil)
        #expect(!section.shelf.startsWithPins && section.shelf.pins.map(\.slot) == [2, 7])
        let pinned = try #require(try self.section("\(Self.pins), \"continues\": true").list)
        #expect(pinned.rule == nil && pinned.pins.count == 2)
    }

    @Test(
        "A list is retained with its shelf only if it finds the same items and more",
        arguments: [
            (#""rule": {"kind": "topApp"}, "seeAll": {"title": {"en": "All"}, "size": 2}"#, true),
            (#""rule": {"kind": "topApp"}, "seeAll": {"title": {"en": "All"}, "sort": "-rating"}"#, true),
            (#""rule": {"kind": "topApp"}, "continues": true"#, true),
            (#""rule": {"kind": "topApp"}, "seeAll": {"title": {"en": "All"}, "exclude": ["topapp:x"]}"#, false),
            (#""rule": {"kind": "topApp"}, "seeAll": {"title": {"en": "All"}, "sort": {"chart": "top"}}"#, false),
            (#""rule": {"kind": "topApp"}, "seeAll": {"title": {"en": "All"}, "rule": {"kind": "topApp"}}"#, false),
            (#""rule": {"any": [{"kind": "topApp"}, {"inSection": "hero"}]}, "continues": true"#, false),
            (#""rule": {"kind": "topApp"}, "sort": {"rotate": {"seed": "s", "every": "P1D"}}, "continues": true"#, false),
        ])
    func retention(members: String, follows: Bool) throws {
        let list = try #require(try section(#"\#(members), "minItems": 3, "maxDrop": 5"#).list)
        #expect(list.followsShelf == follows && list.minItems == 0 && list.maxDrop == nil)
    }

    @Test("The list of a section keeps its items if only other members of the section change")
    func otherMembers() throws {
        let members = #"\#(Self.rule), "seeAll": {\#(Self.title)}"#
        func document(_ title: String, _ members: String) throws -> FeedDocument {
            let section = #"{"key": "all", "title": {"en": "\#(title)"}, "layout": {"list": {}}, "cell": "row", \#(members)}"#
            return try FeedDocument(
                parsing: Array(#"{"format": 2, "feed": "f", "title": {"en": "F"}, "sections": [\#(section)]}"#.utf8))
        }
        let section = try document("A", members).sections[0]
        #expect(section.keeps(.list(section.key), of: try document("B", members)))
        #expect(!section.keeps(.shelf(section.key), of: try document("B", members)))
        #expect(section.keeps(.shelf(section.key), of: try document("A", members)))
        #expect(!section.keeps(.list(section.key), of: try document("A", #"\#(members), "sort": "title""#)))
    }

    @Test("A list with its own rule has no pins and is never retained")
    func ownRule() throws {
        let members = #"\#(Self.rule), \#(Self.pins), "sort": "title", "minItems": 3, "maxDrop": 5"#
        let list = try #require(try section(#"\#(members), "seeAll": {\#(Self.title), "rule": {"kind": "foodApp"}}"#).list)
        #expect(list.rule == .kind(.foodApp) && list.sort == .title)
        #expect(list.pins.isEmpty && list.minItems == 0 && list.maxDrop == nil)
    }

    private static let sorts: [(String, Sort)] = [
        (#""continues": true"#, .rating), (#""sort": {"chart": "top-free"}, "continues": true"#, .chart("top-free")),
        (#"\#(rotation), "continues": true"#, .rating), (#"\#(rotation), "seeAll": {\#(title)}"#, .rating),
        (#"\#(rotation), "seeAll": {\#(title), "rule": {"kind": "foodApp"}}"#, .rating),
        (#"\#(rotation), "seeAll": {\#(title), "sort": "title"}"#, .title),
        (#""sort": "title", "seeAll": {\#(title), "sort": "-releaseDate"}"#, .releaseDate),
    ]

    @Test("A list has its own sort or that of its shelf, and the list of a rotation is sorted by rating", arguments: sorts)
    func sort(members: String, sort: Sort) throws {
        #expect(try section("\(Self.rule), \(members)").list?.sort == sort)
    }

    @Test("A list excludes its own exclusions and those of its section")
    func exclusions() throws {
        let section = try section(#"\#(Self.rule), "exclude": ["topapp:a"], "seeAll": {\#(Self.title), "exclude": ["topapp:b"]}"#)
        #expect(section.list?.exclusions.map(\.description) == ["topapp:a", "topapp:b"])
        #expect(section.shelf.exclusions.map(\.description) == ["topapp:a"])
        #expect(section.references.map(\.description) == ["topapp:a", "topapp:b"])
    }

    private static let sizes: [(String, Int?)] = [
        (#""continues": true"#, 1_000), (#""seeAll": {\#(title)}"#, 200), (#""seeAll": {\#(title), "size": 50}"#, 50),
        (#""continues": true, "seeAll": {\#(title), "size": 300}"#, 300), (#""sort": "title", "group": "initial""#, 1_000),
        (#""size": 9"#, nil),
    ]

    @Test("A list has the size of seeAll or 1,000 items without it, and other sections have no list", arguments: sizes)
    func size(members: String, size: Int?) throws {
        #expect(try section("\(Self.rule), \(members)").list?.size == size)
    }

    private static let groupings: [(String, FeedSection.Grouping, FeedSection.Grouping)] = [
        (#""sort": "title", "group": "initial""#, .initial, .initial),
        (#""sort": "title", "group": "initial", "seeAll": {\#(title)}"#, .initial, .initial),
        (#""sort": "title", "seeAll": {\#(title), "group": "initial"}"#, .none, .initial),
        (#""seeAll": {\#(title), "sort": "title", "group": "initial"}"#, .none, .initial),
        (#""sort": "title", "continues": true, "seeAll": {\#(title)}"#, .none, .none),
    ]

    @Test("The list of a section that continues is grouped as its shelf, and any other has its own grouping", arguments: groupings)
    func grouping(members: String, shelf: FeedSection.Grouping, list: FeedSection.Grouping) throws {
        let section = try section("\(Self.rule), \(members)")
        #expect(section.shelf.grouping == shelf && section.list?.grouping == list)
    }

    private static let noSections = "the rule of a list cannot refer to other sections; remove the condition \"inSection\""
    private static let noTitle = "items that are grouped by initial must be sorted by title; write \"sort\": \"title\""

    private static func hasItself(_ key: String) -> String {
        "the list uses the \(key) of its section, because the section has \"continues\" or \"group\"; remove this field, or remove \"continues\" and \"group\" from the section"
    }

    private static let invalidLists: [(String, String)] = [
        (
            #"\#(rule), "seeAll": {\#(title), \#(rotation)}"#,
            "/sections/1/seeAll/sort INVALID_CHOICE: a list cannot rotate, because clients load it in several parts"
        ),
        (#"\#(rule), "seeAll": {\#(title), "rule": {"inSection": "hero"}}"#, "/sections/1/seeAll/rule INVALID_CHOICE: \(noSections)"),
        (
            #"\#(rule), "seeAll": {\#(title), "rule": {"not": {"any": [{"price": "free"}, {"inSection": "hero"}]}}}"#,
            "/sections/1/seeAll/rule INVALID_CHOICE: \(noSections)"
        ),
        (
            #"\#(rule), "continues": true, "seeAll": {\#(title), "rule": {"kind": "foodApp"}}"#,
            "/sections/1/seeAll/rule INVALID_CHOICE: \(hasItself("rule"))"
        ),
        (
            #"\#(rule), "continues": true, "seeAll": {\#(title), "sort": "title"}"#,
            "/sections/1/seeAll/sort INVALID_CHOICE: \(hasItself("sort"))"
        ),
        (
            #"\#(rule), "sort": "title", "group": "initial", "seeAll": {\#(title), "group": "initial"}"#,
            "/sections/1/seeAll/group INVALID_CHOICE: \(hasItself("group"))"
        ),
        (#"\#(pins), "seeAll": {\#(title), "sort": "title"}"#, "/sections/1/seeAll/sort MISSING_KEY: a sort needs a rule"),
        (#"\#(rule), "seeAll": {\#(title), "group": "initial"}"#, "/sections/1/seeAll/group INVALID_CHOICE: \(noTitle)"),
        (
            #"\#(rule), "sort": "title", "seeAll": {\#(title), "sort": "-rating", "group": "initial"}"#,
            "/sections/1/seeAll/group INVALID_CHOICE: \(noTitle)"
        ),
    ]

    @Test("A rule, a sort or a grouping that a list cannot have is an issue with its location", arguments: invalidLists)
    func issues(members: String, issue: String) {
        do throws(JSONError) {
            _ = try FeedDocument(parsing: Array(document(members).utf8))
            Issue.record("the document was accepted")
        } catch {
            let issues = error.issues.map { found in
                "\(found.pointer) \(found.code.rawValue): \(found.message)" + (found.hint.map { "; \($0)" } ?? "")
            }
            #expect(issues == [issue])
        }
    }

    @Test(
        "The canonical form keeps the rule, sort, exclusions and grouping of a list, and omits its defaults",
        arguments: [
            (
                #"{"title": {"en": "All"}, "sort": "title", "rule": {"category": ["travel"]}, "group": "initial", "exclude": ["topapp:a"]}"#,
                #"{"exclude":["topapp:a"],"group":"initial","rule":{"category":"travel"},"sort":"title","title":{"en":"All"}}"#
            ),
            (#"{"title": {"en": "All"}, "sort": "-rating"}"#, #"{"sort":"-rating","title":{"en":"All"}}"#),
            (#"{"title": {"en": "All"}, "size": 200, "layout": {"list": {}}, "exclude": []}"#, #"{"title":{"en":"All"}}"#),
        ])
    func canonical(seeAll: String, expected: String) throws {
        let feed = try FeedDocument(parsing: Array(document(#"\#(Self.rule), "seeAll": \#(seeAll)"#).utf8))
        let text = String(decoding: feed.canonical(), as: UTF8.self)
        #expect(text.contains(#""seeAll":\#(expected)"#), "\(text)")
        #expect(try FeedDocument(parsing: feed.canonical()) == feed)
    }
}
