/// The clients that a section or a pin is for: those for which all conditions hold.
package struct Target: Sendable, Hashable {
    package enum Condition: Sendable, Hashable {
        case storefronts([String])
        /// The client's locale is one of these, or has one of them as a fallback.
        case locales([String])
        case platforms([String])
        case appVersion(VersionRange)
        case os(VersionRange)
        /// The client has one of these tags.
        case tags([String])
        /// The client has one of these arms of the experiment.
        case experiment(String, arms: [String])
        /// A condition that this program does not know. It never holds.
        case unreadable
    }

    /// The conditions, each at most once, in the order of their cases. Experiments are in byte order.
    package let conditions: [Condition]

    /// Creates a target from conditions in their order.
    package init(_ conditions: [Condition]) { self.conditions = conditions }

    package enum Reply: Sendable, Hashable {
        case yes
        case no
        /// The answer depends on facts that are unknown. The target has the conditions on them.
        case residual(Target)
    }

    /// Returns whether the target includes a client. `arms` has the arm of the client in each experiment of the page; a
    /// condition on any other experiment does not hold.
    package func ask(_ facts: ClientFacts, _ arms: [String: Fact<String>] = [:]) -> Reply {
        var residual: [Condition] = []
        for condition in conditions {
            switch condition.holds(facts, arms) {
            case true?: continue
            case false?: return .no
            case nil: residual.append(condition)
            }
        }
        return residual.isEmpty ? .yes : .residual(Target(residual))
    }

    /// Returns the first condition that surely does not hold for a client, or nil if each one holds or depends on unknown facts.
    package func firstFailure(for facts: ClientFacts, _ arms: [String: Fact<String>] = [:]) -> Condition? {
        for condition in conditions where condition.holds(facts, arms) == false { return condition }
        return nil
    }
}

extension Target.Condition {
    /// Returns whether the condition holds, or nil if its fact is unknown.
    fileprivate func holds(_ facts: ClientFacts, _ arms: [String: Fact<String>]) -> Bool? {
        switch self {
        case .storefronts(let list): facts.storefront.satisfies(list.contains)
        case .locales(let list): facts.locale.satisfies { $0.contains(where: list.contains) }
        case .platforms(let list): facts.platform.satisfies(list.contains)
        case .appVersion(let range): facts.appVersion.satisfies(range.contains)
        case .os(let range): facts.os.satisfies(range.contains)
        case .tags(let list): facts.tags.satisfies { list.contains(where: $0.contains) }
        case .experiment(let name, let list): (arms[name] ?? .notSaid).satisfies(list.contains)
        case .unreadable: false
        }
    }

    /// Whether the condition uses a value that not every client sends.
    fileprivate var asksClients: Bool {
        switch self {
        case .storefronts, .locales: false
        case .platforms, .appVersion, .os, .tags, .experiment, .unreadable: true
        }
    }
}

extension Target {
    /// The storefronts of the target. Empty if it includes all of them.
    package var storefronts: [String] {
        for case .storefronts(let list) in conditions { return list }
        return []
    }

    /// The locales of the target. Empty if it includes all of them.
    package var locales: [String] {
        for case .locales(let list) in conditions { return list }
        return []
    }

    /// The platforms of the target. Empty if it includes all of them, and clients that state none.
    package var platforms: [String] {
        for case .platforms(let list) in conditions { return list }
        return []
    }

    /// The arms of each experiment that the target names.
    package var experiments: [String: [String]] {
        var experiments: [String: [String]] = [:]
        for case .experiment(let key, let arms) in conditions { experiments[key] = arms }
        return experiments
    }

    /// Whether the target can include clients of the storefront.
    package func isFor(_ storefront: String) -> Bool { storefronts.isEmpty || storefronts.contains(storefront) }

    /// Whether a condition uses a value that not every client sends.
    package var asksClients: Bool { conditions.contains(where: \.asksClients) }
}
