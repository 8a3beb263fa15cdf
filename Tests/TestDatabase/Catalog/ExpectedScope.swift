/// The expected local copy of a sync scope, queried in the simplest way: the items of the catalog tables, or the contents of feeds with
/// their items.
package enum ExpectedScope {
    /// Returns a query for lines of a kind, an ID and a hash. Without feeds, it returns the whole catalog.
    package static func query(storefront: String, feeds: [String]?, hasLists: Bool = false, hoursAhead: Int = 0) -> String {
        guard let feeds else {
            return """
                SELECT 'item ' || items.id || ' ' || encode(hash, 'hex')
                FROM vitrine.items JOIN vitrine.published ON published.kind = 'item'::vitrine.published_kind AND published.id = items.id::text
                WHERE deleted_at IS NULL AND (items.is_everywhere OR EXISTS (
                    SELECT FROM vitrine.item_availability
                    WHERE item_id = items.id AND storefront = '\(storefront)' AND during @> now() + interval '\(hoursAhead) hours'))
                """
        }
        let names = hasLists ? feeds + feeds.map { "\($0)+lists" } : feeds
        let list = names.map { "'\($0)'" }.joined(separator: ", ")
        return """
            WITH RECURSIVE shown AS (
                SELECT kind::text AS kind, id, item_id, hash, document::text AS document
                FROM vitrine.published
                WHERE storefront = '\(storefront)' AND feed IN (\(list)) AND kind IN ('feed', 'section', 'placement', 'list', 'entry')
                    AND document IS NOT NULL
            ), layouts AS (
                SELECT (regexp_matches(shown.document, ':"([0-9a-f]{32})"', 'g'))[1] AS id FROM shown WHERE shown.kind = 'section'
                UNION
                SELECT published.document ->> 'fallback'
                FROM layouts JOIN vitrine.published ON published.kind = 'layout' AND published.id = layouts.id
                WHERE published.document ->> 'fallback' IS NOT NULL
            )
            SELECT shown.kind || ' ' || id || ' ' || encode(hash, 'hex') FROM shown
            UNION
            SELECT 'item ' || shown.item_id || ' ' || encode(published.hash, 'hex')
            FROM shown JOIN vitrine.published ON published.kind = 'item' AND published.id = shown.item_id::text
            UNION
            SELECT 'layout ' || layouts.id || ' ' || encode(published.hash, 'hex')
            FROM layouts JOIN vitrine.published ON published.kind = 'layout' AND published.id = layouts.id
            """
    }
}
