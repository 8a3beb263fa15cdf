internal import Feeds
internal import Resolve
internal import Values

/// The texts that describe experiments and their plans to a user.
enum ExperimentText {
    /// Returns the arms in the order of their places, such as `control 0-49, pairs 50-99`.
    static func arms(of experiment: Experiment) -> String {
        sortedArms(of: experiment).map { name, places in
            places.isEmpty ? name.printable() : "\(name.printable()) \(places)"
        }.joined(separator: ", ")
    }

    static func text(of registered: RegisteredExperiment) -> String {
        let experiment = registered.experiment
        var lines = ["experiment  \(registered.key.printable())", "state       \(experiment.state.name)"]
        if let winner = experiment.state.winner { lines.append("winner      \(winner.printable())") }
        lines += ["default     \(experiment.defaultArm.printable())", "salt        \(experiment.salt.printable())", "arms"]
        let arms = sortedArms(of: experiment).map { (name: $0.name.printable(), places: $0.places.isEmpty ? "no places" : $0.places) }
        let width = arms.map(\.name.columns).max() ?? 0
        lines += arms.map { "  \($0.name)\(String(repeating: " ", count: width - $0.name.columns))  \($0.places)" }
        return lines.joined(separator: "\n") + "\n"
    }

    static func text(of plan: ExperimentPlan) -> String {
        var lines = plan.moves.map { move in
            let places = move.places.count == 1 ? "Place \(move.places.lowerBound) changes" : "Places \(numbers(move.places)) change"
            return "\(places) from \(move.from.printable()) to \(move.to.printable())."
        }
        lines.append("\(percent(plan.changedPercent)) of all clients change their arm.")
        if !plan.feeds.isEmpty { lines.append("Feeds that use the experiment: \(plan.feeds.joined(separator: ", ")).") }
        return lines.joined(separator: "\n") + "\n"
    }

    static func text(of plan: HoldoutPlan) -> String {
        var lines = ["\(percent(plan.changedPercent)) of all clients change their arm."]
        for (key, share) in plan.experiments.sorted(by: { $0.key < $1.key }) where share > 0 {
            lines.append("Experiment \(key.printable()): \(percent(share)).")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    static func text(of holdout: Holdout) -> String { "The holdout has \(words(of: holdout)).\n" }

    static func words(of holdout: Holdout) -> String { "\(holdout.share)% of all clients with the salt '\(holdout.salt.printable())'" }

    private static func sortedArms(of experiment: Experiment) -> [(name: String, places: String)] {
        experiment.arms.sorted { one, other in
            let (first, second) = (one.value.map(\.lowerBound).min() ?? Place.count, other.value.map(\.lowerBound).min() ?? Place.count)
            return (first, one.key) < (second, other.key)
        }.map { name, ranges in
            (name, ranges.sorted { $0.lowerBound < $1.lowerBound }.map(numbers).joined(separator: ","))
        }
    }

    private static func numbers(_ range: Range<Int>) -> String {
        range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound - 1)"
    }

    /// Returns a share with at most two decimals.
    private static func percent(_ share: Double) -> String {
        let hundredths = Int((share * 100).rounded())
        let (whole, rest) = (hundredths / 100, hundredths % 100)
        if rest == 0 { return "\(whole)%" }
        return rest % 10 == 0 ? "\(whole).\(rest / 10)%" : "\(whole).\(rest < 10 ? "0" : "")\(rest)%"
    }
}
