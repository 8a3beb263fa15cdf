import EventLoop
import Feeds
import Host
import Items
import JSON
import Postgres
import Publishing
import Resolve
import SQLFiles
import Security
import TestDatabase
import Testing
import Values

@Suite("The upgrade of an older database")
struct UpgradeTests {
    private static func runner(_ count: Int) throws -> MigrationRunner {
        MigrationRunner(
            try MigrationSet(Array(SQLFiles.migrations.sorted { $0.name < $1.name }.prefix(count)), digest: Digest.sha256))
    }

    @Test("The availability changes of items are added to a database without feeds")
    func bounds() async throws {
        // All of them lie ahead.
        let today = SystemInfo.wallClock / 86_400_000_000
        let days = try [400, 430, 460].map { try #require(CalendarDay(daysSince1970: today + $0)) }
        try await ScratchDatabase.run(.empty) { database in
            try await withConnection(database.configuration) { connection in
                let site = Site(connection: connection)
                try await Self.runner(7).migrate(connection)
                try await site.sql(
                    CatalogRows.functions + "BEGIN;" + CatalogRows.storefronts + "COMMIT;"
                        + """
                        SELECT pg_temp.food_app('d', '{"en": "Dish"}', storefront => 'us', during => '{[\(days[0]),\(days[1])), [\(days[2]),)}'),
                            pg_temp.food_app('e', '{"en": "Eel"}', storefront => 'us'), pg_temp.food_app('f', '{"en": "Fig"}');
                        """)
                try await Self.runner(SQLFiles.migrations.count).migrate(connection)
                let bounds = try await site.rows(
                    "SELECT slug || ' ' || (moment AT TIME ZONE 'UTC')::date FROM vitrine.availability_bounds JOIN vitrine.items ON id = item_id ORDER BY moment"
                )
                #expect(bounds == days.map { "d \($0)" })
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
                    CREATE TABLE vitrine.live_findings (
                        feed text, code text, subject text, storefront text, severity text, section text, revision integer, platforms text[],
                        pointer text, message text, help text, since timestamptz, PRIMARY KEY (feed, code, subject, storefront));
                    CREATE FUNCTION vitrine.takeovers_ahead(at_moment timestamptz) RETURNS TABLE (
                        feed text, storefront text, publication bigint, revision integer, start timestamptz, finish timestamptz,
                        is_above_base boolean
                    ) LANGUAGE sql AS 'SELECT NULL::text, NULL::text, 0::bigint, 0, NULL::timestamptz, NULL::timestamptz, true WHERE false';
                    CREATE FUNCTION vitrine.moved_spans_ahead(at_moment timestamptz) RETURNS TABLE (
                        feed text, storefront text, publication bigint, revision integer, is_moved boolean, start timestamptz,
                        finish timestamptz, start_before timestamptz, finish_before timestamptz
                    ) LANGUAGE plpgsql AS 'BEGIN END';
                    ALTER TABLE vitrine.sync_outbox ADD COLUMN change_count integer
                        GENERATED ALWAYS AS (coalesce(cardinality(ids), cardinality(keys))) STORED, ADD COLUMN is_import boolean NOT NULL DEFAULT false;
                    ALTER TABLE vitrine.sync_head ADD COLUMN due_sections bigint NOT NULL DEFAULT 0;
                    CREATE TABLE vitrine.experiments (
                        key text, salt text, arms jsonb, default_arm text, state text, winner text);
                    CREATE TABLE vitrine.holdouts (salt text, share integer);
                    CREATE FUNCTION vitrine.readable_document(document text) RETURNS text LANGUAGE sql AS 'SELECT document';
                    ALTER TABLE vitrine.storefronts ADD COLUMN closed_at timestamptz, ADD COLUMN rating_scheme text NOT NULL DEFAULT 'apple-2015';
                    ALTER TABLE vitrine.listings ADD COLUMN measures jsonb NOT NULL DEFAULT '{}';
                    CREATE FUNCTION vitrine.rating_scheme_documents() RETURNS jsonb LANGUAGE sql AS $$ SELECT '{}'::jsonb $$;
                    CREATE TABLE vitrine.item_price_periods (item_id uuid, storefront text, during tstzrange);
                    CREATE FUNCTION vitrine.price_at(item uuid, storefront text, moment timestamptz)
                        RETURNS TABLE (amount_minor bigint, discount integer, price bigint[])
                        LANGUAGE sql AS 'SELECT NULL::bigint, -1, NULL::bigint[]';
                    CREATE FUNCTION vitrine.facets_of_price(facets text[], storefront text, amount bigint, discount integer) RETURNS text[]
                        LANGUAGE sql AS 'SELECT facets';
                    CREATE FUNCTION vitrine.facets_at(facets text[], item uuid, storefront text, moment timestamptz) RETURNS text[]
                        LANGUAGE sql AS 'SELECT facets';
                    CREATE TABLE vitrine.platforms (key text, is_served boolean);
                    CREATE TABLE vitrine.published_storefronts (storefront text PRIMARY KEY, version bigint, document json);
                    CREATE FUNCTION vitrine.storefront_documents() RETURNS TABLE (storefront text, document json)
                        LANGUAGE sql AS 'SELECT NULL::text, NULL::json WHERE false';
                    ALTER FUNCTION vitrine.live_revisions(timestamptz) RENAME TO former_revisions;
                    CREATE FUNCTION vitrine.live_revisions(at_moment timestamptz)
                        RETURNS TABLE (feed text, storefront text, publication bigint, revision integer, until_moment timestamptz) LANGUAGE sql STABLE
                    AS $$
                        SELECT feed, key, NULL::bigint, revision, until_moment
                        FROM vitrine.former_revisions(at_moment) CROSS JOIN vitrine.storefronts
                    $$
                    """)
                var sequencer = try site.sequencer()
                let head = try await sequencer.drain(connection, until: .soon).head
                await #expect(throws: JSONError.self) { try await site.visibleItems("today") }
                try await site.sql(
                    "SELECT pg_temp.top_app('late', '{\"en\": \"Late\"}'); UPDATE item_texts SET title = 'Changed' WHERE title = 'App 3'")
                try await site.sql(
                    """
                    DROP TABLE vitrine.live_findings, vitrine.experiments, vitrine.holdouts, vitrine.item_price_periods,
                        vitrine.platforms, vitrine.published_storefronts;
                    DROP FUNCTION vitrine.storefront_documents, vitrine.readable_document, vitrine.rating_scheme_documents, vitrine.price_at, vitrine.facets_of_price,
                        vitrine.facets_at, vitrine.live_revisions, vitrine.takeovers_ahead, vitrine.moved_spans_ahead;
                    ALTER FUNCTION vitrine.former_revisions(timestamptz) RENAME TO live_revisions;
                    ALTER TABLE vitrine.storefronts DROP COLUMN closed_at, DROP COLUMN rating_scheme;
                    ALTER TABLE vitrine.listings DROP COLUMN measures;
                    ALTER TABLE vitrine.sync_outbox DROP COLUMN change_count, DROP COLUMN is_import;
                    ALTER TABLE vitrine.sync_head DROP COLUMN due_sections
                    """)
                try await Self.runner(SQLFiles.migrations.count).migrate(connection)
                #expect(try await site.rows("SELECT version || ' ' || is_complete FROM vitrine.sync_head") == ["\(head + 40) false"])
                #expect(try await site.visibleItems("today")["today/hero"] == ["a19", "a18", "a17", "a16", "a15"])
                let snapshot = try #require(try await site.reader.snapshot(of: StorefrontFeed(storefront: "us", feed: "today")))
                #expect(snapshot.items.values.first { $0.slug == "a3" }?.document["title"]?["en"]?.string == "Changed")
                try await Audit.check(site)
                let buckets = "SELECT storefront || bucket || entries || high || low FROM"
                let counted = "\(buckets) vitrine.counted_buckets(0, 65536) EXCEPT \(buckets) vitrine.sync_buckets"
                #expect(try await site.rows(counted) == [])
                let sums = "SELECT storefront, sum(entries), bit_xor(high), bit_xor(low) FROM vitrine.sync_buckets GROUP BY storefront"
                let catalogs = "SELECT storefront, entries, high, low FROM vitrine.sync_catalogs"
                #expect(try await site.rows("SELECT storefront FROM (\(sums) EXCEPT \(catalogs)) AS wrong") == [])
                #expect(try await site.rows("SELECT storefront FROM (\(catalogs)) AS catalogs ORDER BY storefront") == ["*", "us"])
                #expect(try await site.rows("SELECT is_complete::text FROM vitrine.sync_head") == ["true"])
                #expect(try await site.visibleItems("today")["today/all"]?.contains("late") == true)
            }
        }
    }

    @Test("A migration makes an experiment of each bucket, and every client sees the sections that it saw before")
    func buckets() async throws {
        func section(_ key: String, _ experiment: String, _ from: Int, _ to: Int) -> String {
            let target = #"{"bucket":{"experiment":"\#(experiment)","from":\#(from),"to":\#(to)}}"#
            return #"{"cell":"row","key":"\#(key)","layout":{"list":{}},"rule":{"kind":"topApp"},"target":\#(target)}"#
        }
        let sections = [("low", 0, 50), ("middle", 25, 60)].map { section($0, "weekend", $1, $2) }
        let pin =
            #"{"card":{"key":"c","title":{"en":"A \"bucket\":{"}},"slot":0,"target":{"bucket":{"experiment":"dark","from":0,"to":100}}}"#
        let pinned = #"{"cell":"row","key":"pinned","layout":{"list":{}},"pins":[\#(pin)]}"#
        let document = #"{"feed":"today","format":2,"sections":[\#((sections + [pinned]).joined(separator: ","))],"title":{"en":"Today"}}"#
        let old = #"{"feed":"old","sections":[\#(section("only", "weekend", 0, 90))],"title":{"en":"Old"}}"#
        try await ScratchDatabase.run(.empty) { database in
            try await withConnection(database.configuration) { connection in
                let site = Site(connection: connection)
                try await Self.runner(SQLFiles.migrations.count { $0.name < "0033" }).migrate(connection)
                try await site.sql(
                    CatalogRows.functions + "BEGIN;" + CatalogRows.storefronts + "COMMIT;"
                        + """
                        SELECT pg_temp.top_app('a', '{"en": "Anchor"}');
                        SELECT publish('today', 'base', save_revision('today', 'main', '\(document)'));
                        SELECT save_revision('old', 'main', '\(old)');
                        """)
                try await Self.runner(SQLFiles.migrations.count).migrate(connection)
                let store = ExperimentStore(PostgresSession(connection, within: .seconds(60)))
                let arms = ["p0-24": [0..<25], "p25-49": [25..<50], "p50-59": [50..<60], "p60-89": [60..<90], "p90-99": [90..<100]]
                let weekend = Experiment(salt: "weekend", arms: arms, defaultArm: "p90-99", state: .running)
                let dark = Experiment(salt: "dark", arms: ["p0-99": [0..<100]], defaultArm: "p0-99", state: .running)
                #expect(try await store.experiments().map(\.experiment) == [dark, weekend].compactMap(\.self))
                var sequencer = try site.sequencer()
                #expect(try await sequencer.drain(connection, until: .soon).unreadable == 0)
                for client in 0..<200 {
                    var facts = ClientFacts.nothingSaid
                    facts.client = .said("c\(client)")
                    let place = Place.of("c\(client)", in: "weekend")
                    let visible = Set(try await site.visibleItems("today", to: facts).keys)
                    #expect(visible.contains("today/low") == (place < 50) && visible.contains("today/middle") == (25..<60 ~= place))
                    #expect(visible.contains("today/pinned"))
                    if client == 3 { #expect(try await site.visibleItems("today").keys.sorted() == ["today/pinned"]) }
                }
                let feeds = FeedStore(PostgresSession(connection, within: .seconds(60)))
                let key = try #require(FeedKey("old"))
                let upgraded = try FeedDocument(parsing: try await feeds.revision(1, of: key).document)
                #expect(upgraded.sections.map { $0.target?.experiments } == [["weekend": ["p0-24", "p25-49", "p50-59", "p60-89"]]])
                let stored = try await site.rows("SELECT document FROM vitrine.revisions WHERE feed = 'old'")
                #expect(stored == [old])
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
            try await Self.runner(27).migrate(connection)
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

    @Test("A migration copies the version of an item to each of its platforms and its age rating to a label, and publishes TopApps again")
    func facts() async throws {
        try await ScratchDatabase.run(.empty) { database in
            try await withConnection(database.configuration) { connection in
                let site = Site(connection: connection)
                try await Self.runner(27).migrate(connection)
                try await site.sql(
                    CatalogRows.functions + "BEGIN;" + CatalogRows.storefronts + "COMMIT;"
                        + """
                        SELECT pg_temp.top_app(name, '{"en": "X"}') FROM unnest('{both,odd,plain}'::text[]) AS name;
                        SELECT pg_temp.food_app('dish', '{"en": "Dish"}');
                        UPDATE top_apps SET platforms = '{visionos,ios}', minimum_os = '16.2', age_rating = '12+' WHERE bundle_id = 'org.both';
                        UPDATE top_apps SET minimum_os = 'iOS 9 or later', age_rating = '17+' WHERE bundle_id = 'org.odd';
                        """)
                try await site.sql(CatalogRows.publish + "DELETE FROM vitrine.sync_outbox")
                let head = try await site.rows("SELECT version::text FROM vitrine.sync_head")
                try await Self.runner(SQLFiles.migrations.count).migrate(connection)
                let platforms = try await site.rows(
                    "SELECT concat_ws(' ', slug, platform, minimum_os) FROM vitrine.item_platforms JOIN vitrine.items ON id = item_id ORDER BY 1"
                )
                #expect(platforms == ["both ios 16.2", "both visionos 16.2", "odd ios iOS 9 or later", "plain ios"])
                let labels = try await site.rows(
                    "SELECT concat_ws(' ', slug, scheme, label) FROM vitrine.item_age_ratings JOIN vitrine.items ON id = item_id ORDER BY 1"
                )
                #expect(labels == ["both apple-2015 12+", "odd apple-2015 17+", "plain apple-2015 4+"])
                let published = try await site.rows(
                    """
                    SELECT document ->> 'slug' || ' ' || coalesce(document ->> 'platforms', '') || coalesce(document ->> 'ageRatings', '')
                    FROM vitrine.published WHERE kind = 'item' ORDER BY 1
                    """)
                #expect(
                    published == [
                        #"both {"ios":{"minimumOsVersion":"16.2"},"visionos":{"minimumOsVersion":"16.2"}}{"apple-2015":"12+"}"#, "dish ",
                        #"odd {"ios":{"minimumOsVersion":"iOS 9 or later"}}{"apple-2015":"17+"}"#, #"plain {"ios":{}}{"apple-2015":"4+"}"#,
                    ])
                let versions = try await site.rows(
                    "SELECT count(DISTINCT version)::text FROM vitrine.published WHERE kind = 'item' AND version > \(head[0])")
                #expect(versions == ["3"])
                try await site.sql("SELECT vitrine.derive_items(100)")
                // A text that is not a version is compared with none.
                let measures = "SELECT measures ->> 'os:ios' FROM vitrine.listings JOIN vitrine.items ON id = item_id WHERE slug = "
                #expect(try await site.rows("\(measures) 'both'") == ["21612"])
                #expect(
                    try await site.rows("SELECT (measures ? 'os:ios')::text FROM vitrine.listings WHERE item_id = md5('odd')::uuid") == [
                        "false"
                    ])
                #expect(
                    try await site.rows(
                        "SELECT (facets @> '{on:ios,on:ipados,on:visionos}')::text FROM vitrine.listings WHERE item_id = md5('both')::uuid")
                        == ["true"])
            }
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
