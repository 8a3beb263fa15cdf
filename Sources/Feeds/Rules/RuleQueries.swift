internal import Catalog
package import Postgres

/// The queries of rules, looked up once.
package struct RuleQueries: Sendable {
    let savepoint, release, rollBack, begin, end, facts: NamedQuery
    let facetCounts, titleLocales: NamedQuery
    let byRating, byRatingForRotation, byRelease, byChart, absent: NamedQuery
    let byTitle: [TitleOrder: NamedQuery]

    package init(_ library: QueryLibrary) throws(UnknownQuery) {
        savepoint = try library.query("rules.savepoint")
        release = try library.query("rules.release")
        rollBack = try library.query("rules.roll_back")
        begin = try library.query("rules.begin")
        end = try library.query("rules.end")
        facts = try library.query("rules.facts")
        facetCounts = try library.query("catalog.facet_counts")
        titleLocales = try library.query("catalog.title_locales")
        byRating = try library.query("rules.by_rating_within_5000")
        byRatingForRotation = try library.query("rules.by_rating_within_20000")
        byRelease = try library.query("rules.by_release")
        byChart = try library.query("rules.by_chart")
        absent = try library.query("rules.absent")
        byTitle = [
            .und: try library.query("rules.by_title_und"), .ar: try library.query("rules.by_title_ar"),
            .es: try library.query("rules.by_title_es"), .ja: try library.query("rules.by_title_ja"),
        ]
    }
}
