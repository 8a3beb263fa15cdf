/// A rule as alternatives, of which a matching item meets at least one, in one storefront on one day.
///
/// Only facets and other single conditions are negated. Alternatives that no item can meet, or that another one
/// includes, are removed.
package struct RuleNormalForm: Sendable, Hashable {
    package static let maxAlternatives = 64

    package let alternatives: [RuleAlternative]

    /// Creates the normal form. Throws only the errors that `check` throws.
    package init(_ rule: Rule, in context: RuleContext) throws(RuleTooLarge) {
        try Self.check(rule)
        alternatives = RuleExpansion(context: context).alternatives(of: rule, matches: true).withoutIncluded
    }

    private init(alternatives: [RuleAlternative]) { self.alternatives = alternatives }

    /// Returns the normal form for the items that clients on a platform can run.
    package func onPlatform(_ platform: String) -> RuleNormalForm {
        var other = RuleAlternative()
        other.facets = [Rule.facet(ofClientsOn: platform)]
        return RuleNormalForm(alternatives: alternatives.compactMap(other.and))
    }

    /// Checks whether the rule has a normal form in every storefront and on every day.
    ///
    /// Contradictory alternatives count too, because a contradiction can depend on the day.
    package static func check(_ rule: Rule) throws(RuleTooLarge) {
        let count = RuleExpansion.count(of: rule, matches: true)
        if count > maxAlternatives { throw RuleTooLarge(alternatives: count) }
    }

    package func matches(_ item: ItemFacts) -> Bool { alternatives.contains { $0.admits(item) } }
}

extension [RuleAlternative] {
    /// The alternatives without those that another one includes. The first of equal ones stays.
    fileprivate var withoutIncluded: [RuleAlternative] {
        var retained: [RuleAlternative] = []
        for alternative in self where !retained.contains(where: alternative.implies) {
            retained.removeAll { $0.implies(alternative) }
            retained.append(alternative)
        }
        return retained
    }
}

/// The error of a rule that has too many alternatives for a query.
package struct RuleTooLarge: Error, Sendable, Hashable, CustomStringConvertible {
    package let alternatives: Int

    package var description: String {
        "the rule expands to \(alternatives) alternatives, but at most \(RuleNormalForm.maxAlternatives) are allowed: shorten the lists within \"all\""
    }
}
