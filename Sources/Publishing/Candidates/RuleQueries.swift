internal import Catalog
internal import Postgres

/// The queries of rules.
package enum RuleQueries {
    static let savepoint = NamedQuery("rules.savepoint")
    static let release = NamedQuery("rules.release")
    static let rollBack = NamedQuery("rules.roll_back")
    static let begin = NamedQuery("rules.begin")
    static let end = NamedQuery("rules.end")
    static let facts = NamedQuery("rules.facts")
    static let facetCounts = NamedQuery("catalog.facet_counts")
    static let titleLocales = NamedQuery("catalog.title_locales")
    static let byRating = NamedQuery("rules.by_rating_within_5000")
    static let byRatingForRotation = NamedQuery("rules.by_rating_within_20000")
    static let byRelease = NamedQuery("rules.by_release")
    static let byChart = NamedQuery("rules.by_chart")
    static let absent = NamedQuery("rules.absent")
    static let byTitle: [TitleOrder: NamedQuery] = [
        .und: NamedQuery("rules.by_title_und"), .ar: NamedQuery("rules.by_title_ar"),
        .es: NamedQuery("rules.by_title_es"), .ja: NamedQuery("rules.by_title_ja"),
    ]
}
