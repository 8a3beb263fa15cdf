import Feeds
import Host
import JSON
import Postgres
import Settings
import TestDatabase
import TestSupport
import VitrineClient

/// A small catalog with feeds on a PostgreSQL server that is restarted during the test.
struct StressSite: Sendable {
    /// The number of items `item-0` and so on. There are also pairs of items `pair-0-a` and `pair-0-b`.
    static let items = 150
    static let pairs = 5
    static let feeds = ["games", "today"]
    /// The item whose changes measure the delay of clients.
    static let probe = "probe"
    static let probeKey = EntityKey(kind: "item", id: "8da843ff-6520-5a61-374b-09b81ed0fa35")

    /// The SQL that fills an empty catalog.
    static let rows = """
        \(CatalogRows.functions) BEGIN; \(CatalogRows.storefronts)
        SELECT pg_temp.top_app('item-' || n, jsonb_build_object('en', 'Item ' || n), ARRAY[(ARRAY['tools', 'games'])[n % 2 + 1]], 4, 5)
        FROM generate_series(0, \(items - 1)) AS n;
        SELECT pg_temp.top_app('pair-' || n || '-' || half, jsonb_build_object('en', 'Half ' || half), '{games}', 4, 5)
        FROM generate_series(0, \(pairs - 1)) AS n CROSS JOIN unnest('{a,b}'::text[]) AS half;
        SELECT pg_temp.top_app('\(probe)', '{"en": "Probe"}', '{tools}', 4, 5);
        COMMIT;
        """

    let url: DatabaseURL
    let folder: String
    let settings: StressSettings

    var configuration: PostgresConfiguration {
        var configuration = PostgresConfiguration(url: url)
        configuration.connectTimeout = .seconds(5)
        configuration.lockTimeout = .seconds(10)
        return configuration
    }

    /// The environment of the program's processes.
    var variables: [String: String] {
        ["VITRINE_DATABASE_URL": url.exposed, "VITRINE_SYNC_KEYS": "1:" + String(repeating: "k", count: 43)]
            .merging(settings.variables) { $1 }
    }

    /// The arguments of a publication after its revision, as SQL.
    struct Order {
        var layer = "base"
        var from = "NULL"
        var until = "NULL"
        /// An array of storefronts, or NULL for all.
        var storefronts = "NULL"
    }

    /// Returns the statement that publishes these sections, by default immediately in all storefronts.
    func publication(of feed: String, _ sections: String, _ order: Order = Order()) -> String {
        let text = #"{"format": 2, "feed": "\#(feed)", "title": {"en": "F"}, "sections": [\#(sections)]}"#
        do {
            let document = String(decoding: try FeedDocument(parsing: Array(text.utf8)).canonical(), as: UTF8.self)
            return """
                SELECT vitrine.publish('\(feed)', '\(order.layer)', vitrine.save_revision('\(feed)', 'main', $doc$\(document)$doc$),
                    \(order.from), \(order.until), \(order.storefronts), true)
                """
        } catch {
            preconditionFailure("\(text): \(error)")
        }
    }

    /// A script that ends all takeovers, cancels all scheduled publications, and publishes all feeds again, so that no
    /// time changes what clients see.
    static let settledSchedule = """
        DO $$
        DECLARE
            ahead bigint;
        BEGIN
            FOR ahead IN
                SELECT DISTINCT publication FROM vitrine.publication_spans
                WHERE coalesce(upper(during), 'infinity') > clock_timestamp() AND (layer = 'takeover' OR lower(during) > clock_timestamp())
            LOOP
                BEGIN
                    PERFORM vitrine.cancel_publication(ahead);
                EXCEPTION WHEN object_not_in_prerequisite_state THEN
                    NULL; -- It has ended in the meantime.
                END;
            END LOOP;
            -- The experiment of a revision that is no longer published can be deleted.
            PERFORM vitrine.publish(feed, 'base', max(number), replaces_local => true)
            FROM vitrine.revisions
            WHERE NOT EXISTS (
                SELECT FROM vitrine.named_arms(document) AS named LEFT JOIN vitrine.experiments ON key = named.experiment
                WHERE NOT coalesce(arms ? named.arm, false))
            GROUP BY feed;
        END
        $$
        """

    /// Returns a query for the experiments that the newest publication of a feed names, and the holdout, as JSON.
    static func registry(of feed: String) -> String {
        """
        WITH newest AS (
            SELECT document
            FROM publications JOIN revisions ON (revisions.feed, number) = (publications.feed, revision)
            WHERE publications.feed = '\(feed)'
            ORDER BY id DESC
            LIMIT 1
        ), used AS (
            SELECT
                key,
                jsonb_strip_nulls(
                    jsonb_build_object('salt', salt, 'arms', arms, 'default', default_arm, 'state', state, 'winner', winner)) AS experiment
            FROM experiments
            WHERE key IN (SELECT named.experiment FROM newest CROSS JOIN LATERAL named_arms(document) AS named)
        )
        SELECT jsonb_build_object(
            'holdout', (SELECT jsonb_build_object('salt', salt, 'share', share) FROM holdouts),
            'experiments', (SELECT coalesce(jsonb_object_agg(key, experiment), '{}') FROM used))
        """
    }

    /// Imports a file in another process: some new, some changed and some unchanged items.
    func importItems(numbered first: Int, rating: Int, _ outcome: StressOutcome) async throws(PostgresError) {
        let lines = (first * 10..<(first * 10 + settings.imported)).map { number in
            """
            {"kind": "topApp", "source": "import-\(number)", "title": "Import \(number)", "categories": ["games"], "bundleId": "org.import.i\(number)", \
            "rating": {"average": 4, "count": \(number % 3 == 0 ? 1 : rating)}, "developer": "Quay", "appVersion": "1", "sizeBytes": 1, "platforms": ["ios"], \
            "ageRating": "4+", "releaseDate": "2024-02-29"}
            """
        }
        do {
            let file = "\(folder)/import.jsonl"
            try Descriptor(opening: file, .replace).write(Array(lines.joined(separator: "\n").utf8), subject: file)
            let environment = SystemInfo.environment.filter { !$0.key.hasPrefix("VITRINE_") && !$0.key.hasPrefix("PG") }
            let arguments = ["db", "load", "--chunk-size", "\(settings.chunk)", file]
            let (text, status) = try ProcessLaunch(try BuiltProgram.vitrine, arguments, environment: environment.merging(variables) { $1 })
                .output(
                    within: .seconds(60))
            // The exit code reports an unavailable database.
            outcome.expect([.code(0), .code(7), .code(1)].contains(status), .orderly, "an import ended with \(status): \(text)")
            outcome.count(status.isSuccess ? "imports" : "failed imports")
        } catch {
            throw PostgresError(.misuse, "\(error)")
        }
    }
}
