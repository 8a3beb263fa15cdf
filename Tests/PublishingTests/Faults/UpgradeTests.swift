import EventLoop
import Feeds
import Items
import JSON
import Postgres
import Publishing
import SQLFiles
import Security
import TestDatabase
import Testing

@Suite("The upgrade of an older database")
struct UpgradeTests {
    private static func runner(_ count: Int) throws -> MigrationRunner {
        MigrationRunner(
            try MigrationSet(Array(SQLFiles.migrations.sorted { $0.name < $1.name }.prefix(count)), digest: Digest.sha256))
    }

    @Test("The availability changes of items are added to a database without feeds")
    func bounds() async throws {
        try await ScratchDatabase.run(.empty) { database in
            try await withConnection(database.configuration) { connection in
                let site = Site(connection: connection)
                try await Self.runner(7).migrate(connection)
                try await site.sql(
                    CatalogRows.functions + "BEGIN;" + CatalogRows.storefronts + "COMMIT;"
                        + """
                        SELECT pg_temp.food_app('d', '{"en": "Dish"}', storefront => 'us', during => '{[2030-01-01,2030-02-01), [2030-03-01,)}'),
                            pg_temp.food_app('e', '{"en": "Eel"}', storefront => 'us'), pg_temp.food_app('f', '{"en": "Fig"}');
                        """)
                try await Self.runner(SQLFiles.migrations.count).migrate(connection)
                let bounds = try await site.rows(
                    "SELECT slug || ' ' || (moment AT TIME ZONE 'UTC')::date FROM vitrine.availability_bounds JOIN vitrine.items ON id = item_id ORDER BY moment"
                )
                #expect(bounds == ["d 2030-01-01", "d 2030-02-01", "d 2030-03-01"])
            }
        }
    }

    @Test("A migration writes items in the current form, each with the next version, before pending changes are published")
    func documents() async throws {
        try await ScratchDatabase.run(.empty) { database in
            try await withConnection(database.configuration) { connection in
                let site = Site(connection: connection)
                try await Self.runner(14).migrate(connection)
                try await site.sql(
                    CatalogRows.functions + "BEGIN;" + CatalogRows.storefronts + "COMMIT;" + Audit.script
                        + """
                        SELECT pg_temp.top_app('a' || n, jsonb_build_object('en', 'App ' || n), rating => 4, ratings => n) FROM generate_series(1, 20) AS n;
                        SELECT pg_temp.food_app('d', '{"en": "Dish"}', storefront => 'us', during => '{[2020-01-01,2099-02-01)}');
                        SELECT pg_temp.food_app('e', '{"en": "Eel"}', storefront => 'us');
                        UPDATE items SET deleted_at = now() WHERE slug = 'a20';
                        """)
                try await site.publish(TwoSequencersTests.feed)
                // The sequencer of this program stands for an older one, but needs objects of later migrations. A transaction cannot
                // use a new value of an enum.
                for kind in ["list", "entry"] { try await site.sql("ALTER TYPE vitrine.published_kind ADD VALUE '\(kind)'") }
                try await site.sql(
                    """
                    CREATE TABLE vitrine.retained_sections (
                        storefront text, feed text, section text, reason text, PRIMARY KEY (feed, section, storefront));
                    ALTER TABLE vitrine.sync_outbox ADD COLUMN change_count integer
                        GENERATED ALWAYS AS (coalesce(cardinality(ids), cardinality(keys))) STORED;
                    ALTER TABLE vitrine.storefronts ADD COLUMN closed_at timestamptz;
                    ALTER FUNCTION vitrine.live_revisions(timestamptz) RENAME TO former_revisions;
                    CREATE FUNCTION vitrine.live_revisions(at_moment timestamptz)
                        RETURNS TABLE (feed text, storefront text, revision integer, until_moment timestamptz) LANGUAGE sql STABLE
                    AS $$
                        SELECT feed, key, revision, until_moment FROM vitrine.former_revisions(at_moment) CROSS JOIN vitrine.storefronts
                    $$
                    """)
                var sequencer = try site.sequencer()
                let head = try await sequencer.drain(connection, until: .soon).head
                await #expect(throws: JSONError.self) { try await site.visibleItems("today") }
                try await site.sql(
                    "SELECT pg_temp.top_app('late', '{\"en\": \"Late\"}'); UPDATE item_texts SET title = 'Changed' WHERE title = 'App 3'")
                try await site.sql(
                    """
                    DROP TABLE vitrine.retained_sections;
                    ALTER TABLE vitrine.sync_outbox DROP COLUMN change_count;
                    ALTER TABLE vitrine.storefronts DROP COLUMN closed_at;
                    DROP FUNCTION vitrine.live_revisions(timestamptz);
                    ALTER FUNCTION vitrine.former_revisions(timestamptz) RENAME TO live_revisions
                    """)
                try await Self.runner(SQLFiles.migrations.count).migrate(connection)
                #expect(try await site.rows("SELECT version || ' ' || is_complete FROM vitrine.sync_head") == ["\(head + 21) false"])
                #expect(try await site.visibleItems("today")["today/hero"] == ["a19", "a18", "a17", "a16", "a15"])
                let snapshot = try #require(try await site.reader.snapshot(of: StorefrontFeed(storefront: "us", feed: "today")))
                #expect(snapshot.items.values.first { $0.slug == "a3" }?.content.texts.first?.title == "Changed")
                try await Audit.check(site)
                let buckets = "SELECT storefront || bucket || entries || high || low FROM"
                let counted = "\(buckets) vitrine.counted_buckets(0, 65536) EXCEPT \(buckets) vitrine.sync_buckets"
                #expect(try await site.rows(counted) == [])
                #expect(try await site.rows("SELECT is_complete::text FROM vitrine.sync_head") == ["true"])
                #expect(try await site.visibleItems("today")["today/all"]?.contains("late") == true)
            }
        }
    }

