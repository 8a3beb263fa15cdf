import Feeds
import JSON
import Testing

@testable import CLI

/// The description of rules in words.
@Suite struct RuleDescriptionTests {
    @Test(
        "A condition is a sentence, and so is its opposite",
        arguments: [
            (#"{"kind": "topApp"}"#, "it is a TopApp", "it is not a TopApp"),
            (
                #"{"category": ["travel", "outdoors", "weather"]}"#, "it is in the categories travel, outdoors or weather",
                "it is not in the categories travel, outdoors or weather"
            ),
            (#"{"cuisine": "pizza"}"#, "it has the cuisine pizza", "it does not have the cuisine pizza"),
            (#"{"price": "free"}"#, "it is free", "it is not free"),
            (#"{"price": {"band": [1, 2]}}"#, "it is in the price band 1 or 2", "it is not in the price band 1 or 2"),
            (
                #"{"price": {"atMost": {"USD": 499}}}"#, "it costs at most 499 USD in minor units",
                "it does not cost at most 499 USD in minor units"
            ),
            (
                #"{"rating": {"atLeast": 4.5, "count": 100}}"#, "it is rated 4.5 or better by at least 100 people",
                "it is not rated 4.5 or better by at least 100 people"
            ),
            (
                #"{"releasedWithin": {"days": 30}}"#, "it was released within the last 30 days",
                "it was not released within the last 30 days"
            ),
            (#"{"inSection": ["hero", "top"]}"#, "it is in a section above: hero or top", "it is not in a section above: hero or top"),
        ])
    func conditions(rule: String, sentence: String, opposite: String) throws {
        #expect(RuleDescription(try Rule(parsing: Array(rule.utf8))).lines == [sentence])
        #expect(RuleDescription(try Rule(parsing: Array(#"{"not": \#(rule)}"#.utf8))).lines == [opposite])
        #expect(RuleDescription(try Rule(parsing: Array(#"{"not": {"not": \#(rule)}}"#.utf8))).lines == [sentence])
    }

    @Test("The conditions of a group are indented below its heading")
    func groups() throws {
        let rule = #"{"all": [{"kind": "topApp"}, {"any": [{"price": "free"}, {"not": {"all": [{"price": "paid"}]}}]}]}"#
        #expect(
            RuleDescription(try Rule(parsing: Array(rule.utf8))).lines == [
                "all of these are true:", "  it is a TopApp", "  at least one of these is true:", "    it is free",
                "    at least one of these is false:",
                "      it is paid",
            ])
    }
}
