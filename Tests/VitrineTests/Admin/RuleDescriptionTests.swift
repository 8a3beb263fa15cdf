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
            (#"{"diet": ["vegan", "halal"]}"#, "it is for the diets vegan or halal", "it is not for the diets vegan or halal"),
            (#"{"platform": ["ios", "ipados"]}"#, "it runs on ios or ipados", "it does not run on ios or ipados"),
            (
                #"{"runsOn": {"ios": "16.2"}}"#, "it is made for and runs on ios 16.2", "it is not made for or does not run on ios 16.2"
            ),
            (#"{"ageRating": {"atMost": 12}}"#, "it is rated for age 12 or lower", "it is not rated for age 12 or lower"),
            (#"{"tag": "made-here"}"#, "it has the tag made-here", "it does not have the tag made-here"),
            (#"{"developer": "Quay Labs"}"#, "it is by the developer Quay Labs", "it is not by the developer Quay Labs"),
            (
                #"{"deliveryMinutes": {"atMost": 30}}"#, "it is delivered in at most 30 minutes",
                "it is not delivered in at most 30 minutes"
            ),
            (#"{"price": "free"}"#, "it is free", "it is not free"),
            (#"{"price": {"band": [1, 2]}}"#, "it is in the price band 1 or 2", "it is not in the price band 1 or 2"),
            (
                #"{"price": {"atMost": {"USD": 499}}}"#, "it costs at most 499 USD in minor units",
                "it does not cost at most 499 USD in minor units"
            ),
            (#"{"discounted": true}"#, "it is on sale", "it is not on sale"),
            (
                #"{"discounted": {"atLeast": 0.2}}"#, "it is on sale at a discount of at least 20%",
                "it is not on sale at a discount of at least 20%"
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