    /// Items with each kind of image of the 25th migration. The color of `dark` is older than its constraint.
    private static let imageItems = """
        SELECT pg_temp.top_app(name, '{"en": "X"}') FROM unnest('{braces,dark,drawn,fixed,http,path,plain,withdrawn}'::text[]) AS name;
        UPDATE item_texts SET image_alt = 'A' WHERE item_id IN (md5('fixed')::uuid, md5('plain')::uuid);
        UPDATE items SET image_url = url, image_width = 640, image_height = 360, image_color = color, image_blurhash = 'L6Pj0^i_'
        FROM (VALUES
            ('braces', 'https://cdn.example/{id}/{w}.jpg', '#1F6F8B'), ('dark', '/c.jpg', '#1f6f8b'), ('drawn', NULL, '#1F6F8B'),
            ('fixed', 'https://cdn.example/a.jpg', '#1F6F8B'), ('http', 'http://cdn.example/a.jpg', '#1F6F8B'),
            ('path', '/a.jpg', '#1F6F8B'), ('withdrawn', '/b.jpg', '#1F6F8B')
        ) AS urls (name, url, color) WHERE slug = name;
        UPDATE items SET deleted_at = now() WHERE slug = 'withdrawn';
        """

    /// Runs a body on a database of the 25th migration with published items and an empty outbox.
    private static func withImages(_ body: @escaping @Sendable (PostgresConnection, Site) async throws -> Void) async throws {
        try await ScratchDatabase.run(.empty) { database in
            try await withConnection(database.configuration) { connection in
                let site = Site(connection: connection)
                try await Self.runner(25).migrate(connection)
                try await site.sql(CatalogRows.functions + "BEGIN;" + CatalogRows.storefronts + "COMMIT;")
                for part in ["color", "url"] {
                    try await site.sql("ALTER TABLE vitrine.items DROP CONSTRAINT items_image_\(part)_check")
                }
                try await site.sql(Self.imageItems)
                try await site.sql(CatalogRows.publish + "DELETE FROM vitrine.sync_outbox")
                try await body(connection, site)
            }
        }
    }

