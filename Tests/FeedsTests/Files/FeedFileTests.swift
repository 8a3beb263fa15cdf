import JSON
import TestSupport
import Testing

@testable import Feeds

@Suite("The file of a feed")
struct FeedFileTests {
    @Test("A file is named after its feed and its line")
    func names() throws {
        let night = try #require(LineKey("night-market"))
        let today = try #require(FeedKey("today"))
        #expect(FeedFile.Location(feed: today).name == "today.jsonc")
        #expect(FeedFile.Location(feed: today, line: night).name == "today@night-market.jsonc")
        #expect(FeedFile.Location(name: "today@night-market.jsonc") == .init(feed: today, line: night))
        #expect(FeedFile.Location(name: "today.json") == .init(feed: today))
        for name in ["today", "Today.jsonc", "today@.jsonc", "today@main.jsonc", "a@b@c.jsonc", ".jsonc", "@a.jsonc", "today.yaml"] {
            #expect(FeedFile.Location(name: name) == nil, "\(name)")
        }
    }

    @Test("A file is formatted as a person would write it")
    func example() throws {
        let text = String(decoding: try FeedFile(document: FeedDocument(parsing: ExampleFeed.bytes)).text(), as: UTF8.self)
        #expect(try text == Golden("today.jsonc").text(recording: text))
    }

    @Test("A file decodes to its document, and is always formatted the same")
    func random() throws {
        for seed in 0..<300 as Range<UInt64> {
            var random = RandomFeeds(seed: seed)
            let file = FeedFile(document: try FeedDocument(parsing: random.document().json()))
            let text = file.text()
            let read = try FeedFile(parsing: text)
            #expect(read == file && read.text() == text, "seed \(seed)")
            let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
            // A single string may be longer than the line width, but nothing that can be wrapped.
            #expect(lines.allSatisfy { $0.count <= FeedFileFormatter.width || !$0.contains(", \"") }, "seed \(seed)")
        }
    }

    @Test("A file with an equal document is unchanged")
    func same() throws {
        let document = try FeedDocument(parsing: ExampleFeed.bytes)
        let text = Array("// mine\n".utf8) + (try ExampleFeed.bytes) + Array("/* end */".utf8)
        #expect(FeedFile(document: document).text(in: text) == text)
    }

    @Test("Unchanged parts keep their format and the comments around them")
    func woven() throws {
        let old = """
            // Ours.
            {
              "format": 2,
              "feed": "today",
              "title": {"en":   "Today"}, // of the tab
              "sections": [ // from the top
                // The big one.
                {"key": "hero", "layout": {"list": {}},
                 "cell": "row", /* all of it */ "rule": {"kind":"topApp"}},
                { "key": "gone", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "foodApp"} },
                /* changes */ {
                  // Stays.
                  "key": "apps", // the key
                  "layout": {"list": {   }}, "cell": "row",
                  "size": 5, // not more
                  "rule": {"kind": "topApp"}
                  // The end.
                }, // last
                // Nothing below.
              ]
            }
            // Behind it.

            """
        let new = """
            {"format": 2, "feed":"today","title":{"en":"Today"},"sections":[
              {"key":"apps","layout":{"list":{}},"cell":"row","size": 7,"rule":{"kind":"topApp"}},
              {"key":"new","layout":{"list":{}},"cell":"row","rule":{"kind":"foodApp"}},
              {"key":"hero","layout":{"list":{}},"cell":"row","rule":{"kind":"topApp"}}]}
            """
        let text = FeedFile(document: try FeedDocument(parsing: Array(new.utf8))).text(in: Array(old.utf8))
        let expected = """
            // Ours.
            {
              "format": 2,
              "feed": "today",
              "title": {"en":   "Today"}, // of the tab
              "sections": [
                /* changes */ {
                  // Stays.
                  "key": "apps", // the key
                  "layout": {"list": {   }},
                  "cell": "row",
                  "size": 7, // not more
                  "rule": {"kind": "topApp"}
                  // The end.
                }, // last
                {
                  "key": "new",
                  "layout": {"list": {}},
                  "cell": "row",
                  "rule": {"kind": "foodApp"}
                },
                // from the top
                // The big one.
                {"key": "hero", "layout": {"list": {}},
                 "cell": "row", /* all of it */ "rule": {"kind":"topApp"}}
                // Nothing below.
              ]
            }
            // Behind it.

            """
        #expect(String(decoding: text, as: UTF8.self) == expected)
    }

    @Test("A file of format 1 keeps its comments when it is written in format 2")
    func upgraded() throws {
        let old = """
            // Ours.
            {
              "feed": "today",
              "title": {"en": "Today"}, // of the tab
              "sections": [
                // The big one.
                {"key": "hero", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "limit": 5},
                {"key": "all", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}} // the rest
              ]
            }

            """
        let new = try FeedDocument(parsing: Array(old.replacing("\"limit\": 5", with: "\"limit\": 6").utf8), notation: .commented)
        let text = FeedFile(document: new).text(in: Array(old.utf8))
        #expect(try FeedDocument(parsing: text, notation: .commented) == new)
        let written = String(decoding: text, as: UTF8.self)
        for comment in ["// Ours.", "// of the tab", "// The big one.", "// the rest"] { #expect(written.contains(comment), "\(written)") }
    }

    @Test("A file that replaces any other file decodes to its own document")
    func randomlyWoven() throws {
        let comments = ["// a }\n", "/* , [ */", "// \"\r\n", "/*\n*/", " "]
        for seed in 0..<300 as Range<UInt64> {
            var random = RandomFeeds(seed: seed)
            var dice = SeededRandom(seed: seed)
            let old = String(decoding: try random.document().json(), as: UTF8.self)
            let commented = old.split(separator: ",", omittingEmptySubsequences: false).joined(
                separator: ",\(comments.randomElement(using: &dice) ?? "")")
            // The comments replace commas, so the random documents have none inside strings.
            _ = try FeedDocument(parsing: Array(commented.utf8), notation: .commented)
            let file = FeedFile(document: try FeedDocument(parsing: random.document().json()))
            #expect(try FeedFile(parsing: file.text(in: Array(commented.utf8))) == file, "seed \(seed)")
        }
    }

    @Test("An unreadable file is replaced as a whole")
    func unreadable() throws {
        let file = FeedFile(document: try FeedDocument(parsing: ExampleFeed.bytes))
        #expect(file.text(in: Array("{".utf8)) == file.text())
    }
}
