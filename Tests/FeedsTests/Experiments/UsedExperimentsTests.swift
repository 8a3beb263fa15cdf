import Feeds
import JSON
import Resolve
import Testing

@Suite("The experiments that a page uses")
struct UsedExperimentsTests {
    private static let text = #"""
        {"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [
            {"key": "hero", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"},
             "target": {"storefronts": ["us"], "experiment": {"weekend": ["a"]}}},
            {"key": "all", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"},
             "pins": [{"slot": 0, "card": {"key": "c", "title": {"en": "C"}},
                       "target": {"storefronts": ["de"], "experiment": {"summer": ["b"]}}}]}]}
        """#

    private static func experiment(_ salt: String) throws -> Experiment {
        try #require(Experiment(salt: salt, arms: ["a": [0..<50], "b": [50..<100]], defaultArm: "a", state: .running))
    }

    @Test("A page has the experiments of the sections and pins for its storefront, and the holdout only with one of them")
    func storefronts() throws {
        let document = try FeedDocument(parsing: Array(Self.text.utf8))
        let (weekend, summer) = (try Self.experiment("weekend"), try Self.experiment("summer"))
        let holdout = Holdout(salt: "h", share: 5)
        let registry = ExperimentRegistry(
            ["weekend": weekend, "summer": summer, "other": try Self.experiment("other")], holdout: holdout)
        #expect(registry.used(by: document, in: "us") == ExperimentRegistry(["weekend": weekend], holdout: holdout))
        #expect(registry.used(by: document, in: "de") == ExperimentRegistry(["summer": summer], holdout: holdout))
        #expect(registry.used(by: document, in: "sa") == ExperimentRegistry())
        // An experiment that does not exist is not a part of the page.
        #expect(ExperimentRegistry(["other": weekend], holdout: holdout).used(by: document, in: "us") == ExperimentRegistry())
    }
}
