import JSON
import Testing

@testable import Feeds

/// The summary of rules on one line.
@Suite struct RuleSummaryTests {
    @Test(
        "A rule is a phrase on one line, with parentheses only where they are needed",
        arguments: [
            (#"{"kind": "topApp"}"#, "kind topApp"),
            (#"{"category": ["travel", "outdoors", "weather"]}"#, "category travel or outdoors or weather"),
            (#"{"cuisine": "pizza"}"#, "cuisine pizza"), (#"{"price": "free"}"#, "free"), (#"{"price": "paid"}"#, "paid"),
            (#"{"diet": ["vegan", "halal"]}"#, "diet vegan or halal"), (#"{"tag": "made-here"}"#, "tag made-here"),
            (#"{"developer": ["Quay Labs", "Südwind"]}"#, "developer Quay Labs or Südwind"),
            (#"{"deliveryMinutes": {"atMost": 30}}"#, "delivered in at most 30 minutes"),
            (#"{"platform": ["ios", "ipados"]}"#, "on ios or ipados"), (#"{"runsOn": {"ios": "16.0"}}"#, "runs on ios 16"),
            (#"{"runsOn": [{"ios": "16.2"}, {"macos": "13"}]}"#, "runs on ios 16.2 or macos 13"),
            (#"{"ageRating": {"atMost": 12}}"#, "rated for age 12 or lower"),
            (#"{"price": {"band": [1, 2]}}"#, "price band 1 or 2"),
            (#"{"price": {"atMost": {"USD": 499, "EUR": 450}}}"#, "price at most 450 EUR or 499 USD in minor units"),
            (#"{"discounted": true}"#, "on sale"), (#"{"not": {"discounted": {"atLeast": 0.2}}}"#, "not (on sale at 20% off or more)"),
            (#"{"rating": {"atLeast": 4.7, "count": 5000}}"#, "rated 4.7 or better by 5,000 people"),
            (#"{"rating": {"atLeast": 4, "count": 1234567}}"#, "rated 4 or better by 1,234,567 people"),
            (#"{"rating": {"atLeast": 4.5}}"#, "rated 4.5 or better"),
            (#"{"rating": {"atLeast": 4.5, "count": 100}}"#, "rated 4.5 or better by 100 people"),
            (#"{"releasedWithin": {"days": 1}}"#, "released in the last day"),
            (#"{"releasedWithin": {"days": 30}}"#, "released in the last 30 days"),
            (#"{"released": {"from": "2026-01-01"}}"#, "released on 2026-01-01 or later"),
            (#"{"released": {"before": "2026-01-01"}}"#, "released before 2026-01-01"),
            (
                #"{"released": {"from": "2026-01-01", "before": "2026-02-01"}}"#, "released on 2026-01-01 or later and before 2026-02-01"
            ),
            (#"{"inSection": ["hero", "top"]}"#, "in section hero or top"), (#"{"not": {"inSection": "hero"}}"#, "not in section hero"),
            (#"{"all": [{"kind": "topApp"}, {"rating": {"atLeast": 4.7}}]}"#, "kind topApp, rated 4.7 or better"),
            (#"{"all": [{"any": [{"kind": "topApp"}]}, {"all": [{"price": "free"}]}]}"#, "kind topApp, free"),
            (#"{"any": [{"kind": "topApp"}, {"category": ["a", "b"]}]}"#, "kind topApp or (category a or b)"),
            (
                #"{"any": [{"category": "travel"}, {"all": [{"category": "weather"}, {"price": "free"}]}]}"#,
                "category travel or (category weather, free)"
            ),
            (#"{"all": [{"kind": "topApp"}, {"any": [{"price": "free"}, {"category": "a"}]}]}"#, "kind topApp, (free or category a)"),
            (#"{"not": {"all": [{"kind": "topApp"}, {"price": "free"}]}}"#, "not (kind topApp, free)"),
            (#"{"not": {"any": [{"any": [{"kind": "topApp"}, {"price": "free"}]}]}}"#, "not (kind topApp or free)"),
            (#"{"not": {"category": ["a", "b"]}}"#, "not (category a or b)"),
        ])
    func summary(rule: String, summary: String) throws {
        #expect(try Rule(parsing: Array(rule.utf8)).summary == summary)
    }

    @Test("A rule that this version cannot read is in the words of its JSON")
    func unknown() throws {
        #expect(Rule.summary(of: JSONValue(try JSONDocument(parsing: #"{"mood": ["calm", "wild"]}"#).root)) == "mood (calm, wild)")
    }
}
