import Feeds
import JSON
import TestSupport
import Testing

@Suite("The issues of a feed document")
struct FeedIssueTests {
    private func issues(in text: String) -> [JSONIssue] {
        do throws(JSONError) {
            _ = try FeedDocument(parsing: Array(text.utf8))
            return []
        } catch {
            return error.issues
        }
    }

    @Test("Each issue has its pointer, the expected values and a suggestion")
    func table() throws {
        var reported = ""
        for feed in BrokenFeed.all {
            let issues = issues(in: feed.text)
            #expect(!issues.isEmpty, "\(feed.text)")
            reported += "\(feed.name)\n"
            for issue in issues {
                reported += "    \(issue.pointer) \(issue.code.rawValue): \(issue.message)"
                reported += issue.hint.map { "; \($0)\n" } ?? "\n"
            }
        }
        #expect(try Golden("mistakes.txt").text(recording: reported) == reported)
    }

    @Test("All issues are reported in one pass, each with the pointer of its section")
    func together() {
        let text = ExampleFeed.document(
            [
                "cell": nil, "size": "0", "pins": #"[{"slot": 0, "item": "topapp:a"}, {"slot": 0, "item": "x"}]"#,
                "rule": #"{"all": [{"kind": "topapp"}, {"inSection": "hero"}, {}]}"#, "exclude": #"["topapp:a"]"#,
            ],
            sections: #", {"key": "hero"}, {"key": "b", "layout": {"list": {}}, "cell": "c", "rule": {"inSection": ["hero", "herp"]}}"#,
            feed: ["titel": "1"])
        #expect(
            issues(in: text).map { "\($0.pointer) \($0.code.rawValue)" } == [
                "/sections/0 MISSING_KEY", "/sections/0/exclude/0 DUPLICATE", "/sections/0/pins/1/slot DUPLICATE",
                "/sections/0/pins/1/item INVALID_FORMAT", "/sections/0/rule/all/0/kind INVALID_CHOICE",
                "/sections/0/rule/all/1/inSection INVALID_CHOICE", "/sections/0/rule/all/2 MISSING_KEY", "/sections/0/size OUT_OF_RANGE",
                "/sections/1 MISSING_KEY",
                "/sections/1 MISSING_KEY", "/sections/1 MISSING_KEY", "/sections/1/key DUPLICATE",
                "/sections/2/rule/inSection/1 INVALID_CHOICE", "/titel UNKNOWN_KEY",
            ])
    }

    @Test("A document with random changed bytes decodes to a document or to issues")
    func mutations() throws {
        var random = SeededRandom(seed: 3)
        let bytes = try ExampleFeed.bytes
        for round in 0..<400 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: 0..<changed.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: changed[index] = UInt8.random(in: 0x20...0x7E, using: &random)
                case 1: changed.remove(at: index)
                default: changed.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: index)
                }
            }
            do throws(JSONError) {
                let feed = try FeedDocument(parsing: changed)
                #expect(try FeedDocument(parsing: feed.canonical()) == feed, "seed 3, round \(round)")
            } catch {
                #expect(!error.issues.isEmpty)
            }
        }
    }
}