    @Test("A migration keeps each image as an icon of one size, and publishes only items with an image again")
    func images() async throws {
        try await Self.withImages { connection, site async throws in
            let versions = "SELECT version::text FROM vitrine.sync_head"
            #expect(try await site.rows(versions) == ["7"])
            try await Self.runner(SQLFiles.migrations.count).migrate(connection)
            let rows = try await site.rows(
                """
                SELECT concat_ws(' ', slug, role, place, locale, appearance, template, width, height, sizes, color, blurhash, alt)
                FROM vitrine.item_images JOIN vitrine.items ON id = item_id ORDER BY slug
                """)
            let templates = [
                ("braces", "https://cdn.example/%7Bid%7D/%7Bw%7D.jpg"), ("dark", "/c.jpg"), ("fixed", "https://cdn.example/a.jpg"),
                ("http", "https://cdn.example/a.jpg"), ("path", "/a.jpg"), ("withdrawn", "/b.jpg"),
            ]
            #expect(rows == templates.map { "\($0) icon 0  light \($1) 640 360 {{640,360}} #1F6F8B L6Pj0^i_" })
            let published = try await site.rows(
                """
                SELECT concat_ws(' ', slug, published.document -> 'image')
                FROM vitrine.published JOIN vitrine.items ON items.id::text = published.id WHERE published.kind = 'item' ORDER BY slug
                """)
            var expected = ["drawn", #"plain {"alt":{"en":"A"}}"#]
            for (slug, template) in templates.dropLast() {
                let alt = slug == "fixed" ? #","alt":{"en":"A"}"# : ""
                let sizes = #""width":640,"height":360,"sizes":[[640,360]]"#
                expected.append(##"\##(slug) {"template":"\##(template)","color":"#1F6F8B","blurhash":"L6Pj0^i_",\##(sizes)\##(alt)}"##)
            }
            #expect(published == expected.sorted())
            #expect(try await site.rows(versions) == ["13"])
            let unchanged =
                "SELECT slug FROM vitrine.published JOIN vitrine.items ON items.id::text = published.id WHERE published.version < 8"
            #expect(try await site.rows(unchanged) == ["plain"])
            let distinct = "SELECT count(DISTINCT version)::text FROM vitrine.published WHERE kind = 'item' AND version BETWEEN 8 AND 13"
            #expect(try await site.rows(distinct) == ["6"])
            #expect(try await site.rows("SELECT kind::text FROM vitrine.sync_outbox") == [])
            #expect(try await site.rows("SELECT is_complete::text FROM vitrine.sync_head") == ["true"])
        }
    }

    @Test("A migration rejects URLs that cannot be templates, and names their items and the statement that removes them")
    func invalidImages() async throws {
        try await Self.withImages { connection, site async throws in
            try await site.sql("UPDATE vitrine.items SET image_url = 'https:///x' WHERE slug IN ('fixed', 'withdrawn')")
            let error = await #expect(throws: MigrationError.self) { try await Self.runner(SQLFiles.migrations.count).migrate(connection) }
            let cause = try #require(error?.cause)
            #expect(cause.message.contains("(total 2): fixed, withdrawn"))
            let detail = try #require(cause.detail)
            let start = try #require(detail.firstRange(of: "UPDATE"))
            try await site.sql(String(detail[start.lowerBound...]))
            let kept = "SELECT slug FROM vitrine.items WHERE image_url IS NOT NULL ORDER BY slug"
            #expect(try await site.rows(kept) == ["braces", "dark", "http", "path"])
            try await Self.runner(SQLFiles.migrations.count).migrate(connection)
            #expect(try await site.rows("SELECT count(*)::text FROM vitrine.item_images") == ["4"])
        }
    }
}
