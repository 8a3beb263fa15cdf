extension RuleContext {
    /// Nil for a rule that is too large to be asked, which no section is published with.
    package func normalForm(of rule: Rule) -> RuleNormalForm? {
        do throws(RuleTooLarge) { return try RuleNormalForm(rule, in: self) } catch { return nil }
    }
}
