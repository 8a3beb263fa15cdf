/// A rule as alternatives of which an item meets one at least, in one storefront on one day.
///
/// Negation stands at what listings say and nowhere else. An alternative that no item can meet is not there, nor one that another includes.
package struct RuleNormalForm: Sendable, Hashable {
    package static let maxAlternatives = 64

    package let alternatives: [RuleAlternative]

    /// Throws only what `check` throws.
    package init(_ rule: Rule, in context: RuleContext) throws(RuleTooLarge) {
        try Self.check(rule)
        alternatives = RuleExpansion(context: context).alternatives(of: rule, isWanted: true).withoutIncluded
    }

    /// Whether the rule has a normal form in every storefront and on every day.
    ///
    /// So what contradicts itself counts as well: that may depend on the day.
    package static func check(_ rule: Rule) throws(RuleTooLarge) {
        let count = RuleExpansion.count(of: rule, isWanted: true)
        if count > maxAlternatives { throw RuleTooLarge(alternatives: count) }
    }

    package func matches(_ item: ItemFacts) -> Bool { alternatives.contains { $0.admits(item) } }
}

extension [RuleAlternative] {
    /// Of equal ones, the first stays.
    fileprivate var withoutIncluded: [RuleAlternative] {
        var kept: [RuleAlternative] = []
        for alternative in self where !kept.contains(where: alternative.implies) {
            kept.removeAll { $0.implies(alternative) }
            kept.append(alternative)
        }
        return kept
    }
}

/// A rule that is more alternatives than a query is given.
package struct RuleTooLarge: Error, Sendable, Hashable, CustomStringConvertible {
    package let alternatives: Int

    package var description: String {
        "the rule comes to \(alternatives) alternatives where \(RuleNormalForm.maxAlternatives) are allowed; fewer words in lists within \"all\" help"
    }
}
