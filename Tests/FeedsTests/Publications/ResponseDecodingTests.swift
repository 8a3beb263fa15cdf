import Feeds
import JSON
import Testing

@Suite("The state of a feed in a response")
struct FeedStateTests {
    private static let revision = #"{"revision": 3, "line": "main", "hash": "aa", "savedAt": "2026-03-01T12:00:00Z"}"#

    private static func state(_ members: String) throws -> FeedState? {
        let text = #"{"feed": "today", "publications": [], \#(members)}"#
        return try JSONDocument(parsing: Array(text.utf8)).root.decodeLeniently(FeedState.self)
    }

    @Test("Is read with members that this program does not know")
    func known() throws {
        let state = try #require(
            try Self.state(#""lines": [\#(Self.revision)], "live": {"revision": 3, "layer": "base", "new": 1}, "new": {}"#))
        #expect(state.lines.count == 1 && state.summary.live == 3 && state.base == nil)
    }

    @Test(
        "Is refused where a part that commands decide on cannot be read, instead of read as if it were absent",
        arguments: [
            #""lines": [{"revision": "3"}]"#, #""lines": [], "live": {"revision": 3, "layer": "another"}"#,
            #""lines": [], "base": {"id": 1}"#, #""lines": [], "archivedAt": "some time""#,
        ])
    func unknown(members: String) throws {
        #expect(try Self.state(members) == nil)
    }
}
