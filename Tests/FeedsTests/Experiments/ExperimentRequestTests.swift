import Feeds
import JSON
import Resolve
import Testing

@Suite("A request that saves an experiment")
struct ExperimentRequestTests {
    private let halves: [String: [Range<Int>]] = ["control": [0..<50], "pairs": [50..<100]]

    private func experiment(_ state: Experiment.State) throws -> Experiment {
        try #require(Experiment(salt: "weekend", arms: halves, defaultArm: "control", state: state))
    }

    private func request(_ text: String) throws -> ExperimentRequest { try ExperimentRequest(parsing: Array(text.utf8)) }

    @Test("Uses the key as the salt of a new experiment, and the present salt of an existing one")
    func salt() throws {
        let request = try request(#"{"arms": {"control": [[0, 50]], "pairs": [[50, 100]]}, "default": "control"}"#)
        #expect(try request.applied(to: nil, under: "weekend") == experiment(.draft))
        #expect(try request.applied(to: experiment(.running), under: "other") == experiment(.running))
    }

    @Test("Accepts the experiment as it was read, and refuses another key, state or winner in it")
    func readBack() throws {
        for state: Experiment.State in [.draft, .running, .concluded(winner: "pairs")] {
            let experiment = try experiment(state)
            let text = try RegisteredExperiment(key: "weekend", experiment).json()
            let request = try ExperimentRequest(parsing: text)
            #expect(try request.applied(to: experiment, under: "weekend") == experiment)
            #expect(throws: ExperimentChangeError.mismatch("experiment")) { try request.applied(to: experiment, under: "other") }
            guard state != .running else { continue }
            #expect(throws: ExperimentChangeError.mismatch("state")) {
                try request.applied(to: self.experiment(.running), under: "weekend")
            }
        }
    }

