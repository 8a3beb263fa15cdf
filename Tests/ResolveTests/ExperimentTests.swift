import JSON
import Resolve
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
}
