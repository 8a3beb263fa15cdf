/// An experiment, which gives each client exactly one of its arms.
package struct Experiment: Sendable, Hashable {
    package enum State: Sendable, Hashable {
        /// The experiment has not started: each client has the default arm.
        case draft
        case running
        /// The experiment has ended: each client has the winner.
        case concluded(winner: String)
    }

    package let salt: String
    /// The places of each arm. Together they cover 0 to 99 exactly once.
    package let arms: [String: [Range<Int>]]
    package let defaultArm: String
    package let state: State

    /// Returns nil if a place has no arm or several, or if the default or the winner is not one of the arms.
    package init?(salt: String, arms: [String: [Range<Int>]], defaultArm: String, state: State) {
        var next = 0
        for range in arms.values.joined().sorted(by: { $0.lowerBound < $1.lowerBound }) {
            guard range.lowerBound == next, !range.isEmpty else { return nil }
            next = range.upperBound
        }
        guard next == Place.count, arms[defaultArm] != nil else { return nil }
        if case .concluded(let winner) = state, arms[winner] == nil { return nil }
        (self.salt, self.arms, self.defaultArm, self.state) = (salt, arms, defaultArm, state)
    }

    /// Returns the arm of a client. A client without an ID and one of the holdout have the default arm.
    package func arm(of client: Fact<String>, _ holdout: Holdout?) -> Fact<String> {
        if case .concluded(let winner) = state { return .said(winner) }
        if state == .draft { return .said(defaultArm) }
        switch client {
        case .unknown: return .unknown
        case .notSaid: return .said(defaultArm)
        case .said(let id): return .said(holdout?.includes(id) == true ? defaultArm : arm(at: Place.of(id, in: salt)))
        }
    }

    /// Returns the arm of a place while the experiment runs.
    package func arm(at place: Int) -> String {
        arms.first { $0.value.contains { $0.contains(place) } }?.key ?? defaultArm
    }
}

/// A share of all clients that takes part in no experiment.
package struct Holdout: Sendable, Hashable {
    package let salt: String
    /// The number of places in the holdout, from 0 to 100.
    package let share: Int

    package init(salt: String, share: Int) {
        self.salt = salt
        self.share = share
    }

    package func includes(_ client: String) -> Bool { Place.of(client, in: salt) < share }
}
