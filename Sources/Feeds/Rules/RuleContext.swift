package import Items
package import Values

/// Where and when a rule is asked.
package struct RuleContext: Sendable {
    package var storefront: Storefront
    /// In the storefront's time zone.
    package var today: CalendarDay
    /// What the sections above show; one that is missing shows nothing.
    package var itemsOfSections: [SectionKey: Set<UUID>]

    package init(storefront: Storefront, today: CalendarDay, itemsOfSections: [SectionKey: Set<UUID>] = [:]) {
        self.storefront = storefront
        self.today = today
        self.itemsOfSections = itemsOfSections
    }
}

extension RuleContext {
    /// Nil for a rule that is too large to be asked, which no section is published with.
    package func normalForm(of rule: Rule) -> RuleNormalForm? {
        do throws(RuleTooLarge) { return try RuleNormalForm(rule, in: self) } catch { return nil }
    }
}
