package import Feeds
internal import JSON
package import Postgres
package import Resolve

/// The registry of experiments and its holdout.
package struct ExperimentStore {
    private let session: PostgresSession

    package init(_ session: PostgresSession) {
        self.session = session
    }

    /// Excludes other changes of the registry for the rest of the transaction.
    package func lock() async throws { try await session.run(PostgresQuery(ExperimentQueries.lock)) }

    /// Excludes other changes of the registry, and publications that name the experiment, for the rest of the transaction.
    /// It waits for those that have started, so that ``uses(of:)`` returns them.
    ///
    /// A publication holds its experiments during its review, which can take seconds. Changes of other experiments do not wait
    /// for it, so the row is locked before the registry. A row that did not exist then is locked after it.
    package func lock(_ key: String) async throws {
        try await session.run(PostgresQuery(ExperimentQueries.lockRow, key))
        try await lock()
        try await session.run(PostgresQuery(ExperimentQueries.lockRow, key))
    }

    /// Holds the experiments for a publication that names them: none is deleted or loses an arm before the end of the
    /// transaction.
    package func hold(_ keys: Set<String>) async throws {
        guard !keys.isEmpty else { return }
        try await session.run(PostgresQuery(ExperimentQueries.hold, keys.sorted()))
    }

    /// Returns all experiments, sorted by key.
    package func experiments() async throws -> [RegisteredExperiment] {
        try Self.experiments(in: await session.run([PostgresQuery(ExperimentQueries.list, [String]?.none)])[0])
    }

    /// Returns the experiment, or nil if it does not exist.
    package func experiment(_ key: String) async throws -> RegisteredExperiment? {
        try Self.experiments(in: await session.run([PostgresQuery(ExperimentQueries.list, [key])])[0]).first
    }

    package func save(_ registered: RegisteredExperiment) async throws {
        let experiment = registered.experiment
        let arms = try experiment.arms.mapValues { $0.map(PlaceRange.init) }.json()
        try await session.run(
            PostgresQuery(
                ExperimentQueries.save, registered.key, experiment.salt, JSONBytes(arms), experiment.defaultArm, experiment.state.name,
                experiment.state.winner))
    }

    package func delete(_ key: String) async throws { try await session.run(PostgresQuery(ExperimentQueries.delete, key)) }

    /// Returns the holdout, which has no client at first.
    package func holdout() async throws -> Holdout {
        try Self.holdout(in: await session.run([PostgresQuery(ExperimentQueries.holdout)])[0]) ?? Holdout(salt: "holdout", share: 0)
    }

    package func set(_ holdout: Holdout) async throws {
        try await session.run(PostgresQuery(ExperimentQueries.setHoldout, holdout.salt, Int32(holdout.share)))
    }

    /// Returns the arms that live or scheduled revisions name, with their feeds.
    package func uses(of key: String) async throws -> [ExperimentUse] {
        try await session.rows(of: PostgresQuery(ExperimentQueries.uses, key), as: String.self, String.self)
            .map { ExperimentUse(feed: $0, arm: $1) }
    }
}

extension ExperimentStore {
    /// The queries of the whole registry, which can be sent with others.
    static var registryQueries: [PostgresQuery] {
        [PostgresQuery(ExperimentQueries.list, [String]?.none), PostgresQuery(ExperimentQueries.holdout)]
    }

    /// Returns the registry from the results of its queries.
    static func registry(in results: [PostgresResult]) throws -> ExperimentRegistry {
        let experiments = try experiments(in: results[0]).map { ($0.key, $0.experiment) }
        return ExperimentRegistry(Dictionary(experiments) { first, _ in first }, holdout: try holdout(in: results[1]))
    }

    /// Returns the experiments of a result. One that only a newer program understands is omitted, so that no client has its
    /// arms.
    private static func experiments(in result: PostgresResult) throws -> [RegisteredExperiment] {
        try result.rows(as: String.self, String.self, String.self, String.self, String.self, String?.self)
            .compactMap { key, salt, arms, defaultArm, state, winner in
                let ranges = try [String: [PlaceRange]](parsing: Array(arms.utf8)).mapValues { $0.map(\.range) }
                let named = Experiment.State(name: state, winner: winner)
                return named.flatMap { Experiment(salt: salt, arms: ranges, defaultArm: defaultArm, state: $0) }
                    .map { RegisteredExperiment(key: key, $0) }
            }
    }

    private static func holdout(in result: PostgresResult) throws -> Holdout? {
        try result.rows(as: String.self, Int32.self).first.map { Holdout(salt: $0, share: Int($1)) }
    }
}

extension Experiment.State {
    fileprivate init?(name: String, winner: String?) {
        switch (name, winner) {
        case ("draft", nil): self = .draft
        case ("running", nil): self = .running
        case ("concluded", let winner?): self = .concluded(winner: winner)
        default: return nil
        }
    }
}

enum ExperimentQueries {
    static let list = NamedQuery("experiments.list")
    static let holdout = NamedQuery("experiments.holdout")
    static let lock = NamedQuery("experiments.lock")
    static let lockRow = NamedQuery("experiments.lock_row")
    static let hold = NamedQuery("experiments.hold")
    static let save = NamedQuery("experiments.save")
    static let delete = NamedQuery("experiments.delete")
    static let setHoldout = NamedQuery("experiments.set_holdout")
    static let uses = NamedQuery("experiments.uses")
}
