import Access
import HTTPMessages
import JSON
import Postgres
import Publishing
import Security
import TestDatabase
import Testing

@testable import API
@testable import HTTP

@Suite("The route of the status", .databaseForEachTest)
struct StatusRouteTests {
    private static let path = "/admin/v1/status"

    /// Publishes everything, as the leader does.
    private static func drain(_ site: AdminSite) async throws {
        try await site.pool.withConnection(until: .soon) { connection in
            var sequencer = Sequencer(ruleTime: .seconds(30), hashedBy: Digest.sha256)
            _ = try await sequencer.drain(PostgresSession(connection, within: .seconds(60)))
        }
    }

    /// Moves the start of all publications to an hour ago.
    private static let started = """
        ALTER TABLE vitrine.publication_spans DISABLE TRIGGER USER;
        UPDATE vitrine.publication_spans SET during = tstzrange(now() - interval '1 hour', NULL);
        ALTER TABLE vitrine.publication_spans ENABLE TRIGGER USER;
        """

    private static func codes(_ status: JSONNode) -> [String] { status["warnings"]?.elements.compactMap { $0["code"]?.string } ?? [] }

    @Test("A server without feeds reports its storefronts, and that no process publishes changes")
    func empty() async throws {
        try await AdminSite.run { site in
            let status = try await site.expect(.ok, "GET \(Self.path)", try await site.token(.read)).json
            #expect(status["feeds"]?.count == 0 && status["nextChange"] == nil && Self.codes(status) == ["sequencerStopped"])
            let storefronts = try #require(status["storefronts"]?.elements.map { $0 })
            #expect(storefronts.count > 1 && storefronts.allSatisfy { $0["feeds"]?.count == 0 })
        }
    }

    @Test("The status has the published feeds of each storefront, the next change, and the changes that are not yet published")
    func published() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            let path = "/admin/v1/feeds/today"
            try await site.expect(.created, "PUT \(path)/draft", anna, ["If-None-Match: *"], body: AdminSite.today)
            func publish(_ order: String) async throws {
                let tag = try await site.expect(.ok, "GET \(path)/publications", anna).tag
                try await site.expect(.created, "POST \(path)/publications", anna, ["If-Match: \(tag)"], body: order)
            }
            try await publish(#"{"revision":1}"#)
            let before = try await site.expect(.ok, "GET \(Self.path)", anna).json
            #expect(before["pendingChangeCount"]?.integer ?? 0 > 0 && before["storefronts"]?.first?["feeds"]?.count == 0)
            try await Self.drain(site)
            try await site.sql(
                """
                INSERT INTO vitrine.sync_outbox (kind, keys, is_import)
                VALUES ('category', '{a,b,c}', true), ('category', '{a,b}', false), ('category', '{d}', true)
                """)
            try await site.sql("UPDATE vitrine.sync_head SET due_sections = 2")
            let waiting = try await site.expect(.ok, "GET \(Self.path)", anna).json
            #expect(waiting["pendingChangeCount"]?.integer == 6 && waiting["pendingImportedChangeCount"]?.integer == 4)
            #expect(waiting["pendingSectionCount"]?.integer == 2)
            try await Self.drain(site)
            try await publish(#"{"revision":1,"layer":"takeover","from":"2099-01-01T18:00:00Z","until":"2099-01-02T00:00:00Z"}"#)

            let status = try await site.expect(.ok, "GET \(Self.path)", anna).json
            for storefront in status["storefronts"]?.elements.map({ $0 }) ?? [] {
                let feed = storefront["feeds"]?.first
                #expect(feed?["feed"]?.string == "today" && feed?["revision"]?.integer == 1 && feed?["sectionCount"]?.integer == 1)
            }
            #expect(status["nextChange"]?["at"]?.string == "2099-01-01T18:00:00.000000Z")
            #expect(status["nextChange"]?["publication"]?["layer"]?.string == "takeover")
            #expect(status["nextChange"]?["storefronts"]?.elements.map { $0.string } == ["de", "sa", "us"])
            #expect(status["feeds"]?.first?["live"]?.elements.map { $0["revision"]?.integer } == [1])
            let one = try await site.expect(.ok, "GET \(Self.path)?storefront=us", anna).json
            #expect(one["storefronts"]?.elements.compactMap { $0["storefront"]?.string } == ["us"])
        }
    }

