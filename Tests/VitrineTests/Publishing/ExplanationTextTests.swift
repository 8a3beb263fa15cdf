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
             "slots": [{"slot": 0, "item": "00000000-0000-4000-8000-000000000000", "reason": "pin", "pin": 0},
               {"slot": 1, "item": "00000000-0000-4000-8000-000000000001", "reason": "rule", "place": 0, "merit": {"ratingHundredths": 485, "ratings": 1234, "releasedOn": "2026-03-01", "title": "夜市"}},
               {"slot": 2, "item": "00000000-0000-4000-8000-000000000002", "reason": "rule", "place": 11, "merit": {"ratingHundredths": 405, "ratings": 1, "releasedOn": "2026-03-01", "title": "Loop of Rain"}}],
             "losers": [{"named": "topapp:gone", "reason": "absent"},
               {"item": "00000000-0000-4000-8000-000000000003", "named": "topapp:x", "reason": "excluded", "merit": {"ratingHundredths": 0, "ratings": 0, "releasedOn": "2026-03-01", "title": "X"}},
               {"item": "00000000-0000-4000-8000-000000000000", "reason": "pinned", "pin": 0, "merit": {"ratingHundredths": 485, "ratings": 9, "releasedOn": "2026-03-01", "title": "Harbor Notes"}},
               {"item": "00000000-0000-4000-8000-000000000004", "reason": "behindTheLimit", "merit": {"ratingHundredths": 400, "ratings": 9, "releasedOn": "2026-03-01", "title": "Y"}},
               {"item": "00000000-0000-4000-8000-000000000005", "reason": "absent", "merit": {"ratingHundredths": 400, "ratings": 9, "releasedOn": "2026-03-01", "title": "Z"}}],
             "kept": {"because": "tooFew", "found": 2, "minimum": 3}}
            """)
        try AdminGolden.expect(explanation.text(width: nil), is: "explanation.txt")
        try AdminGolden.expect(explanation.text(width: 40), is: "explanation-40.txt")
        #expect(explanation.text(width: 40).split(separator: "\n").allSatisfy { $0.columns <= 40 })
    }

    @Test("An item without a title is shown by its whole id if there is room, and by a shortened one otherwise")
    func cut() throws {
        let id = "ce2b4ae3-61ca-8820-bcf9-f90054b5e000"
        let explanation = try reported(#"{"section": "s", "slots": [], "losers": [{"item": "\#(id)", "reason": "absent"}]}"#)
        #expect(explanation.text(width: nil).contains("  -  \(id)  the rule would find it"))
        #expect(explanation.text(width: 60).contains("  -  ce2b4ae3-61ca-8820-bcf…  the rule would find it"))
    }

    @Test("The text explains why items of other storefronts were not searched")
    func unavailableFailure() throws {
        func notes(_ word: String) throws -> [String] {
            try reported(#"{"section": "s", "slots": [], "losers": [], "absentLack": "\#(word)"}"#).notes
        }
        let start = "What the rule would find if it were in this storefront is not listed: "
        #expect(try notes("tooSlow") == [start + "that takes too long."])
        #expect(try notes("notAsked") == [start + "there was no time left for it."])
    }

    @Test("The text accepts extreme numbers", arguments: [Int.max, .min, -1])
    func numbers(number: Int) throws {
        let sortValues = #"{"ratingHundredths": \#(number), "ratings": \#(number), "rank": \#(number), "releasedOn": "2026-03-01"}"#
        let slot =
            #"{"slot": \#(number), "item": "00000000-0000-4000-8000-000000000000", "reason": "rule", "place": \#(number), "merit": \#(sortValues)}"#
        let text = try reported(#"{"section": "s", "sort": "-rating", "slots": [\#(slot)], "losers": []}"#).text(width: 80)
        #expect(text.contains("by the rule"))
    }

    @Test(
        "The text names the sort value that decided",
        arguments: [
            (#"{"chart": "top-food"}"#, "1st by the rule: place 3 of the chart top-food"), (#""title""#, "1st by the rule: by its title"),
            (#""-releaseDate""#, "1st by the rule: released 2026-03-01"),
            (#"{"rotate": {"seed": "s", "every": "P1D"}}"#, "1st by the rule: its turn in the rotation s"),
        ])
    func sorts(sort: String, sentence: String) throws {
        let sortValues = #"{"rank": 3, "ratingHundredths": 1, "ratings": 1, "releasedOn": "2026-03-01", "title": "T"}"#
        let explanation = try reported(
            #"{"section": "s", "sort": \#(sort), "slots": [{"slot": 0, "item": "00000000-0000-4000-8000-000000000000", "reason": "rule", "place": 0, "merit": \#(sortValues)}], "losers": []}"#
        )
        #expect(explanation.slots.map(\.sentence) == [sentence])
    }
}
