import Feeds
import Items
import JSON
import Layout
import Resolve
import TestSupport
import Testing

@Suite("A feed document of format 1")
struct FeedFormat1Tests {
    private static let sampleFeeds = ["apps", "example", "food", "games", "search", "today", "today.takeover"]

    private func upgraded(_ document: JSONValue) throws -> FeedDocument {
        try FeedDocument(parsing: FeedFormat1.upgraded(document).json(), limits: .feed)
    }

    private func section(_ members: String) throws -> FeedSection {
        let text = #"{"feed": "f", "title": {"en": "F"}, "sections": [{"key": "s", "cell": "row", \#(members)}]}"#
        return try #require(try FeedDocument(parsing: Array(text.utf8)).sections.first)
    }

    @Test("Every random document is upgraded once to a document of format 2 that shows the same shelf")
    func randomDocuments() throws {
        for seed in 0..<5_000 as Range<UInt64> {
            var random = RandomFeeds(seed: seed, format: 1)
            let document = random.document()
            let value = FeedFormat1.upgraded(document)
            #expect(FeedFormat1.upgraded(value) == value, "seed \(seed)")
            let feed = try FeedDocument(parsing: value.json(), limits: .feed)
            #expect(try FeedDocument(parsing: document.json(), limits: .feed) == feed, "seed \(seed)")
            for (old, section) in zip(document["sections"]?.list ?? [], feed.sections) {
                var limit = 100
                if case .integer(let number)? = old["limit"] { limit = number }
                let slots = (old["pins"]?.list ?? []).compactMap { pin in if case .integer(let slot)? = pin["slot"] { slot } else { nil } }
                let isWide = section.rule != nil && (slots.max() ?? 0) >= 20
                #expect(section.size == (isWide ? (slots.max() ?? 0) + 1 : min(limit, 20)), "seed \(seed)")
                #expect(section.list?.size ?? section.size >= limit, "seed \(seed)")
                #expect(section.pins.compactMap(\.item) == pinned(old), "seed \(seed)")
            }
        }
    }

    /// Returns the pinned items in the order of their slots.
    private func pinned(_ section: JSONValue) -> [ItemReference] {
        let pins = (section["pins"]?.list ?? []).compactMap { pin -> (Int, ItemReference)? in
            guard case .integer(let slot)? = pin["slot"], let item = pin["item"]?.text.flatMap(ItemReference.init) else {
                return nil
            }
            return (slot, item)
        }
        return pins.sorted { $0.0 < $1.0 }.map(\.1)
    }

    @Test("The saved documents of the first sample catalog are upgraded", arguments: sampleFeeds)
    func sample(name: String) throws {
        let bytes = try ExampleFeed.fixture("format-1/\(name).json")
        let document = try FeedDocument(parsing: bytes)
        #expect(try upgraded(JSONValue(try JSONDocument(parsing: bytes).root)) == document)
        #expect(FeedFormat1.upgraded(canonical: bytes) == document.canonical())
        #expect(FeedFormat1.upgraded(canonical: document.canonical()) == document.canonical())
        #expect(String(decoding: document.canonical(), as: UTF8.self).contains(#""format":2"#))
    }

