/// A rule that is more alternatives than a query is given.
package struct RuleTooLarge: Error, Sendable, Hashable, CustomStringConvertible {
    package let alternatives: Int

    package var description: String {
        "the rule comes to \(alternatives) alternatives where \(RuleNormalForm.mostAlternatives) are allowed; fewer words in lists within \"all\" help"
    }
}
