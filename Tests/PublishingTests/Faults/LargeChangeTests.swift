import EventLoop
import Feeds
import Publishing
import TestDatabase
import Testing

@Suite("A large change", .databaseForEachTest)
struct LargeChangeTests {
    private static func items(_ count: Int) -> String {
        """
        BEGIN;
        INSERT INTO items (id, kind, source, serial_number, slug, content_hash, rating_average, rating_count)
        SELECT md5('m' || n)::uuid, 'topApp', 'm' || n, 1000000 + n, 'm' || n, sha256('m'), 4, n FROM generate_series(1, \(count)) AS n;
        INSERT INTO top_apps (item_id, bundle_id, developer, app_version, size_bytes, release_date)
        SELECT md5('m' || n)::uuid, 'org.m' || n, 'Quay', '1', 1, '2024-05-01' FROM generate_series(1, \(count)) AS n;
        INSERT INTO item_platforms (item_id, platform) SELECT md5('m' || n)::uuid, 'ios' FROM generate_series(1, \(count)) AS n;
        INSERT INTO item_age_ratings (item_id, scheme, label) SELECT md5('m' || n)::uuid, 'apple-2015', '4+' FROM generate_series(1, \(count)) AS n;
        INSERT INTO item_texts (item_id, locale, title) SELECT md5('m' || n)::uuid, 'en', 'Many' FROM generate_series(1, \(count)) AS n;
        INSERT INTO item_categories SELECT md5('m' || n)::uuid, 'tools', 1 FROM generate_series(1, \(count)) AS n;
        COMMIT;
        """
    }

    @Test("An import chunk composes no section that it does not affect")
    func traced() async throws {
        try await Site.run("SELECT pg_temp.food_app('ramen', '{\"en\": \"Ramen\"}', rating => 4, ratings => 10)") { site in
            try await site.publish(
                #"""
                {"format": 2, "feed": "food", "title": {"en": "Food"}, "sections": [
                    {"key": "all", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "foodApp"}, "size": 5},
                    {"key": "turn", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "foodApp"}, "size": 1,
                     "sort": {"rotate": {"seed": "s", "every": "PT1H"}}}]}
                """#)
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            try await site.sql(
                Self.items(2_000) + "SELECT derive_items(1000000); UPDATE items SET rating_average = 3 WHERE kind = 'topApp';")
            _ = try await sequencer.drain(site.connection, until: .soon)
            try await site.sql("UPDATE items SET rating_average = 2 WHERE kind = 'topApp'; SELECT derive_items(1000000)")
            let report = try await sequencer.drain(site.connection, until: .soon)
            #expect(report.versions == 2_000 && report.composedSections == 0)
            var another = try site.sequencer()
            #expect(try await another.drain(site.connection, until: .soon).versions == 0)
        }
    }

    @Test("Items are indexed by a function with custom plans")
    func plannedForValues() async throws {
        try await Site.run("") { site in
            let settings = try await site.rows("SELECT unnest(proconfig) FROM pg_proc WHERE oid = 'vitrine.settle_items'::regproc")
            #expect(settings.contains("plan_cache_mode=force_custom_plan"))
        }
    }

    @Test(
        "A large change is one drain that composes each section once, and a few sections in each drain after indexing",
        arguments: [10_000])
    func once(count: Int) async throws {
        try await Site.run("") { site in
            try await site.publish(TwoSequencersTests.feed)
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            try await site.sql(Self.items(count))
            let reported = try await sequencer.drain(site.connection, until: .soon)
            // The items are not indexed yet: only the current step of a rotation may change.
            #expect(reported.changes >= count && reported.versions >= count && reported.composedSections == 3)
            try await site.sql("SELECT derive_items(1000000)")
            let derived = try await sequencer.drain(site.connection, until: .soon)
            #expect(derived.changes >= count && derived.composedSections == 0 && derived.dueSections == 9)
            #expect(try await sequencer.drain(site.connection, until: .soon).composedSections == 8)
            let last = try await sequencer.drain(site.connection, until: .soon)
            #expect(last.composedSections == 1 && last.isComplete)
            #expect(try await site.visibleItems("today")["today/hero"] == (0..<5).map { "m\(count - $0)" })
            try await site.sql("UPDATE items SET rating_average = 3, version = version + 1")
            let changed = try await sequencer.drain(site.connection, until: .soon)
            #expect(changed.versions >= count && changed.composedSections == 9)
            var restarted = try site.sequencer()
            try await site.sql("SELECT derive_items(1000000)")
            while try await !sequencer.drain(site.connection, until: .soon).isComplete {}
            #expect(try await restarted.drain(site.connection, until: .soon).versions == 0)
        }
    }
}