    @Test("The limit becomes the size of the shelf and of the list")
    func limits() throws {
        let rule = #""layout": {"list": {}}, "rule": {"kind": "topApp"}"#
        let all = #""seeAll": {"title": {"en": "All"}}"#
        for (limit, size, continues, listSize) in [(nil, 20, true, 1_000), (12, 12, false, nil), (200, 20, true, 1_000)] {
            let section = try section(rule + (limit.map { #", "limit": \#($0)"# } ?? ""))
            #expect(section.size == size && section.continues == continues && section.list?.size == listSize)
        }
        for (limit, size, listSize) in [(nil, 20, 100), (12, 12, 12), (200, 20, 200)] {
            let section = try section("\(rule), \(all)" + (limit.map { #", "limit": \#($0)"# } ?? ""))
            #expect(section.size == size && !section.continues && section.list?.size == listSize)
        }
        #expect(try section(rule + #", "limit": 300, "minItems": 90"#).minItems == 20)
    }

    @Test("A shelf grows for its pins, so that none is lost")
    func pins() throws {
        func text(_ slots: [Int]) -> String {
            let pins = slots.map { #"{"slot": \#($0), "item": "topapp:a\#($0)"}"# }.joined(separator: ",")
            return #""layout": {"list": {}}, "pins": [\#(pins)]"#
        }
        let filled = try section(text([0, 50]) + #", "rule": {"kind": "topApp"}"#)
        #expect(filled.size == 51 && filled.pins.map(\.slot) == [0, 50])
        let pinned = try section(text(Array(0..<60)))
        #expect(pinned.size == 60 && pinned.pins.count == 60)
        let sparse = try section(text([0, 70, 90]))
        #expect(sparse.size == 20 && sparse.pins.map(\.slot) == [0, 1, 2])
    }

    @Test("A pin at slot 100 or above moves to the last slots of the shelf")
    func highPins() throws {
        func slots(_ slots: [Int]) throws -> [Int] {
            let pins = slots.map { #"{"slot": \#($0), "item": "topapp:a\#($0)"}"# }.joined(separator: ",")
            let section = try section(#""layout": {"list": {}}, "limit": 1000, "rule": {"kind": "topApp"}, "pins": [\#(pins)]"#)
            #expect(section.size == 100)
            // They stay in their order.
            #expect(section.pins.compactMap(\.item?.description) == slots.sorted().prefix(section.pins.count).map { "topapp:a\($0)" })
            return section.pins.map(\.slot)
        }
        #expect(try slots([100]) == [99])
        #expect(try slots([3, 999, 99, 400]) == [3, 97, 98, 99])
        #expect(try slots([98, 30, 100]) == [30, 98, 99])
        #expect(try slots(Array(0..<20) + Array(900..<1_000)) == Array(0..<100))
    }

    @Test("A page begins with the 20 items that it showed in format 1, and keeps its pins")
    func firstItems() throws {
        /// Returns the items in the order of a section: candidates between the pins, which move up if there are too few of them.
        func items(_ pins: [(slot: Int, item: String)], _ candidates: [String]) -> [String] {
            var (items, rest): ([String], ArraySlice<String>) = ([], candidates[...])
            for pin in pins.sorted(by: { $0.slot < $1.slot }) {
                while items.count < pin.slot, let next = rest.popFirst() { items.append(next) }
                items.append(pin.item)
            }
            return items + rest
        }
        for seed in Seeds.fixed(1).flatMap({ seed in (0..<500).map { seed &* 1_000 &+ $0 } }) {
            var random = SeededRandom(seed: seed)
            let limit = Int.random(in: 1...300, using: &random)
            let count = Int.random(in: 1...(Bool.random(using: &random) ? 3 : 200), using: &random)
            let pins = (0..<limit).shuffled(using: &random).prefix(count).map { (slot: $0, item: "topapp:pin-\($0)") }
            let candidates = (0..<Int.random(in: 0...150, using: &random)).map { "topapp:app-\($0)" }
            let text = pins.map { #"{"slot": \#($0.slot), "item": "\#($0.item)"}"# }.joined(separator: ",")
            let section = try section(
                #""layout": {"list": {}}, "limit": \#(limit), "rule": {"kind": "topApp"}, "pins": [\#(text)]"#)
            let kept = section.pins.map { (slot: $0.slot, item: $0.item?.description ?? "") }
            #expect(items(kept, candidates).prefix(min(section.size, 20)) == items(pins, candidates).prefix(min(limit, 20)), "seed \(seed)")
            #expect(kept.count == pins.count || pins.count { $0.slot >= 20 } > 80, "seed \(seed)")
            #expect(kept.allSatisfy { $0.slot < section.size }, "seed \(seed)")
        }
    }

    @Test(
        "A limit that other members do not keep is an issue, as it was in format 1",
        arguments: [
            (#""limit": 10, "minItems": 11, "rule": {"kind": "topApp"}"#, "/sections/0/minItems"),
            (#""limit": 30, "pins": [{"slot": 50, "item": "topapp:a"}]"#, "/sections/0/pins/0/slot"),
            (#""limit": 0, "rule": {"kind": "topApp"}"#, "/sections/0/limit"),
            (#""limit": -3, "pins": [{"slot": 0, "item": "topapp:a"}]"#, "/sections/0/limit"),
            (#""limit": -9223372036854775808, "rule": {"kind": "topApp"}"#, "/sections/0/limit"),
            (
                #""rule": {"kind": "topApp"}, "pins": [{"slot": 9223372036854775807, "item": "topapp:a"}]"#,
                "/sections/0/pins/0/slot"
            ),
            (#""rule": {"kind": "topApp"}, "seeAll": {"title": {"en": "All"}, "size": 5}"#, "/sections/0/seeAll/size"),
            (#""rule": {"kind": "topApp"}, "alternates": 5"#, "/sections/0/alternates"),
        ])
    func limitIssues(members: String, pointer: String) {
        do throws(JSONError) {
            let text =
                #"{"feed": "f", "title": {"en": "F"}, "sections": [{"key": "s", "cell": "row", "layout": {"list": {}}, \#(members)}]}"#
            _ = try FeedDocument(parsing: Array(text.utf8))
            Issue.record("the document was accepted")
        } catch {
            #expect(error.issues.map(\.pointer.description).contains(pointer), "\(error)")
        }
    }

    @Test("The header of a carousel becomes that of the section")
    func headers() throws {
        func header(_ carousel: String) throws -> SectionHeaderChoice {
            try section(#""layout": {"carousel": \#(carousel)}, "rule": {"kind": "topApp"}"#).header
        }
        #expect(try header(#"{"header": 0}"#) == .none)
        #expect(try header(#"{"header": 44}"#) == .automatic && header("{}") == .automatic)
        #expect(try header(#"{"header": 60}"#) == .custom(height: .absolute(60), isPinned: nil))
    }

    @Test("The buckets of an experiment become arms, cut at all bounds that the document uses")
    func buckets() throws {
        func section(_ key: String, _ experiment: String, _ from: Int, _ to: Int) -> String {
            #"""
            {"key": "\#(key)", "layout": {"list": {}}, "cell": "c", "rule": {"kind": "topApp"},
             "target": {"tags": ["beta"], "bucket": {"experiment": "\#(experiment)", "from": \#(from), "to": \#(to)}}}
            """#
        }
        let sections = [section("a", "weekend", 0, 50), section("b", "weekend", 25, 100), section("c", "dark", 10, 11)]
        let text = #"{"feed": "f", "title": {"en": "F"}, "sections": [\#(sections.joined(separator: ","))]}"#
        let document = try FeedDocument(parsing: Array(text.utf8))
        #expect(
            document.sections.map { $0.target?.experiments } == [
                ["weekend": ["p0-24", "p25-49"]], ["weekend": ["p25-49", "p50-99"]], ["dark": ["p10-10"]],
            ])
        #expect(document.sections.allSatisfy { $0.target?.conditions.first == .tags(["beta"]) })
    }

    @Test(
        "An invalid bucket is one issue with its location",
        arguments: [
            #"{"experiment": "e", "from": 50, "to": 50}"#, #"{"experiment": "e", "from": 0, "to": 101}"#, #"{"from": 0, "to": 50}"#, "5",
        ])
    func invalidBuckets(bucket: String) {
        let text = #"""
            {"feed": "f", "title": {"en": "F"}, "sections": [
                {"key": "s", "layout": {"list": {}}, "cell": "c", "rule": {"kind": "topApp"}, "target": {"tags": ["a"], "bucket": \#(bucket)}}]}
            """#
        let error = #expect(throws: JSONError.self) { try FeedDocument(parsing: Array(text.utf8)) }
        #expect(error?.issues.map(\.pointer.description) == ["/sections/0/target/bucket"])
    }

    @Test("A bucket in a document of format 2 is an issue that names the arms of an experiment")
    func laterBuckets() {
        let text = #"""
            {"format": 2, "feed": "f", "title": {"en": "F"}, "sections": [
                {"key": "s", "layout": {"list": {}}, "cell": "c", "rule": {"kind": "topApp"},
                 "target": {"bucket": {"experiment": "e", "from": 0, "to": 50}}}]}
            """#
        let error = #expect(throws: JSONError.self) { try FeedDocument(parsing: Array(text.utf8)) }
        #expect(error?.issues.map(\.pointer.description) == ["/sections/0/target/bucket"])
        #expect(error?.issues.first?.hint == #"write "experiment": {"EXPERIMENT": ["ARM"]}"#)
    }

    @Test("A member of format 2 in a document without a format is an issue with its location")
    func members() {
        for (text, pointer) in [
            (#"{"feed": "f", "title": {"en": "F"}, "sections": [], "theme": {}}"#, "/theme"),
            (
                #"{"feed": "f", "title": {"en": "F"}, "sections": [{"key": "s", "layout": {"list": {}}, "cell": "c", "rule": {"kind": "topApp"}, "size": 3}]}"#,
                "/sections/0/size"
            ),
            (Self.pinned(#""card": {"key": "c", "title": {"en": "C"}}"#), "/sections/0/pins/0/card"),
            (Self.pinned(#""item": "topapp:a", "show": {"title": {"en": "A"}}"#), "/sections/0/pins/0/show"),
            (Self.pinned(#""item": "topapp:a", "target": {"tags": ["beta"]}"#), "/sections/0/pins/0/target"),
        ] {
            do throws(JSONError) {
                _ = try FeedDocument(parsing: Array(text.utf8))
                Issue.record("the document was accepted")
            } catch {
                #expect(error.issues.map(\.pointer.description) == [pointer])
                #expect(error.issues.first?.hint == #"begin the document with "format": 2"#)
            }
        }
    }

    private static func pinned(_ content: String) -> String {
        let section = #"{"key": "s", "layout": {"list": {}}, "cell": "c", "pins": [{"slot": 0, \#(content)}]}"#
        return #"{"feed": "f", "title": {"en": "F"}, "sections": [\#(section)]}"#
    }

    @Test("An issue of a document of format 1 has the location of its text")
    func locations() {
        let text = #"{"feed": "f", "title": {"en": "F"}, "sections": [{"key": "s", "layout": {"list": {}}, "cell": "c", "limit": "many"}]}"#
        do throws(JSONError) {
            _ = try FeedDocument(parsing: Array(text.utf8))
            Issue.record("the document was accepted")
        } catch {
            #expect(error.issues.map(\.pointer.description) == ["/sections/0", "/sections/0/limit"])
        }
    }
}

extension Sort {
    fileprivate var isRotation: Bool { if case .rotation = self { true } else { false } }
}
