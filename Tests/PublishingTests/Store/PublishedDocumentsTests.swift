import Feeds
import Postgres
import Publishing
import TestDatabase
import TestSupport
import Testing
import Values

/// The goldens only record published documents. The histories compare them with a model.
@Suite("The published documents", .databaseForEachTest)
struct PublishedDocumentsTests {
    /// The item IDs are hashes of their names.
    private static let catalog = """
        SELECT pg_temp.top_app('harbor', '{"en": "Harbor Notes", "de": "Hafenheft"}', rating => 4.5, ratings => 40, subtitle => 'Tides'),
            pg_temp.top_app('lantern', '{"en": "Lantern"}', '{games}', rating => 4.1, ratings => 12),
            pg_temp.top_app('quay', '{"en": "Quay"}', rating => 3.9, ratings => 7),
            pg_temp.food_app('ramen', '{"en": "Ramen Kazehi"}', '{ramen}', storefront => 'us',
                during => '{[2031-12-24 09:00+00,2031-12-24 21:00+00)}', rating => 4.8, ratings => 90);
        """
    private static let first = #"""
        {"format": 2, "feed": "today", "title": {"en": "Today", "de": "Heute"}, "sections": [
            {"key": "hero", "title": {"en": "Hero"}, "layout": {"preset": "image-carousel"}, "cell": "card",
             "pins": [
                {"slot": 0, "item": "topapp:quay", "show": {"title": {"en": "By the water"}, "action": {"search": "quay"}}},
                {"slot": 1, "card": {"key": "beta", "title": {"en": "For you"}}, "target": {"tags": ["beta"]}}],
             "rule": {"kind": "topApp"}, "size": 2},
            {"key": "turn", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "size": 2,
             "sort": {"rotate": {"seed": "turn", "every": "PT1H"}}},
            {"key": "names", "title": {"en": "A to Z"}, "layout": {"list": {}}, "cell": "row", "sort": "title",
             "rule": {"all": [{"kind": "topApp"}, {"not": {"inSection": "hero"}}]}}
        ]}
        """#
    private static let second = #"""
        {"format": 2, "feed": "today", "title": {"en": "Today", "de": "Heute"}, "sections": [
            {"key": "food", "title": {"en": "Order in"}, "layout": {"list": {}}, "cell": "row", "rule": {"kind": "foodApp"}},
            {"key": "hero", "title": {"en": "Hero"}, "layout": {"preset": "image-carousel"}, "cell": "card", "rule": {"kind": "topApp"},
             "size": 1}
        ]}
        """#
    /// Each document with its version, in version order. A tombstone has no document.
    private static let documents = """
        SELECT concat_ws(' ', version, kind, storefront, id, 'until ' || (valid_until AT TIME ZONE 'UTC')) || E'\\n'
            || coalesce(document::text, 'gone')
        FROM vitrine.published ORDER BY version
        """

    @Test("The documents of a publication, of another one and of a rollback equal the goldens")
    func golden() async throws {
        let time = try #require(Timestamp("2031-12-24T18:15:00Z"))
        try await Site.run(Self.catalog) { site in
            var sequencer = try site.sequencer()
            // Within a transaction the time of the database does not advance.
            try await site.sql("BEGIN ISOLATION LEVEL REPEATABLE READ")
            let now = try #require(
                try await site.connection.rows(of: PostgresQuery("now", "SELECT now()"), as: Timestamp.self, until: .soon).first)
            sequencer.clockAhead = now.duration(to: time)
            let session = PostgresSession(inTransactionOf: site.connection, within: .seconds(60))
            for (document, name) in [(Self.first, "published-first.txt"), (Self.second, "published-second.txt")] {
                try await site.publish(document)
                _ = try await sequencer.drain(session)
                try await Self.expect(name, site)
            }
            try await site.sql("SELECT vitrine.publish('today', 'base', 1)")
            _ = try await sequencer.drain(session)
            try await Self.expect("published-rollback.txt", site)
            try await site.sql("ROLLBACK")
        }
    }

    private static func expect(_ name: String, _ site: Site) async throws {
        let text = try await site.rows(documents).map { "\($0)\n" }.joined()
        #expect(try Golden(name).text(recording: text) == text)
    }
}
