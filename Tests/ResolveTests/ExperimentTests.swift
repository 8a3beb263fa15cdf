import JSON
import Resolve
import TestSupport
import Testing

@Suite("An experiment")
struct ExperimentTests {
    private func experiment(_ state: Experiment.State) throws -> Experiment {
        try #require(Experiment(salt: "weekend", arms: ["a": [0..<40, 90..<100], "b": [40..<90]], defaultArm: "b", state: state))
    }

    @Test("A running experiment gives a client the arm of its place, and waits for its ID")
    func running() throws {
        let experiment = try experiment(.running)
        for number in 0..<1_000 {
            let arm = 40..<90 ~= Place.of("\(number)", in: "weekend") ? "b" : "a"
            #expect(experiment.arm(of: .said("\(number)"), nil) == .said(arm))
        }
        #expect(experiment.arm(of: .unknown, nil) == .unknown)
        #expect(experiment.arm(of: .notSaid, nil) == .said("b"))
    }

    @Test("A client of the holdout has the default arm while the experiment runs, and the winner afterwards")
    func holdout() throws {
        let all = Holdout(salt: "h", share: 100)
        let half = Holdout(salt: "h", share: Place.of("c", in: "h"))
        for number in 0..<100 { #expect(try experiment(.running).arm(of: .said("\(number)"), all) == .said("b")) }
        #expect(!half.includes("c"))
        #expect(Holdout(salt: "h", share: half.share + 1).includes("c"))
        #expect(try experiment(.concluded(winner: "a")).arm(of: .said("c"), all) == .said("a"))
    }

    @Test(
        "A draft has the default arm and a concluded experiment the winner, for every client",
        arguments: [Fact.unknown, .notSaid, .said("c")])
    func ended(client: Fact<String>) throws {
        #expect(try experiment(.draft).arm(of: client, nil) == .said("b"))
        #expect(try experiment(.concluded(winner: "a")).arm(of: client, nil) == .said("a"))
    }

    @Test("Arms with gaps or overlaps, or without the default or the winner, are rejected")
    func invalid() {
        func isValid(_ arms: [String: [Range<Int>]], standard: String = "a", state: Experiment.State = .running) -> Bool {
            Experiment(salt: "s", arms: arms, defaultArm: standard, state: state) != nil
        }
        #expect(isValid(["a": [0..<100]]) && isValid(["a": [50..<100], "b": [0..<50]]))
        #expect(!isValid(["a": [0..<99]]) && !isValid(["a": [1..<100]]) && !isValid(["a": [0..<50], "b": [51..<100]]))
        #expect(!isValid(["a": [0..<50], "b": [49..<100]]) && !isValid(["a": [0..<101]]) && !isValid([:]))
        #expect(!isValid(["b": [0..<100]]) && !isValid(["a": [0..<100]], state: .concluded(winner: "b")))
    }

    @Test("A page omits an experiment that it cannot read")
    func reading() throws {
        let text = """
            {"sections": [], "experiments": {
                "a": {"salt": "s", "arms": {"x": [[0, 100]]}, "default": "x", "state": "concluded", "winner": "x"},
                "b": {"salt": "s", "arms": {"x": [[0, 100]]}, "default": "x", "state": "concluded"},
                "c": {"salt": "s", "arms": {"x": [[0, 60]], "y": [[50, 100]]}, "default": "x", "state": "running"},
                "d": {"salt": "s", "arms": {"x": [[0, 100]]}, "default": "x", "state": "paused"}, "e": {"arm": "x"}}}
            """
        let page = try JSONDocument(parsing: Array(text.utf8)).decodeLeniently(Edition.self).value
        let only = try #require(Experiment(salt: "s", arms: ["x": [0..<100]], defaultArm: "x", state: .concluded(winner: "x")))
        #expect(page.experiments == ["a": .experiment(only), "e": .arm("x")])
    }

    @Test("A page omits each broken experiment of the table")
    func broken() throws {
        for broken in BrokenExperiment.all where broken.part != .names {
            let page = #"{"sections": [], "experiments": {"e": \#(broken.entry), "f": {"arm": "x"}}}"#
            let read = try JSONDocument(parsing: Array(page.utf8)).decodeLeniently(Edition.self).value
            #expect(read.experiments == ["f": .arm("x")], "\(broken.name)")
        }
        #expect(BrokenExperiment.all.count > 300)
    }

    @Test("Each of a million clients has exactly one arm of each experiment, and each arm has its share of the clients outside the holdout")
    func shares() throws {
        let holdout = Holdout(salt: "h-2026", share: 5)
        let experiments = try Self.running()
        // The only arm of each place.
        let expected = try experiments.map { experiment in
            try (0..<Place.count).map { place in
                let arms = experiment.arms.filter { $0.value.contains { $0.contains(place) } }.map(\.key)
                #expect(arms.count == 1, "\(experiment.salt), place \(place): \(arms)")
                return try #require(arms.first)
            }
        }
        var heldOut = 0
        var counts = Array(repeating: [String: Int](), count: experiments.count)
        for client in Self.clients {
            let isHeldOut = holdout.includes(client)
            if isHeldOut { heldOut += 1 }
            for (index, experiment) in experiments.enumerated() {
                let arm = isHeldOut ? experiment.defaultArm : expected[index][Place.of(client, in: experiment.salt)]
                guard experiment.arm(of: .said(client), holdout) == .said(arm) else {
                    Issue.record("\(client) does not have \(arm) of \(experiment.salt)")
                    return
                }
                if !isHeldOut { counts[index][arm, default: 0] += 1 }
            }
        }
        #expect(deviations(of: heldOut, among: Self.clients.count, share: 0.05) < 4)
        for (experiment, counts) in zip(experiments, counts) {
            let others = Self.clients.count - heldOut
            #expect(counts.values.reduce(0, +) == others)
            for (arm, ranges) in experiment.arms {
                let share = Double(ranges.map(\.count).reduce(0, +)) / Double(Place.count)
                #expect(deviations(of: counts[arm] ?? 0, among: others, share: share) < 4, "\(experiment.salt), \(arm)")
            }
        }
    }

    @Test("The end of an experiment gives the winner to each of a million clients, also in the holdout")
    func winner() throws {
        let holdout = Holdout(salt: "h-2026", share: 5)
        for experiment in try Self.running() {
            for winner in experiment.arms.keys {
                let ended = try #require(
                    Experiment(
                        salt: experiment.salt, arms: experiment.arms, defaultArm: experiment.defaultArm, state: .concluded(winner: winner)))
                #expect(Self.clients.allSatisfy { ended.arm(of: .said($0), holdout) == .said(winner) }, "\(experiment.salt), \(winner)")
            }
        }
    }

