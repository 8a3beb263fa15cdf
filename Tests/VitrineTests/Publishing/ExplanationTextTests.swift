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

    @Test("The text explains when a section starts that is outside of its period, or that the period is over")
    func outsideDuring() throws {
        func text(_ next: String) throws -> String {
            try reported(
                #"{"section": "s", "slots": [], "omitted": [], "notShown": {"reason": "outsideDuring"\#(next)}}"#
            ).text(width: nil)
        }
        #expect(
            try text(#", "nextAt": "2027-02-08T15:00:00.000000Z""#)
                == "The section is not published at this time. It starts at 2027-02-08T15:00:00Z.\nNo items.\n")
        let over = "The section is not published at this time or later, because its period is over in this storefront."
        #expect(try text("") == "\(over)\nNo items.\n")
    }

    @Test(
        "The text explains why the client has an arm whose section is another one",
        arguments: [
            (#""arm": "small", "armReason": "place", "place": 48"#, "at place 48, it has the arm 'small' of the experiment 'cards'."),
            (#""arm": "small", "armReason": "noClientId""#, "without an ID, it has the arm 'small' of the experiment 'cards'."),
            (#""arm": "small", "armReason": "holdout""#, "in the holdout, it has the default arm 'small' of the experiment 'cards'."),
            (#""arm": "small", "armReason": "draft""#, "the experiment 'cards' has not started, so every client has the arm 'small'."),
            (
                #""arm": "large", "armReason": "concluded""#,
                "the experiment 'cards' is concluded, so every client has the winner, which is the arm 'large'."
            ),
            (#""arm": "small", "armReason": "weather""#, "it has the arm 'small' of the experiment 'cards'."),
            (#""place": 1"#, "the experiment 'cards' does not exist."),
        ])
    func arms(members: String, sentence: String) throws {
        let arm = #"{"reason": "arm", "experiment": "cards", \#(members)}"#
        let explanation = try reported(#"{"section": "s", "slots": [], "omitted": [], "notShown": \#(arm)}"#)
        #expect(explanation.notes == ["The client does not see this section: \(sentence)"])
    }

    @Test(
        "The text names the condition of the target that the client does not match",
        arguments: [
            (#"{"locales": ["ar"]}"#, "the locale ar"), (#"{"platforms": ["ios", "ipados"]}"#, "the platforms ios, ipados"),
            (#"{"appVersion": ">=3.0 <4.2.1"}"#, "the app versions >=3 <4.2.1"), (#"{"os": ">=17"}"#, "the OS versions >=17"),
            (#"{"tags": ["beta"]}"#, "clients with the tag 'beta'"), (#"{"tags": ["a", "b"]}"#, "clients with one of the tags 'a', 'b'"),
            (#"{"experiment": {"cards": ["small"]}}"#, "the arm 'small' of the experiment 'cards'"),
            (#"{"weather": ["rain"]}"#, "clients that match a condition that this program does not know"),
        ])
    func conditions(condition: String, clients: String) throws {
        let reason = #"{"reason": "target", "condition": \#(condition)}"#
        let explanation = try reported(#"{"section": "s", "slots": [], "omitted": [], "notShown": \#(reason)}"#)
        #expect(explanation.notes == ["The client does not see this section: its target includes only \(clients)."])
    }

    @Test("The text names the storefronts of a section that is not published in this one, and the JSON has them as a list")
    func notPublishedHere() throws {
        let reason = #"{"reason": "notPublishedHere", "storefronts": ["sa", "kw"]}"#
        let explanation = try reported(#"{"section": "s", "slots": [], "omitted": [], "notShown": \#(reason)}"#)
        #expect(
            explanation.text(width: nil)
                == "The section is not published in this storefront: its target includes only the storefronts sa, kw.\nNo items.\n")
        let json = try JSONDocument(parsing: explanation.json()).root["notShown"]
        #expect(json?["reason"]?.string == "notPublishedHere")
        #expect(json?["storefronts"]?.elements.map(\.string) == ["sa", "kw"])
    }

    @Test("The text explains which items do not run on the platform of the client, and how many are missing")
    func platforms() throws {
        let item = #""item": "00000000-0000-4000-8000-000000000000""#
        let explanation = try reported(
            #"""
            {"section": "s", "slots": [], "omitted": [{\#(item), "reason": "ineligible", "platforms": ["ios", "ipados"]}],
             "notShown": {"reason": "belowMinItems", "foundCount": 1, "minItems": 3, "platform": "android"}}
            """#)
        #expect(explanation.omitted.map(\.sentence) == ["does not run on the platform of the client, only on ios, ipados"])
        #expect(explanation.notes == ["The client does not see this section: it has 1 item on android, and at least 3 are needed."])
        let web = try reported(
            #"{"section": "s", "slots": [], "omitted": [], "notShown": {"reason": "belowMinItems", "foundCount": 0, "minItems": 1}}"#)
        #expect(web.notes == ["The client does not see this section: it has 0 items, and at least 1 is needed."])
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

    @Test("The text names the price period and the age rating that the rule used")
    func usedFacts() throws {
        let values = #"{"rating": {"average": 4, "count": 9}, "releaseDate": "2026-03-01"}"#
        let rule = #""item": "00000000-0000-4000-8000-000000000000", "reason": "rule", "rulePosition": 0, "sortValues": \#(values)"#
        let price = #"{"amountMinor": 299, "currency": "USD", "former": 499, "until": "2026-12-01T05:00:00Z"}"#
        let rating = #"{"scheme": "pegi", "label": "7", "minimumAge": 7}"#
        let mapped = rating.replacing("7}", with: #"7, "mapped": true}"#)
        let explanation = try reported(
            """
            {"section": "s", "sort": "-rating", "omitted": [], "slots": [{"slot": 0, \(rule), "ageRating": \(rating)},
                {"slot": 1, \(rule), "ageRating": \(mapped)}, {"slot": 2, \(rule), "pricePeriod": \(price), "ageRating": \(rating)}]}
            """)
        let sentences = explanation.slots.map { $0.sentence.replacing("1st match of the rule: 4.00 stars from 9 ratings", with: "") }
        #expect(sentences[0] == ", with the label 7 of pegi")
        #expect(sentences[1] == ", with the label 7 of pegi, by its age in other schemes")
        #expect(sentences[2].hasPrefix(", with the price 299 instead of 499 USD") && sentences[2].hasSuffix(", with the label 7 of pegi"))
    }
}
