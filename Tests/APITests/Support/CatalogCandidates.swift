import Feeds
import Items
import Values

/// Queries for the items that the clients of a platform can see, made of the tables that curators and imports write. They use neither the
/// indexes for lists and search nor the composer.
struct CatalogCandidates {
    struct UnknownCondition: Error {
        let rule: Rule
    }

    let storefront: String
    let platform: String
    /// The time as a literal of SQL.
    let time: String

    /// Returns a query whose rows are the name and the ID of each visible item that meets a condition.
    func query(_ name: String, _ condition: String = "true") -> String {
        """
        SELECT '\(name) ' || id FROM vitrine.items
        WHERE deleted_at IS NULL
            AND (is_everywhere OR EXISTS (
                SELECT FROM vitrine.item_availability
                WHERE item_id = items.id AND storefront = '\(storefront)' AND during @> timestamptz '\(time)'))
            AND (kind = 'foodApp' OR EXISTS (
                SELECT FROM vitrine.item_platforms JOIN vitrine.platforms ON platforms.key = '\(platform)'
                WHERE item_id = items.id AND platform = ANY (runs)))
            AND (\(condition))
        """
    }

    /// Returns the condition that an item is one of these.
    func isNamed(by references: [ItemReference]) -> String {
        Self.any(
            references.map { reference in
                switch reference {
                case .id(let id): "id = '\(id)'"
                case .slug(let kind, let slug): "kind = '\(kind.rawValue)' AND slug = '\(slug)'"
                }
            })
    }

    /// Returns the condition that a rule selects an item in an order. `shown` has the items of the sections above. Without it, the rule is
    /// that of a list, for which the conditions on sections do not count.
    func isSelected(
        by rule: Rule, _ sort: Sort, except exclusions: [ItemReference], shown: [SectionKey: [String]]?
    ) throws(UnknownCondition) -> String {
        var conditions = [try condition(rule, shown), "NOT (\(isNamed(by: exclusions)))"]
        if case .chart(let name) = sort {
            conditions.append("id IN (SELECT item_id FROM vitrine.chart_entries WHERE storefront = '\(storefront)' AND chart = '\(name)')")
        }
        return Self.all(conditions)
    }

    private func condition(_ rule: Rule, _ shown: [SectionKey: [String]]?) throws(UnknownCondition) -> String {
        switch rule {
        case .all(let rules): return Self.all(try conditions(rules, shown))
        case .any(let rules): return Self.any(try conditions(rules, shown))
        case .not(.inSection(let keys)):
            let ids = keys.flatMap { shown?[$0] ?? [] }
            return ids.isEmpty ? "true" : "id NOT IN (\(Self.list(ids)))"
        case .not(let rule): return "NOT (\(try condition(rule, shown)))"
        case .kind(let kind): return "kind = '\(kind.rawValue)'"
        case .category(let keys):
            return "EXISTS (SELECT FROM vitrine.item_categories WHERE item_id = items.id AND category IN (\(Self.list(keys))))"
        case .cuisine(let slugs):
            return "EXISTS (SELECT FROM vitrine.food_apps WHERE item_id = items.id AND cuisines && ARRAY[\(Self.list(slugs))])"
        case .price(.free): return "\(amount) = 0"
        case .price(.paid): return "\(amount) > 0"
        case .price(.bands(let bands)):
            let list = bands.map { "\($0)" }.joined(separator: ", ")
            return "EXISTS (SELECT FROM vitrine.food_apps WHERE item_id = items.id AND price_band IN (\(list)))"
        case .price(.atMost(let amounts)):
            let cases = amounts.map { "WHEN '\($0.key)' THEN \(amount) <= \($0.value)" }.joined(separator: " ")
            return "CASE (SELECT currency FROM vitrine.storefronts WHERE key = '\(storefront)') \(cases) ELSE false END"
        case .rating(let average, let count):
            return "coalesce(rating_average, 0) >= \(average) AND coalesce(rating_count, 0) >= \(count)"
        case .releasedWithin(let days): return "\(releaseDay) > \(today) - \(days) AND \(releaseDay) <= \(today)"
        case .released(.from(let day)): return "\(releaseDay) >= '\(day)'"
        default: throw UnknownCondition(rule: rule)
        }
    }

    private func conditions(_ rules: [Rule], _ shown: [SectionKey: [String]]?) throws(UnknownCondition) -> [String] {
        var conditions: [String] = []
        for rule in rules { conditions.append(try condition(rule, shown)) }
        return conditions
    }

    /// The price of an item now, or 0 if it has none.
    private var amount: String {
        """
        coalesce(
            (SELECT amount_minor FROM vitrine.item_price_periods
             WHERE item_id = items.id AND storefront = '\(storefront)' AND role = 'price' AND during @> timestamptz '\(time)'),
            (SELECT amount_minor FROM vitrine.item_prices WHERE item_id = items.id AND storefront = '\(storefront)' AND role = 'price'), 0)
        """
    }

    private var releaseDay: String {
        """
        coalesce(
            (SELECT release_date FROM vitrine.top_apps WHERE item_id = items.id), (SELECT release_date FROM vitrine.food_apps WHERE item_id = items.id),
            (created_at AT TIME ZONE 'UTC')::date)
        """
    }

    private var today: String {
        "(timestamptz '\(time)' AT TIME ZONE (SELECT time_zone FROM vitrine.storefronts WHERE key = '\(storefront)'))::date"
    }

    private static func all(_ conditions: [String]) -> String { conditions.map { "(\($0))" }.joined(separator: " AND ") }

    private static func any(_ conditions: [String]) -> String {
        conditions.isEmpty ? "false" : conditions.map { "(\($0))" }.joined(separator: " OR ")
    }

    private static func list(_ texts: [String]) -> String { texts.map { "'\($0)'" }.joined(separator: ", ") }
}