    @Test(
        "Names the places that have no arm or several",
        arguments: [
            (#"{"a": [[0, 50]], "b": [[60, 100]]}"#, "the places 50 to 59 have no arm"),
            (#"{"a": [[0, 99]]}"#, "the place 99 has no arm"),
            (#"{"a": [[0, 50]], "b": [[48, 100]]}"#, "the places 48 to 49 have several arms: a, b"),
            (#"{"a": [[0, 100], [7, 8]]}"#, "the place 7 has several arms: a, a"),
        ])
    func coverage(arms: String, message: String) {
        let error = #expect(throws: JSONError.self) { try request(#"{"arms": \#(arms), "default": "a"}"#) }
        #expect(error?.issues.first?.message == message)
        #expect(error?.issues.first?.pointer.description == "/arms")
    }

    @Test(
        "Refuses what no experiment has",
        arguments: [
            (#"{"arms": {"a": [[0, 100]]}}"#, ""), (#"{"default": "a"}"#, ""),
            (#"{"arms": {"a": [[0, 100]]}, "default": "b"}"#, "/default"),
            (#"{"arms": {"a": [[0, 101]]}, "default": "a"}"#, "/arms/a/0"),
            (#"{"arms": {"a b": [[0, 100]]}, "default": "a"}"#, "/arms/a b"),
            (#"{"arms": {"a": [[0, 100]]}, "default": "a", "salt": ""}"#, "/salt"),
            (#"{"arms": {"a": [[0, 100]]}, "default": "a", "sald": "x"}"#, "/sald"),
        ])
    func invalid(text: String, pointer: String) {
        let error = #expect(throws: JSONError.self) { try request(text) }
        #expect(error?.issues.map(\.pointer.description).contains(pointer) == true, "\(String(describing: error))")
    }

    @Test("Moves only the ranges of a running experiment")
    func running() throws {
        let running = try experiment(.running)
        let moved = ExperimentRequest(salt: nil, arms: ["control": [0..<90], "pairs": [90..<100]], defaultArm: "control")
        #expect(try moved.applied(to: running, under: "weekend").arms == moved.arms)
        func problem(_ request: ExperimentRequest) -> ExperimentChangeError? {
            #expect(throws: ExperimentChangeError.self) { try request.applied(to: running, under: "weekend") }
        }
        #expect(problem(ExperimentRequest(salt: "other", arms: halves, defaultArm: "control")) == .fixed("salt"))
        #expect(problem(ExperimentRequest(salt: nil, arms: halves, defaultArm: "pairs")) == .fixed("default"))
        #expect(problem(ExperimentRequest(salt: nil, arms: ["control": [0..<100]], defaultArm: "control")) == .fixed("arms"))
    }

    @Test("Takes no arm from a draft that a feed names, and each one that none names")
    func inUse() throws {
        let uses = [
            ExperimentUse(feed: "today", arm: "pairs"), ExperimentUse(feed: "games", arm: "pairs"), ExperimentUse(feed: "a", arm: "x"),
        ]
        let halves = ["pairs": [0..<50], "rows": [50..<100]]
        let other = ExperimentRequest(salt: "s", arms: halves, defaultArm: "rows")
        #expect(try other.applied(to: experiment(.draft), under: "weekend", uses).arms == halves)
        let all = ExperimentRequest(salt: nil, arms: ["control": [0..<100]], defaultArm: "control")
        #expect(throws: ExperimentChangeError.inUse(arms: ["pairs"], feeds: ["games", "today"])) {
            try all.applied(to: experiment(.draft), under: "weekend", uses)
        }
        #expect(try all.applied(to: experiment(.draft), under: "weekend").arms.count == 1)
        // An arm that the experiment never had is not lost.
        #expect(try all.applied(to: nil, under: "weekend", uses).arms.count == 1)
    }

    @Test(
        "A new key has no colon, and a former one may", arguments: [("weekend", true), ("a.b_C-9", true), ("a:start", false), (":", false)])
    func keys(key: String, isNew: Bool) {
        #expect(RegisteredExperiment.isKey(key) && RegisteredExperiment.isNewKey(key) == isNew)
    }

    @Test("Goes from draft to running to concluded, and never back")
    func states() throws {
        #expect(try experiment(.draft).started() == experiment(.running))
        #expect(try experiment(.running).started() == experiment(.running))
        #expect(throws: ExperimentChangeError.notRunning) { try experiment(.draft).concluded(winner: "pairs") }
        let concluded = try experiment(.running).concluded(winner: "pairs")
        #expect(concluded.state == .concluded(winner: "pairs"))
        #expect(try concluded.concluded(winner: "pairs") == concluded)
        #expect(throws: ExperimentChangeError.concluded) { try concluded.concluded(winner: "control") }
        #expect(throws: ExperimentChangeError.concluded) { try concluded.started() }
        #expect(throws: ExperimentChangeError.unknownArm("z")) { try experiment(.running).concluded(winner: "z") }
        let other = ExperimentRequest(salt: nil, arms: ["control": [0..<90], "pairs": [90..<100]], defaultArm: "control")
        #expect(throws: ExperimentChangeError.concluded) { try other.applied(to: concluded, under: "weekend") }
    }
}

@Suite("The plan of a change of an experiment")
struct ExperimentPlanTests {
    private func plan(
        _ before: [String: [Range<Int>]], _ state: Experiment.State = .running, to after: [String: [Range<Int>]],
        _ next: Experiment.State = .running,
        holdout: Int = 0, salt: String = "h"
    ) throws -> ExperimentPlan {
        let old = try #require(Experiment(salt: "s", arms: before, defaultArm: "a", state: state))
        let new = try #require(Experiment(salt: "s", arms: after, defaultArm: "a", state: next))
        return ExperimentPlan(
            from: RegisteredExperiment(key: "e", old), to: RegisteredExperiment(key: "e", new),
            holdout: Holdout(salt: salt, share: holdout), feeds: ["today"])
    }

    private let halves: [String: [Range<Int>]] = ["a": [0..<50], "b": [50..<100]]

    @Test("Lists adjacent places together, and counts no client of the holdout that keeps its arm")
    func ranges() throws {
        let plan = try plan(halves, to: ["a": [0..<40, 95..<100], "b": [40..<95]], holdout: 10)
        #expect(plan.moves.map { "\($0.places.lowerBound)-\($0.places.upperBound) \($0.from) \($0.to)" } == ["40-50 a b", "95-100 b a"])
        #expect(plan.changedPercent == 13.5)
        #expect(try ExperimentPlan(parsing: plan.json()) == plan)
    }

    @Test("The start changes every arm but the default, and the end every arm but the winner")
    func states() throws {
        let start = try plan(halves, .draft, to: halves, .running, holdout: 20)
        #expect(start.moves.map(\.places) == [50..<100] && start.changedPercent == 40)
        let end = try plan(halves, .running, to: halves, .concluded(winner: "b"), holdout: 20)
        #expect(end.moves.map(\.places) == [0..<50] && end.changedPercent == 60)
        #expect(try plan(halves, .running, to: halves, .concluded(winner: "a"), holdout: 20).changedPercent == 40)
    }

    @Test("A holdout with the salt of the experiment has its first places, which change only to a winner")
    func sharedSalt() throws {
        let start = try plan(halves, .draft, to: halves, .running, holdout: 20, salt: "s")
        #expect(start.moves.map(\.places) == [50..<100] && start.changedPercent == 50)
        let other: [String: [Range<Int>]] = ["a": [50..<100], "b": [0..<50]]
        let first = try plan(other, .draft, to: other, .running, holdout: 20, salt: "s")
        #expect(first.moves.map(\.places) == [20..<50] && first.changedPercent == 30)
        let end = try plan(other, .running, to: other, .concluded(winner: "b"), holdout: 20, salt: "s")
        #expect(end.moves.map(\.places) == [0..<20, 50..<100] && end.changedPercent == 70)
        #expect(try plan(other, .running, to: other, .concluded(winner: "a"), holdout: 20, salt: "s").changedPercent == 30)
        #expect(try plan(halves, .draft, to: halves, .running, holdout: 60, salt: "s").moves.map(\.places) == [60..<100])
    }

    @Test("The share of a plan is that of the clients whose arm changes", arguments: ["s", "h"])
    func counted(salt: String) throws {
        let arms: [String: [Range<Int>]] = ["a": [0..<7, 40..<90], "b": [7..<40, 90..<100]]
        let plan = try plan(arms, .draft, to: arms, .running, holdout: 30, salt: salt)
        let (old, new) = (try #require(plan.before?.experiment), plan.after.experiment)
        let holdout = Holdout(salt: salt, share: 30)
        let count = 20_000
        let clients = (0..<count).map { Fact<String>.said("client-\($0)") }
        let changed = clients.count { old.arm(of: $0, holdout) != new.arm(of: $0, holdout) }
        #expect(abs(Double(changed) * 100 / Double(count) - plan.changedPercent) < 2, "\(changed) of \(count)")
    }

    @Test("A change of a draft and a new experiment change no arm of a client")
    func drafts() throws {
        let plan = try plan(halves, .draft, to: ["a": [0..<1], "b": [1..<100]], .draft)
        #expect(plan.moves.isEmpty && plan.changedPercent == 0)
        let new = ExperimentPlan(from: nil, to: plan.after, holdout: nil, feeds: [])
        #expect(new.moves.isEmpty && new.changedPercent == 0)
    }
}
