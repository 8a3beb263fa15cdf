package import Catalog
package import Postgres

/// Where and when a rule is asked.
package struct RuleContext: Sendable {
    package var storefront: Storefront
    /// In the storefront's time zone.
    package var today: CalendarDate
    /// What the sections above show; one that is missing shows nothing.
    package var itemsOfSections: [SectionKey: Set<UUID>]

    package init(storefront: Storefront, today: CalendarDate, itemsOfSections: [SectionKey: Set<UUID>] = [:]) {
        self.storefront = storefront
        self.today = today
        self.itemsOfSections = itemsOfSections
    }
}
