package import JSON
package import Resolve

/// The effect of a change of the holdout on the arms of clients.
package struct HoldoutPlan: Sendable, Equatable {
    package let before: Holdout
    package let after: Holdout
    /// The share of all clients that change their arm of a running experiment, in percent, by the key of the experiment.
    package let experiments: [String: Double]
    /// The share of all clients that change their arm of at least one experiment, in percent.
    package let changedPercent: Double

    package init(from before: Holdout, to after: Holdout, _ registered: [RegisteredExperiment]) {
        self.before = before
        self.after = after
        let running = registered.filter { $0.experiment.state == .running }
        let share = ChangedShare(from: before, to: after)
        var experiments: [String: Double] = [:]
        for experiment in running {
            experiments[experiment.key] = Self.percent(share.changing([experiment.experiment]))
        }
        self.experiments = experiments
        changedPercent = Self.percent(share.changing(running.map(\.experiment)))
    }

    /// Returns a share in percent with at most six decimals, so that equal shares are equal numbers.
    private static func percent(_ share: Double) -> Double { (share * 100_000_000).rounded() / 1_000_000 }
}

/// The clients that a change moves into the holdout or out of it.
///
/// The places of a client for two salts are independent, and those for the same salt are equal.
private struct ChangedShare {
    private let before: Holdout
    private let after: Holdout

    init(from before: Holdout, to after: Holdout) {
        self.before = before
        self.after = after
    }

    /// Returns the share of all clients that the change moves and that have another arm than the default outside of the
    /// holdout, in at least one of the experiments.
    func changing(_ experiments: [Experiment]) -> Double {
        /// Whether the clients of each place have the default of all experiments with a salt.
        var isDefault: [String: [Bool]] = [:]
        for experiment in experiments {
            var places = isDefault[experiment.salt] ?? Array(repeating: true, count: Place.count)
            for place in 0..<Place.count where experiment.arm(at: place) != experiment.defaultArm { places[place] = false }
            isDefault[experiment.salt] = places
        }
        let own = (isDefault.removeValue(forKey: before.salt), before.salt == after.salt ? nil : isDefault.removeValue(forKey: after.salt))
        let others = isDefault.values.reduce(1.0) { $0 * Double($1.count { $0 }) / Double(Place.count) }
        var changed = 0.0
        for first in 0..<Place.count {
            for second in before.salt == after.salt ? first..<(first + 1) : 0..<Place.count
            where (first < before.share) != (second < after.share) {
                let keeps = (own.0?[first] ?? true) && (own.1?[second] ?? true)
                changed += keeps ? 1 - others : 1
            }
        }
        return changed / Double(before.salt == after.salt ? Place.count : Place.count * Place.count)
    }
}

extension HoldoutPlan: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("before", before)
        json.member("after", after)
        json.member("experiments", experiments)
        json.member("changedPercent", changedPercent)
    }
}
