import JSON
import TestSupport
import Testing

@testable import Feeds

@Suite("The changes between two documents")
struct SectionChangesTests {
    private func document(_ keys: String, limits: [Character: Int] = [:], title: String = "Today") throws -> FeedDocument {
        let sections = keys.map { key in
            #"{"key":"\#(key)","layout":{"list":{}},"cell":"row","rule":{"kind":"topApp"},"limit":\#(limits[key] ?? 5)}"#
        }
        return try FeedDocument(
            parsing: Array(#"{"feed":"today","title":{"en":"\#(title)"},"sections":[\#(sections.joined(separator: ","))]}"#.utf8))
    }

    @Test(
        "are the sections that came, went and moved, as few as can be",
        arguments: [
            ("abc", "abc", "", "", ""), ("abc", "axbc", "x", "", ""), ("abc", "ac", "", "b", ""), ("abcd", "dabc", "", "", "d"),
            ("abcd", "bcda", "", "", "a"), ("abcd", "acbd", "", "", "b"), ("ab", "cd", "cd", "ab", ""), ("abcde", "xcabe", "x", "d", "c"),
            ("", "a", "a", "", ""), ("abcdef", "defabc", "", "", "abc"),
        ])
    func places(from: String, to: String, added: String, removed: String, moved: String) throws {
        let changes = SectionChanges(from: try document(from), to: try document(to))
        #expect(changes.added.joined() == added && changes.removed.joined() == removed)
        #expect(changes.moved.count == moved.count, "\(changes.moved)")
        if moved.count == 1, from != "abcd" || to != "acbd" { #expect(changes.moved.joined() == moved) }
        #expect(changes.changed.isEmpty && changes.feed.isEmpty)
    }

    @Test("are the members that are others")
    func members() throws {
        let changes = SectionChanges(from: try document("ab"), to: try document("ba", limits: ["b": 7], title: "Now"))
        #expect(changes.changed == [.init(key: "b", members: ["limit"])] && changes.feed == ["title"] && changes.moved.count == 1)
        let json = String(decoding: try changes.json(), as: UTF8.self)
        #expect(json.contains(#""changed":[{"section":"b","members":["limit"]}]"#), "\(json)")
    }

    @Test("are there for documents that differ, and for no others")
    func random() throws {
        for seed in 0..<200 as Range<UInt64> {
            var random = RandomFeeds(seed: seed)
            let (a, b) = (try FeedDocument(parsing: random.document().json()), try FeedDocument(parsing: random.document().json()))
            #expect(SectionChanges(from: a, to: a) == SectionChanges(from: b, to: b), "seed \(seed)")
            #expect(try SectionChanges(from: a, to: a).json() == Array("{}".utf8))
            // The keys of feeds are no part of it.
            guard a != b, a.key == b.key else { continue }
            #expect(try SectionChanges(from: a, to: b).json() != Array("{}".utf8), "seed \(seed)")
        }
    }
}