    @Test("The places of a million clients in two experiments and in the holdout are independent in pairs")
    func independence() {
        let salts = ["weekend", "dark-mode", "h-2026"]
        let places = salts.map { salt in Self.clients.map { Place.of($0, in: salt) } }
        for (one, other) in [(0, 1), (0, 2), (1, 2)] {
            var counts = Array(repeating: Array(repeating: 0.0, count: Place.count), count: Place.count)
            for (row, column) in zip(places[one], places[other]) { counts[row][column] += 1 }
            let rows = counts.map { $0.reduce(0, +) }
            let columns = (0..<Place.count).map { column in counts.reduce(0) { $0 + $1[column] } }
            var statistic = 0.0
            for row in 0..<Place.count {
                for column in 0..<Place.count {
                    let expected = rows[row] * columns[column] / Double(Self.clients.count)
                    statistic += (counts[row][column] - expected) * (counts[row][column] - expected) / expected
                }
            }
            // A chi-squared value has the mean of its degrees of freedom, and twice as much as variance.
            let freedom = Double((Place.count - 1) * (Place.count - 1))
            #expect(abs(statistic - freedom) < 4 * (2 * freedom).squareRoot(), "\(salts[one]) and \(salts[other]): \(statistic)")
        }
    }

    /// IDs of the usual kinds: numbers that differ only in their last digits, and random ones.
    private static let clients = {
        var random = SeededRandom(seed: 26)
        return (0..<1_000_000).map { $0.isMultiple(of: 2) ? "client-\($0)" : String(random.next(), radix: 16) }
    }()

    private static func running() throws -> [Experiment] {
        let experiments: [(salt: String, arms: [String: [Range<Int>]], standard: String)] = [
            ("weekend", ["control": [0..<30, 60..<100], "pairs": [30..<60]], "control"),
            ("dark-mode", ["off": [1..<97], "on": [0..<1], "auto": [97..<100]], "auto"),
            (
                "checkout",
                ["a": (0..<50).map { 2 * $0..<(2 * $0 + 1) }, "b": (0..<50).map { (2 * $0 + 1)..<(2 * $0 + 2) }, "unused": []], "unused"
            ),
        ]
        return try experiments.map { try #require(Experiment(salt: $0.salt, arms: $0.arms, defaultArm: $0.standard, state: .running)) }
    }

    /// Returns how many standard deviations a count differs from its share.
    private func deviations(of count: Int, among all: Int, share: Double) -> Double {
        if share == 0 || share == 1 { return Double(count) == Double(all) * share ? 0 : .infinity }
        return abs(Double(count) - Double(all) * share) / (Double(all) * share * (1 - share)).squareRoot()
    }
}
