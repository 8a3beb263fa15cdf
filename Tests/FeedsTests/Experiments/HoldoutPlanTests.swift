import Feeds
import JSON
import Resolve
import TestSupport
import Testing

@Suite("The plan of a change of the holdout")
struct HoldoutPlanTests {
    private func experiment(
        _ key: String, salt: String? = nil, _ arms: [String: [Range<Int>]], _ state: Experiment.State = .running
    ) throws -> RegisteredExperiment {
        RegisteredExperiment(
            key: key, try #require(Experiment(salt: salt ?? key, arms: arms, defaultArm: "a", state: state)))
    }

    private func plan(_ before: Holdout, _ after: Holdout, _ experiments: [RegisteredExperiment]) -> HoldoutPlan {
        HoldoutPlan(from: before, to: after, experiments)
    }

    private let halves: [String: [Range<Int>]] = ["a": [0..<50], "b": [50..<100]]

    @Test("Counts the clients that enter or leave the holdout and have another arm than the default")
    func share() throws {
        let experiments = [try experiment("e", halves)]
        let grown = plan(Holdout(salt: "h", share: 5), Holdout(salt: "h", share: 25), experiments)
        #expect(grown.changedPercent == 10 && grown.experiments == ["e": 10])
        let shrunk = plan(Holdout(salt: "h", share: 25), Holdout(salt: "h", share: 5), experiments)
        #expect(shrunk.changedPercent == 10)
        // Of the clients with another salt, 2 × 20% × 80% are in one of both holdouts.
        let moved = plan(Holdout(salt: "h", share: 20), Holdout(salt: "i", share: 20), experiments)
        #expect(moved.changedPercent == 16)
        #expect(plan(Holdout(salt: "h", share: 0), Holdout(salt: "i", share: 0), experiments).changedPercent == 0)
        #expect(plan(Holdout(salt: "h", share: 100), Holdout(salt: "i", share: 100), experiments).changedPercent == 0)
        #expect(plan(Holdout(salt: "h", share: 0), Holdout(salt: "h", share: 100), experiments).changedPercent == 50)
    }

    @Test("Counts a client of several experiments once, and only those that run")
    func several() throws {
        let experiments = [
            try experiment("e", halves), try experiment("f", halves), try experiment("g", salt: "e", halves),
            try experiment("draft", ["a": [0..<1], "b": [1..<100]], .draft),
            try experiment("ended", ["a": [0..<1], "b": [1..<100]], .concluded(winner: "b")),
        ]
        let plan = plan(Holdout(salt: "h", share: 0), Holdout(salt: "h", share: 20), experiments)
        #expect(plan.experiments == ["e": 10, "f": 10, "g": 10])
        // The places in `e` and `g` are the same, and those in `f` are independent of them.
        #expect(plan.changedPercent == 15)
        let none = HoldoutPlan(from: plan.before, to: plan.after, [])
        #expect(none.experiments.isEmpty && none.changedPercent == 0)
    }

    @Test("Counts the places of an experiment with the salt of a holdout exactly")
    func sharedSalt() throws {
        // The holdout has the places of the default.
        let own = [try experiment("e", salt: "h", halves)]
        #expect(plan(Holdout(salt: "h", share: 0), Holdout(salt: "h", share: 50), own).changedPercent == 0)
        #expect(plan(Holdout(salt: "h", share: 50), Holdout(salt: "h", share: 60), own).changedPercent == 10)
        #expect(plan(Holdout(salt: "i", share: 0), Holdout(salt: "h", share: 60), own).changedPercent == 10)
    }

    @Test("Estimates the share of random clients", arguments: [Seeds.fresh])
    func clients(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<10 {
            let salts = ["h", "i", "e", "f"]
            func holdout() -> Holdout {
                Holdout(salt: salts.randomElement(using: &random) ?? "h", share: .random(in: 0...100, using: &random))
            }
            let (before, after) = (holdout(), holdout())
            let experiments = try (0..<3).map { number in
                let bound = Int.random(in: 1..<100, using: &random)
                return try experiment(
                    "x\(number)", salt: salts.randomElement(using: &random), ["a": [0..<bound], "b": [bound..<100]])
            }
            let count = 8_000
            let changed = (0..<count).count { number in
                experiments.contains {
                    let client = Fact.said("client-\(number)")
                    return $0.experiment.arm(of: client, before) != $0.experiment.arm(of: client, after)
                }
            }
            let plan = plan(before, after, experiments)
            let measured = Double(changed) / Double(count) * 100
            // Nine standard deviations of 8,000 clients are at most 5%, so no seed fails by chance.
            #expect(abs(plan.changedPercent - measured) < 5, "seed \(seed): \(plan) instead of \(measured)")
        }
    }

    @Test(
        "A request for a holdout has a name as the salt and a share up to 100",
        arguments: [
            (#"{"salt": "not a name", "share": 5}"#, "/salt"), (#"{"salt": "h", "share": 101}"#, "/share"), (#"{"salt": "h"}"#, ""),
            (#"{"share": 5}"#, ""),
        ])
    func request(text: String, pointer: String) throws {
        #expect(try HoldoutRequest(parsing: Array(#"{"salt": "h-2026", "share": 5}"#.utf8)).holdout == Holdout(salt: "h-2026", share: 5))
        let error = #expect(throws: JSONError.self) { try HoldoutRequest(parsing: Array(text.utf8)) }
        #expect(error?.issues.map(\.pointer.description) == [pointer])
    }
}
