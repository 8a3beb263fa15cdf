import Feeds
import JSON
import Testing

@testable import CLI

@Suite("The text of a plan")
struct PlanTextTests {
    private func lines(_ changes: String) throws -> [PlannedChange] {
        try #require(try JSONDocument(parsing: "[\(changes)]").root.decodeLeniently([PlannedChange].self))
    }

    private static let changes = #"""
        {"feed":"apps","line":"main","action":"none","affectedStorefronts":[]},
        {"feed":"food","action":"archive","affectedStorefronts":["us"]},
        {"feed":"games","line":"night","action":"create","affectedStorefronts":["a","b","c","d","e","f","g"],"findings":[]},
        {"feed":"old","line":"main","action":"none","restores":true,"affectedStorefronts":[],"findings":[]},
        {"feed":"today","line":"main","action":"update","publishes":true,"affectedStorefronts":["de","us"],
         "diffLines":[{"mark":"-","depth":0,"text":"section gone"},{"mark":"~","depth":0,"text":"section hero"},
          {"mark":">","depth":1,"text":"pin a"},{"mark":"?","depth":0,"text":"of another\u001b[31m program"},{"mark":" ","depth":9,"text":"more"}],
         "findings":[{"severity":"error","code":"UNKNOWN_ITEM","section":"hero","pointer":"/sections/0","message":"no\u001b[31m item",
            "hint":"Correct it."},
           {"severity":"warning","code":"EMPTY_TAIL","pointer":"/sections/1","message":"A sentence.","hint":"Another one."}]}
        """#

    private func text(_ changes: String, width: Int? = nil, isColored: Bool = false) throws -> String {
        PlanText(writer: DiffText(width: width, isColored: isColored)).text(of: try lines(changes))
    }

    @Test("The text has a line for each feed with changes, and the changes below it")
    func text() throws {
        #expect(
            try text(Self.changes) == """
                - food         archived; 1 storefront will see it: us
                + games@night  new; 7 storefronts will see it after it is published: a, b, c, d, e, f, …
                ^ old          restored; no storefront is affected
                ~ today        changed, published; 2 storefronts will see it: de, us
                    - section gone
                    ~ section hero
                        > pin a
                      of another\\u{1b}[31m program
                                                      more
                    error: hero: no\\u{1b}[31m item [UNKNOWN_ITEM]
                      Correct it.
                    warning: sections/1: A sentence. [EMPTY_TAIL]
                      Another one.

                """)
    }

    @Test("The text names the live revision, an incomplete review, and a takeover that clients see first")
    func bool() throws {
        let takeover =
            #"{"id":9,"feed":"f","layer":"takeover","revision":4,"from":"2026-01-01T00:00:00Z","until":"2026-02-01T00:00:00Z","spans":[]}"#
        let local =
            #"{"id":10,"feed":"f","layer":"takeover","revision":5,"storefronts":["kw","sa"],"from":"2026-01-01T00:00","until":"2026-02-01T02:00","spans":[]}"#
        let changes = #"""
            {"feed":"a","line":"main","action":"none","publishes":true,"draftRevision":5,"baseRevision":3,"fromRevision":3,"affectedStorefronts":["us"],"reviewed":false},
            {"feed":"b","line":"main","action":"update","publishes":true,"draftRevision":5,"baseRevision":3,"fromRevision":3,"replacesDraft":true,
             "activeTakeovers":[\#(takeover),\#(local)],"affectedStorefronts":["us"],"reviewed":true,"findings":[]},
            {"feed":"c","line":"main","action":"update","restores":true,"draftRevision":5,"baseRevision":3,"fromRevision":5,"affectedStorefronts":["de","us"],"findings":[]},
            {"feed":"d","line":"main","action":"update","publishes":true,"draftRevision":1,"affectedStorefronts":["us"],"findings":[]}
            """#
        #expect(
            try text(changes) == """
                ^ a  published; 1 storefront will see it: us
                    compared with live revision 3
                    not reviewed, because of the time limit; review it with 'vitrine validate'
                ~ b  changed, published; 1 storefront will see it after the takeover: us
                    compared with live revision 3; replaces the draft, revision 5
                    the takeover with revision 4 is live until 2026-02-01 00:00 UTC; clients see the changes after the takeover
                    the takeover with revision 5 is live in kw, sa until 2026-02-01 02:00 local time; clients see the changes after the takeover
                ~ c  restored, changed; 2 storefronts will see revision 3 again: de, us
                ~ d  changed, published; 1 storefront will see it: us
                    first publication

                """)
        #expect(try text(changes, width: 60).split(separator: "\n").allSatisfy { $0.count <= 60 })
    }

    @Test("The colored text is the plain text with colors")
    func colored() throws {
        let text = try text(Self.changes, isColored: true)
        #expect(text.hasPrefix("\u{1B}[31m- food "))
        #expect(try text.replacing(/\u{1B}\[[0-9]+m/, with: "") == self.text(Self.changes))
    }
}