    @Test("The status has the findings of its storefronts, and warns of failed imports and items that cannot be indexed")
    func warnings() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.read, "anna")
            try await site.sql(
                """
                SELECT vitrine.publish('today', 'base', vitrine.save_revision('today', 'main', '{"feed":"today","sections":[]}'));
                INSERT INTO vitrine.live_findings (feed, code, subject, storefront, severity, section, revision, pointer, message, help, since)
                SELECT 'today', 'RULE_TOO_SLOW', 'apps', storefront, 'error', 'apps', 1, '/sections/0/rule', 'it is slow', 'Simplify it.', now()
                FROM unnest('{us,de}'::text[]) AS storefront;
                INSERT INTO vitrine.imports (actor, ended_at, failure, is_dry_run) VALUES ('anna', now() + interval '1 hour', 'fileTooLarge', false);
                INSERT INTO vitrine.unindexed_items (item_id, reason) VALUES (gen_random_uuid(), 'broken');
                """)
            let status = try await site.expect(.ok, "GET \(Self.path)", anna).json
            #expect(Self.codes(status) == ["sequencerStopped", "itemsNotIndexed", "importFailed"])
            #expect(status["findings"]?.elements.compactMap { $0["storefronts"]?.count } == [2])
            let one = try await site.expect(.ok, "GET \(Self.path)?storefront=us", anna).json
            #expect(one["findings"]?.elements.map { $0["storefronts"]?.elements.map { $0.string } } == [["us"]])
        }
    }

    @Test("A restored feed and a new storefront have no warning until the leader had time to publish them")
    func delays() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            func codes() async throws -> [String] {
                Self.codes(try await site.expect(.ok, "GET \(Self.path)", anna).json).filter { $0 != "sequencerStopped" }
            }
            try await site.sql(
                """
                SELECT vitrine.publish('today', 'base', vitrine.save_revision('today', 'main',
                    '{"format": 2, "feed":"today","title":{"en":"Today"},"sections":[]}'));
                \(Self.started)
                UPDATE vitrine.feeds SET archived_at = now();
                """)
            try await Self.drain(site)
            let later = "UPDATE vitrine.sync_outbox SET recorded_at = recorded_at - interval '31 seconds'"
            try await site.sql("UPDATE vitrine.feeds SET archived_at = NULL")
            #expect(try await codes().isEmpty)
            try await site.sql(later)
            #expect(try await codes() == ["publicationDelayed"])
            try await Self.drain(site)
            #expect(try await codes().isEmpty)

            try await site.sql(
                """
                INSERT INTO vitrine.storefronts VALUES ('fr', 'EUR', 'Europe/Paris', 'en');
                INSERT INTO vitrine.storefront_locales VALUES ('fr', 'en', 1);
                """)
            #expect(try await codes().isEmpty)
            try await site.sql(later + ";" + Self.started)
            #expect(try await codes() == ["publicationDelayed"])
            try await Self.drain(site)
            #expect(try await codes().isEmpty)
        }
    }

    @Test("Changes that a leader does not publish for ten minutes have a warning")
    func pendingChanges() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.read, "anna")
            func codes() async throws -> [String] { Self.codes(try await site.expect(.ok, "GET \(Self.path)", anna).json) }
            try await site.pool.withConnection(until: .soon) { connection in
                let sequencer = Sequencer(ruleTime: .seconds(30), hashedBy: Digest.sha256)
                #expect(try await sequencer.elect(PostgresSession(connection, within: .seconds(60))))
                try await site.sql("INSERT INTO vitrine.categories (key, item_kind) VALUES ('later', 'topApp')")
                #expect(try await codes().isEmpty)
                try await site.sql("UPDATE vitrine.sync_outbox SET recorded_at = now() - interval '11 minutes'")
                #expect(try await codes() == ["changesDelayed"])
                try await connection.runScript("release", "SELECT pg_advisory_unlock_all()", until: .soon)
            }
        }
    }

    @Test("A dry run that failed is not the last import")
    func dryRun() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.read, "anna")
            try await site.sql(
                """
                INSERT INTO vitrine.imports (actor, ended_at, failure, is_dry_run)
                VALUES ('anna', now() + interval '1 hour', NULL, false), ('anna', now() + interval '1 hour', 'fileTooLarge', true);
                UPDATE vitrine.imports SET hash = sha256('') WHERE failure IS NULL;
                """)
            let status = try await site.expect(.ok, "GET \(Self.path)", anna).json
            #expect(!Self.codes(status).contains("importFailed"))
        }
    }

    @Test("A draft that differs from the base for more than two weeks has a warning, unless a storefront shows it or it is scheduled")
    func drafts() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.read, "anna")
            // The history of a feed cannot be changed, so the test writes old rows without triggers.
            try await site.sql(
                """
                ALTER TABLE vitrine.revisions DISABLE TRIGGER USER; ALTER TABLE vitrine.publication_spans DISABLE TRIGGER USER;
                INSERT INTO vitrine.feeds (key) VALUES ('old'), ('new'), ('planned'), ('partly');
                INSERT INTO vitrine.revisions (feed, number, line, document, saved_at)
                SELECT feed, number, 'main', '{"feed":"' || feed || '","sections":[],"n":' || number || '}', now() - age
                FROM (VALUES ('old', interval '15 days'), ('new', interval '13 days'), ('planned', interval '15 days'), ('partly', interval '15 days'))
                    AS feeds (feed, age)
                CROSS JOIN generate_series(1, 2) AS number;
                WITH ordered AS (
                    INSERT INTO vitrine.publications (feed, layer, revision, storefronts, from_text)
                    SELECT feed, layer::vitrine.publication_layer, revision, storefronts, vitrine.instant_text(now() + since)
                    FROM (VALUES
                        ('old', 'base', 1, NULL, interval '-30 days'), ('new', 'base', 1, NULL, interval '-30 days'),
                        ('planned', 'base', 1, NULL, interval '-30 days'), ('planned', 'takeover', 2, '{sa}'::text[], interval '1 day'),
                        ('partly', 'base', 1, '{de,us}', interval '-30 days'), ('partly', 'base', 2, '{sa}', interval '-30 days')
                    ) AS orders (feed, layer, revision, storefronts, since)
                    RETURNING id, feed, layer, storefronts, from_text
                )
                INSERT INTO vitrine.publication_spans (publication, feed, layer, storefront, during)
                SELECT id, feed, layer, key, tstzrange(from_text::timestamptz, NULL)
                FROM ordered JOIN vitrine.storefronts AS places ON ordered.storefronts IS NULL OR places.key = ANY (ordered.storefronts);
                """)
            let status = try await site.expect(.ok, "GET \(Self.path)", anna).json
            let drafts = status["warnings"]?.elements.filter { $0["code"]?.string == "draftUnpublished" } ?? []
            #expect(drafts.compactMap { $0["feed"]?.string } == ["old"])
        }
    }

    @Test("A token sees its own expiry, and an administrator those of all tokens")
    func tokens() async throws {
        try await AdminSite.run { site in
            let soon = try await site.token(.read, "soon", lifetime: .seconds(3 * 86_400))
            _ = try await site.token(.read, "later", lifetime: .seconds(30 * 86_400))
            func names(_ token: AccessToken) async throws -> [String] {
                try await site.expect(.ok, "GET \(Self.path)", token).json["warnings"]?.elements.filter {
                    $0["code"]?.string == "tokenExpiring"
                }
                .compactMap { $0["message"]?.string?.split(separator: "'").dropFirst().first.map(String.init) } ?? []
            }
            #expect(try await names(soon) == ["soon"])
            #expect(try await names(try await site.token(.publish, "anna")).isEmpty)
            #expect(try await names(try await site.token(.admin, "root")) == ["soon"])
        }
    }

    @Test("The status needs a token, an existing storefront and no unknown parameter")
    func refusals() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.read, "anna")
            #expect(try await site.expect(.unauthorized, "GET \(Self.path)", nil).code == "missingToken")
            #expect(try await site.expect(.notFound, "GET \(Self.path)?storefront=xx", anna).code == "unknownStorefront")
            #expect(try await site.expect(.badRequest, "GET \(Self.path)?at=now", anna).code == "invalidParameter")
        }
    }
}
