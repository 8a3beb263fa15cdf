import JSON
import Resolve
import Security
import Testing
import VitrineClient

@Suite("The page of a local copy")
struct CopiedPageTests {
    private var copy = LocalCopy { Digest.sha256($0) }

    init() {
        save("feed", "f", #"{"feed": "f", "title": "F", "revision": 7, "sections": ["f/b", "f/gone", "f/a"]}"#)
        save("section", "f/a", #"{"id": "f/a", "title": "All", "fill": {"size": 2}}"#)
        save("section", "f/b", #"{"id": "f/b", "fill": {"size": 9}, "target": {"platforms": ["ios"]}}"#)
        for (number, order) in [(1, #""m""#), (2, #""a""#), (3, #""z""#), (4, "null")] {
            save("item", "i\(number)", #"{"title": "Item \#(number)"}"#)
            for section in ["f/a", "f/b"] {
                save(
                    "placement", "\(section)/\(number)",
                    #"{"section": "\#(section)", "item": "i\#(number)"\#(order == "null" ? "" : #", "order": \#(order)"#)}"#)
            }
        }
        save("placement", "f/a/9", #"{"section": "f/a", "item": "unknown", "order": "0"}"#)
    }

    private mutating func save(_ kind: String, _ id: String, _ data: String) {
        copy.apply(.save(EntityKey(kind: kind, id: id), version: 1, CopyContent(hash: id, data: Array(data.utf8))))
    }

    @Test("A page has the sections that the client sees, filled in the order of the placements")
    func sections() throws {
        var facts = ClientFacts.nothingSaid
        let other = try #require(try copy.page(of: "f", for: facts))
        #expect(other.revision == 7 && other.sections.map(\.id) == ["f/a"])
        #expect(other.sections.first?.title == "All" && other.sections.first?.placements.map(\.id) == ["f/a/2", "f/a/1"])
        facts.platform = .said("ios")
        let phone = try #require(try copy.page(of: "f", for: facts))
        #expect(phone.sections.map { $0.placements.compactMap(\.item) } == [["i2", "i1", "i3"], ["i2", "i1"]])
    }

    @Test("A client sees the placements that are for its platform, in the order of its platform")
    func platforms() throws {
        var copy = copy
        for (id, fields) in [
            ("f/a/1", #""item": "i1", "order": {"*": "a", "ios": "c", "android": "b"}"#),
            ("f/a/2", #""item": "i2", "order": {"*": "b", "ios": "a"}, "on": ["ios"]"#),
            ("f/a/3", #""item": "i3", "order": {"android": "a"}, "on": ["android"]"#),
            ("f/a/4", #""item": "i4", "pin": 0, "on": ["android", "ios"]"#),
        ] {
            let data = #"{"section": "f/a", \#(fields)}"#
            copy.apply(.save(EntityKey(kind: "placement", id: id), version: 2, CopyContent(hash: id, data: Array(data.utf8))))
        }
        copy.apply(
            .save(
                EntityKey(kind: "section", id: "f/a"), version: 2,
                CopyContent(hash: "a", data: Array(#"{"id": "f/a", "fill": {"size": 3}}"#.utf8))))
        for (platform, expected) in [
            (nil, ["i4", "i1", "i2"]), ("ios", ["i4", "i2", "i1"]), ("android", ["i4", "i3", "i1"]), ("tvos", []),
        ] as [(String?, [String])] {
            var facts = ClientFacts.nothingSaid
            facts.platform = Fact(platform)
            let page = try #require(try copy.page(of: "f", for: facts))
            let section = page.sections.first { $0.id == "f/a" }
            #expect(section?.placements.compactMap(\.item) ?? [] == expected, "\(platform ?? "-")")
        }
    }

    @Test("A pin has its slot, and an item that is pinned and a candidate is shown once")
    func pins() throws {
        var copy = copy
        for (id, data) in [
            (
                "f/a/1",
                #"{"section": "f/a", "item": "i1", "order": "m", "pin": 0, "target": {"tags": ["beta"]}, "show": {"title": "Shown"}}"#
            ),
            ("f/a/4", #"{"section": "f/a", "item": "i4", "pin": 1}"#),
            ("f/a/~c", #"{"section": "f/a", "card": {"title": "Card"}, "pin": 2, "target": {"platforms": ["ios"]}}"#),
        ] {
            copy.apply(.save(EntityKey(kind: "placement", id: id), version: 2, CopyContent(hash: id, data: Array(data.utf8))))
        }
        copy.apply(
            .save(
                EntityKey(kind: "section", id: "f/a"), version: 2,
                CopyContent(hash: "a", data: Array(#"{"id": "f/a", "fill": {"size": 3, "without": ["f/b"]}}"#.utf8))))
        func shown(_ facts: ClientFacts) throws -> [[String]] {
            try #require(try copy.page(of: "f", for: facts)).sections.map { $0.placements.map(\.id) }
        }
        var facts = ClientFacts.nothingSaid
        #expect(try shown(facts) == [["f/a/2", "f/a/4", "f/a/1"]])
        facts.tags = .said(["beta"])
        #expect(try shown(facts) == [["f/a/1", "f/a/4", "f/a/2"]])
        // The section above shows the other items.
        facts.platform = .said("ios")
        #expect(try shown(facts) == [["f/b/2", "f/b/1", "f/b/3"], ["f/a/1", "f/a/4", "f/a/~c"]])
        facts.tags = .notSaid
        #expect(try shown(facts) == [["f/b/2", "f/b/1", "f/b/3"], ["f/a/4", "f/a/~c"]])
    }

    @Test("The copy gives the client its arm, shows the sections of that arm, and tells it")
    func experiments() throws {
        var copy = copy
        let experiments =
            #"{"weekend": {"salt": "weekend", "arms": {"control": [[50, 100]], "pairs": [[0, 50]]}, "default": "control", "state": "running"}}"#
        for (kind, id, data) in [
            (
                "feed", "f",
                #"{"feed": "f", "title": "F", "revision": 8, "sections": ["f/b", "f/a"], "experiments": \#(experiments), "holdout": {"salt": "h", "share": 5}}"#
            ),
            ("section", "f/b", #"{"id": "f/b", "fill": {"size": 9}, "target": {"experiment": {"weekend": ["pairs"]}}}"#),
        ] {
            copy.apply(.save(EntityKey(kind: kind, id: id), version: 2, CopyContent(hash: id, data: Array(data.utf8))))
        }
        var facts = ClientFacts.nothingSaid
        for (client, arm) in [(nil, "control"), ("client-1", "control"), ("6f1f6c2f-7a10-4a43-9a51-0d0f8a3e7f6c", "pairs")] {
            facts.client = Fact(client)
            let page = try #require(try copy.page(of: "f", for: facts))
            #expect(page.arms == ["weekend": arm])
            #expect(page.sections.map(\.id) == (arm == "pairs" ? ["f/b", "f/a"] : ["f/a"]))
        }
    }

    @Test("A copy without the feed has no page")
    func missing() throws {
        #expect(try copy.page(of: "other", for: .nothingSaid) == nil)
    }
}
