import Feeds
import Postgres
import Publishing
import Resolve
import TestSupport

/// A random change of one experiment or of the holdout, made as the admin API makes it.
struct ExperimentChange {
    static let keys = ["color", "hero", "order", "weekend"]
    static let arms = ["control", "pairs"]

    /// Returns the key of the section that only the clients of an arm see.
    static func section(of arm: String, in experiment: String) -> String { "\(experiment)-\(arm)" }

    /// Returns the ID of the section that only the clients of an arm see.
    static func section(of arm: String, in experiment: String, on feed: String) -> String {
        "\(feed)/\(section(of: arm, in: experiment))"
    }

    /// Returns the IDs of the sections that a feed can have for the clients of an arm.
    static func sections(on feed: String) -> Set<String> {
        Set(keys.flatMap { key in arms.map { section(of: $0, in: key, on: feed) } })
    }

    private let key: String
    /// The first place of the second arm.
    private let bound: Int
    private let winner: String
    /// A number that selects one of the changes that the state of the experiment allows, from 0 to 9.
    private let choice: Int

    init(using random: inout SeededRandom) {
        key = Self.keys[Int.random(in: 0..<Self.keys.count, using: &random)]
        winner = Self.arms[Int.random(in: 0..<Self.arms.count, using: &random)]
        bound = Int.random(in: 0...Place.count, using: &random)
        choice = Int.random(in: 0...9, using: &random)
    }

    /// Makes the change in a transaction, and returns its name.
    func run(in session: PostgresSession) async throws -> String {
        let store = ExperimentStore(session)
        if choice == 0 {
            try await store.lock()
            try await store.set(Holdout(salt: "holdout", share: bound / 5))
            return "changes of the holdout"
        }
        try await store.lock(key)
        let present = try await store.experiment(key)?.experiment
        let uses = try await store.uses(of: key)
        switch present?.state {
        case .draft? where choice > 8, .concluded?:
            guard uses.isEmpty else { return "experiments that stay in use" }
            try await store.delete(key)
            return "deleted experiments"
        case .draft? where choice > 3:
            try await save(.start, store, from: present, uses)
            return "started experiments"
        case .running? where choice > 6:
            try await save(.conclude(winner: winner), store, from: present, uses)
            return "concluded experiments"
        case .draft?, .running?, nil:
            let ranges = [0..<bound, bound..<Place.count].map { $0.isEmpty ? [] : [$0] }
            let arms = Dictionary(uniqueKeysWithValues: zip(Self.arms, ranges))
            let salt = present == nil ? "\(key).\(bound)" : nil
            try await save(.save(ExperimentRequest(salt: salt, arms: arms, defaultArm: Self.arms[0])), store, from: present, uses)
            return present == nil ? "new experiments" : "moved ranges"
        }
    }

    private func save(
        _ request: ExperimentPlanRequest, _ store: ExperimentStore, from present: Experiment?, _ uses: [ExperimentUse]
    ) async throws {
        guard let experiment = try request.applied(to: present, under: key, uses) else { return }
        try await store.save(RegisteredExperiment(key: key, experiment))
    }
}
