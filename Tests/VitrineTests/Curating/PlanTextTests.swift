import JSON
import Testing

@testable import Admin

@Suite("A plan as a person reads it")
struct PlanTextTests {
    private func lines(_ changes: String) throws -> [PlanLine] {
        try JSONDocument(parsing: "[\(changes)]").root.elements.map { PlanLine(node: $0) }
    }

    private static let changes = #"""
        {"feed":"apps","line":"main","action":"same","storefronts":[]},
        {"feed":"food","action":"archive","storefronts":["us"]},
        {"feed":"games","line":"night","action":"create","storefronts":["a","b","c","d","e","f","g"],"findings":[]},
        {"feed":"old","line":"main","action":"same","restores":true,"storefronts":[]},
        {"feed":"today","line":"main","action":"change","publishes":true,"storefronts":["de","us"],
         "lines":[{"mark":"-","depth":0,"text":"section gone"},{"mark":"~","depth":0,"text":"section hero"},
          {"mark":">","depth":1,"text":"pin a"},{"mark":"?","depth":0,"text":"of another program"},{"mark":" ","depth":9,"text":"more"}],
         "findings":[{"severity":"error","code":"UNKNOWN_ITEM","pointer":"/sections/0","message":"no\u001b[31m item","help":"Correct it."},
           {"severity":"warning","code":"EMPTY_TAIL","pointer":"/sections/1","message":"A sentence.","help":"Another one."}]}
        """#

    @Test("has a line for each feed with something to do, and what becomes of it below")
    func text() throws {
        let text = PlanText(isColored: false).text(of: try lines(Self.changes))
        #expect(
            text == """
                - food         archived; 1 storefront will see it: us
                + games@night  new; 7 storefronts would see it once published: a, b, c, d, e, f, …
                ^ old          restored; no storefront sees a difference
                ~ today        changed, published; 2 storefronts will see it: de, us
                    - section gone
                    ~ section hero
                        > pin a
                                                      more
                    error UNKNOWN_ITEM /sections/0: no\\u{1b}[31m item. Correct it.
                    warning EMPTY_TAIL /sections/1: A sentence. Another one.

                """)
    }

    @Test("is the same in colour, but for the colours")
    func colored() throws {
        let text = PlanText(isColored: true).text(of: try lines(Self.changes))
        #expect(text.hasPrefix("\u{1B}[31m-\u{1B}[0m food "))
        #expect(text.replacing(/\u{1B}\[[0-9]+m/, with: "") == PlanText(isColored: false).text(of: try lines(Self.changes)))
    }
}
