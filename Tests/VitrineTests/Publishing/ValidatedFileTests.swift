import Feeds
import JSON
import Testing

@testable import CLI

@Suite("A feed document in a file")
struct ValidatedFileTests {
    private let text = """
        {
          "format": 2,
          "feed": "today",
          "title": {"en": "Today"},
          "sections": [
            {
              "key": "hero", "layout": {"list": {}}, "cell": "row",
              "pins": [
                {"slot": 4, "item": "topapp:d"},
                {"slot": 0, "item": "topapp:a"}
              ]
            }
          ]
        }
        """

    @Test("Every error of a file is reported with its location")
    func issues() {
        let file = ValidatedFile(
            name: "a.json", bytes: Array(text.replacing("\"cell\"", with: "\"cel\"").replacing("\"slot\": 4", with: "\"slot\": -1").utf8))
        #expect(file.document == nil)
        let lines = file.issues.map { $0.line(in: file.name) }
        #expect(lines.contains { $0.hasPrefix("a.json:7:46: error: /sections/0/cel: ") && $0.hasSuffix("[UNKNOWN_KEY]") }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("a.json:9:18: error: /sections/0/pins/0/slot: ") }, "\(lines)")
    }

    @Test("A finding is reported with its location in the file, in any order of the pins")
    func findings() throws {
        let file = ValidatedFile(name: "a.json", bytes: Array(text.utf8))
        #expect(file.document != nil)
        let finding = try JSONDocument(
            parsing:
                #"{"severity": "warning", "code": "UNAVAILABLE_PIN", "section": "hero", "pointer": "/sections/0/pins/1/item", "message": "m", "hint": "h"}"#
        )
        let note = file.note(try #require(finding.root.decodeLeniently(ReviewFinding.self)))
        #expect(note.line(in: "a.json") == "a.json:9:29: warning: /sections/0/pins/0/item: m; h [UNAVAILABLE_PIN]")
        // A missing field is reported at the object to which it belongs.
        let other = try JSONDocument(
            parsing: #"{"severity": "error", "code": "X", "pointer": "/sections/0/minItems", "message": "m", "hint": "h"}"#)
        #expect(file.note(try #require(other.root.decodeLeniently(ReviewFinding.self))).position?.line == 6)
    }
}
