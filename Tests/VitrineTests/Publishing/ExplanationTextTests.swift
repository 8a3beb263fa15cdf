import Feeds
import JSON
import Testing
import Values

@testable import CLI

@Suite("The explanation of a section")
struct ExplanationTextTests {
    private func reported(_ text: String) throws -> ExplanationText {
        ExplanationText(
            try #require(try JSONDocument(parsing: text).root.decodeLeniently(SectionExplanation.self)),
            titles: ["00000000-0000-4000-8000-000000000000": "Harbor Notes"])
    }

    @Test("The text explains the slot of each item and the omission of others in sentences")
    func sentences() throws {
        let explanation = try reported(
            """
            {"section": "hero", "sort": "-rating",
             "slots": [{"slot": 0, "item": "00000000-0000-4000-8000-000000000000", "reason": "pin", "pinnedSlot": 0},
               {"slot": 1, "item": "00000000-0000-4000-8000-000000000001", "reason": "rule", "rulePosition": 0, "sortValues": {"rating": {"average": 4.85, "count": 1234}, "releaseDate": "2026-03-01", "title": "夜市"}},
               {"slot": 2, "item": "00000000-0000-4000-8000-000000000002", "reason": "rule", "rulePosition": 11, "sortValues": {"rating": {"average": 4.05, "count": 1}, "releaseDate": "2026-03-01", "title": "Loop of Rain"}}],
             "omitted": [{"reference": "topapp:gone", "reason": "unavailable"},
               {"item": "00000000-0000-4000-8000-000000000003", "reference": "topapp:x", "reason": "excluded", "sortValues": {"rating": {"average": 0, "count": 0}, "releaseDate": "2026-03-01", "title": "X"}},
               {"item": "00000000-0000-4000-8000-000000000000", "reason": "pinned", "pinnedSlot": 0, "sortValues": {"rating": {"average": 4.85, "count": 9}, "releaseDate": "2026-03-01", "title": "Harbor Notes"}},
               {"item": "00000000-0000-4000-8000-000000000004", "reason": "overLimit", "sortValues": {"rating": {"average": 4, "count": 9}, "releaseDate": "2026-03-01", "title": "Y"}},
               {"item": "00000000-0000-4000-8000-000000000005", "reason": "unavailable", "sortValues": {"rating": {"average": 4, "count": 9}, "releaseDate": "2026-03-01", "title": "Z"}}],
             "retained": {"reason": "tooFewItems", "foundCount": 2, "minItems": 3}}
            """)
        try AdminGolden.expect(explanation.text(width: nil), is: "explanation.txt")
        try AdminGolden.expect(explanation.text(width: 40), is: "explanation-40.txt")
        #expect(explanation.text(width: 40).split(separator: "\n").allSatisfy { $0.columns <= 40 })
    }

    @Test("An item without a title is shown by its whole id if there is room, and by a shortened one otherwise")
    func cut() throws {
        let id = "ce2b4ae3-61ca-8820-bcf9-f90054b5e000"
        let explanation = try reported(#"{"section": "s", "slots": [], "omitted": [{"item": "\#(id)", "reason": "unavailable"}]}"#)
        #expect(explanation.text(width: nil).contains("  -  \(id)  selected by the rule, but unavailable"))
        #expect(explanation.text(width: 60).contains("  -  ce2b4ae3-61ca-8820-bcf…  selected by the rule, but"))
    }

    @Test("The text explains why items of other storefronts were not searched")
    func unavailableFailure() throws {
        func notes(_ argument: String) throws -> [String] {
            try reported(#"{"section": "s", "slots": [], "omitted": [], "unavailableFailure": "\#(argument)"}"#).notes
        }
        let start = "Items of the rule that are unavailable in this storefront are not listed: "
        #expect(try notes("timeout") == [start + "the search takes too long."])
        #expect(try notes("skipped") == [start + "no time was left."])
    }

    @Test("The text accepts extreme numbers", arguments: [Int.max, .min, -1])
    func numbers(number: Int) throws {
        let sortValues = #"{"rating": {"average": 4.5, "count": \#(number)}, "chartRank": \#(number), "releaseDate": "2026-03-01"}"#
        let slot =
            #"{"slot": \#(number), "item": "00000000-0000-4000-8000-000000000000", "reason": "rule", "rulePosition": \#(number), "sortValues": \#(sortValues)}"#
        let text = try reported(#"{"section": "s", "sort": "-rating", "slots": [\#(slot)], "omitted": []}"#).text(width: 80)
        #expect(text.contains("of the rule"))
    }

    @Test(
        "The text names the sort value that decided",
        arguments: [
            (#"{"chart": "top-food"}"#, "1st match of the rule: rank 3 in the chart top-food"),
            (#""title""#, "1st match of the rule: by title"),
            (#""-releaseDate""#, "1st match of the rule: released 2026-03-01"),
            (#"{"rotate": {"seed": "s", "every": "P1D"}}"#, "1st match of the rule: by the rotation s"),
        ])
    func sorts(sort: String, sentence: String) throws {
        let sortValues = #"{"chartRank": 3, "rating": {"average": 1, "count": 1}, "releaseDate": "2026-03-01", "title": "T"}"#
        let explanation = try reported(
            #"{"section": "s", "sort": \#(sort), "slots": [{"slot": 0, "item": "00000000-0000-4000-8000-000000000000", "reason": "rule", "rulePosition": 0, "sortValues": \#(sortValues)}], "omitted": []}"#
        )
        #expect(explanation.slots.map(\.sentence) == [sentence])
    }
}
