import EventLoop
import Feeds
import HTTPMessages
import JSON
import Layout
import Postgres
import TestDatabase
import Testing
import Values

@testable import API
@testable import HTTP

@Suite("Sync and the form of a storefront", .databaseForEachTest)
struct SyncStorefrontTests {
    /// Each app and the meal, in a feed that shows all of them.
    private static let all = #"""
        {"format": 2, "feed": "all", "title": {"de": "Alles", "es": "Todo"}, "sections": [
          {"key": "apps", "title": {"de": "Programme", "es": "Programas"}, "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "size": 20},
          {"key": "food", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "foodApp"}, "size": 20}]}
        """#

    private struct Form: Equatable {
        /// The items by ID, without their IDs.
        var items: [String: [String: JSONValue]] = [:]
        var title: String?
        var titles: [String: String] = [:]

        /// Reads a page.
        init(page: JSONNode) {
            title = page["title"]?.string
            for item in page["items"].map({ Array($0.members) }) ?? [] { items[item.key] = Self.members(of: item.value) }
            for section in page["sections"].map({ Array($0.elements) }) ?? [] {
                if let id = section["id"]?.string { titles[id] = section["title"]?.string }
            }
        }

        /// Reads the changes of a load.
        init(changes: [JSONNode]) {
            for change in changes {
                guard let id = change["id"]?.string, let data = change["data"] else { continue }
                switch change["kind"]?.string {
                case "item": items[id] = Self.members(of: data).filter { $0.key != "id" }
                case "feed": title = data["title"]?.string
                case "section": titles[id] = data["title"]?.string
                default: continue
                }
            }
        }

        private static func members(of node: JSONNode) -> [String: JSONValue] {
            Dictionary(node.members.map { ($0.key, JSONValue($0.value)) }, uniquingKeysWith: { $1 })
        }
    }

    /// Publishes the feed with all items, two of which have no English title and the age 6.
    private func prepare(_ site: SyncSite, _ script: String = "") async throws {
        let feed = String(decoding: try FeedDocument(parsing: Array(Self.all.utf8)).canonical(), as: UTF8.self)
        try await site.sql(
            """
            SELECT vitrine.publish('all', 'base', vitrine.save_revision('all', 'main', $feed$\(feed)$feed$));
            SELECT pg_temp.top_app('solo', '{"de": "Nur", "es": "Solo"}', rating => 4, ratings => 10);
            SELECT vitrine.derive_items(1000);
            BEGIN;
            INSERT INTO item_age_ratings SELECT item_id, 'usk', '6' FROM item_age_ratings WHERE item_id = md5('solo')::uuid;
            DELETE FROM item_age_ratings WHERE item_id = md5('solo')::uuid AND scheme = 'apple-2015';
            COMMIT;
            \(script)
            """)
    }

    @Test(
        "After a change of a storefront, a copy is loaded again and equals a fresh page",
        arguments: [
            ("", "UPDATE storefronts SET rating_scheme = 'usk' WHERE key = 'us'"),
            ("", "UPDATE storefronts SET time_zone = 'America/Chicago' WHERE key = 'us'"),
            ("", "UPDATE storefronts SET default_locale = 'es' WHERE key = 'us'"),
            ("", "UPDATE storefronts SET currency = 'CAD' WHERE key = 'us'"),
            // The age of a label, the label that covers an age, a new label that covers it, and the age by which it is covered.
            ("", "UPDATE rating_labels SET minimum_age = 5 WHERE (scheme, label) = ('apple-2015', '4+')"),
            ("", "UPDATE rating_labels SET minimum_age = 7 WHERE (scheme, label) = ('apple-2015', '9+')"),
            ("UPDATE storefronts SET rating_scheme = 'usk' WHERE key = 'us';", "INSERT INTO rating_labels VALUES ('usk', '5', 5)"),
            ("", "UPDATE rating_labels SET minimum_age = 11 WHERE (scheme, label) = ('usk', '6')"),
        ])
    func storefrontForm(before script: String, change: String) async throws {
        try await SyncSite.run { site in
            try await prepare(site, script)
            let pages = Application(Route.pages(site.pages))
            func page() async throws -> (form: Form, tag: [String]) {
                let response = try await pages.send("GET /v1/us/feeds/all?locale=en")
                #expect(response.status == .ok)
                return (Form(page: try JSONDocument(parsing: Array(response.text.utf8), limits: .page).root), response[.etag])
            }
            let (form, tag) = try await page()
            var copies: [String: (form: Form, cursor: String)] = [:]
            for scope in ["locale=en", "feeds=all&locale=en"] {
                let copy = try await site.load(scope)
                copies[scope] = (Form(changes: copy.changes), copy.cursor)
                #expect(copies[scope]?.form.items == form.items)
            }
            let digest = try await site.json("/v1/us/sync/head?locale=en")["digest"]?.string
            let german = try #require(try await site.json("/v1/de/sync?locale=de")["cursor"]?.string)
            // Only the sequencer knows the change. A server that has not read it yet sends no page in a mixed form.
            try await site.connection.runScript("change", change, until: .soon)
            try await site.drain()
            for (scope, copy) in copies {
                let response = try await site.send("GET /v1/us/sync?\(scope)&cursor=\(copy.cursor)")
                #expect(response.status == .gone && response[.cacheControl] == ["no-store"])
                let problem = try JSONDocument(parsing: Array(response.text.utf8)).root
                #expect(problem["code"]?.string == "cursorExpired" && problem["reason"]?.string == "storefrontChanged")
                #expect(problem["resync"]?["kind"]?.string == "full" && problem["resync"]?["version"]?.integer == 0)
                let again = try await site.load("\(scope)&limit=100")
                copies[scope] = (Form(changes: again.changes), again.cursor)
                #expect(copies[scope]?.form != copy.form)
            }
            try await site.refresh()
            let changed = try await page()
            #expect(changed.form != form && changed.tag != tag)
            for (scope, copy) in copies {
                #expect(copy.form.items == changed.form.items)
                if scope != "locale=en" { #expect(copy.form == changed.form) }
                #expect(try await site.json("/v1/us/sync?\(scope)&cursor=\(copy.cursor)")["changes"]?.count == 0)
            }
            #expect(try await site.json("/v1/us/sync/head?locale=en")["digest"]?.string == digest)
            // The labels of schemes are those of all storefronts.
            if change.contains("'us'") { _ = try await site.json("/v1/de/sync?locale=de&cursor=\(german)") }
        }
    }

    @Test(
        "A change of the vocabulary that clients do not see keeps all cursors valid",
        arguments: [
            "UPDATE category_texts SET title = 'Utilities' WHERE category = 'tools'",
            "INSERT INTO storefront_locales VALUES ('us', 'de', 3)",
            "INSERT INTO rating_labels VALUES ('pegi', '14', 14)",
            "UPDATE rating_labels SET minimum_age = 8 WHERE (scheme, label) = ('usk', '6')",
            "INSERT INTO rating_schemes VALUES ('cero'); INSERT INTO rating_labels VALUES ('cero', 'A', 0)",
            "UPDATE platforms SET is_served = false WHERE key = 'tvos'",
        ])
    func hiddenVocabulary(change: String) async throws {
        try await SyncSite.run { site in
            try await prepare(site)
            let copy = try await site.load("locale=en")
            try await site.sql("BEGIN; \(change); COMMIT;")
            let page = try await site.json("/v1/us/sync?locale=en&cursor=\(copy.cursor)")
            #expect(page["changes"]?.count == 0 && page["upToDate"]?.bool == true)
            #expect(Form(changes: try await site.load("locale=en&limit=100").changes) == Form(changes: copy.changes))
        }
    }

    @Test("A stream ends when its storefront gets another form, and a poll returns the 410")
    func streamOfAnotherForm() async throws {
        try await SyncSite.run { site in
            let cursor = try await site.load("locale=en").cursor
            async let polled = site.send("GET /v1/us/sync?locale=en&wait=60&cursor=\(cursor)")
            try await site.streaming("locale=en", ["Last-Event-ID: \(cursor)"]) { events in
                #expect(try #require(await events.first { _ in true }).contains("\"upToDate\":true"))
                while site.sync.waiting < 2 { try await site.loop.sleep(until: .after(.milliseconds(1)), named: "until both wait") }
                try await site.sql("UPDATE storefronts SET rating_scheme = 'usk' WHERE key = 'us'")
                var rest: [String] = []
                for await event in events { rest.append(event) }
                #expect(rest.count == 1 && rest[0].hasPrefix("event: gone\n") && rest[0].contains("\"reason\":\"storefrontChanged\""))
            }
            let reply = try await polled
            #expect(reply.status == .gone, "\(reply.text)")
        }
    }

    @Test("A stream and a poll of a storefront that is closed end with the problem of a request for it")
    func closing() async throws {
        try await SyncSite.run { site in
            let cursor = try await site.load("locale=en").cursor
            async let polled = site.send("GET /v1/us/sync?locale=en&wait=60&cursor=\(cursor)")
            try await site.streaming("locale=en", ["Last-Event-ID: \(cursor)"]) { events in
                #expect(try #require(await events.first { _ in true }).contains("\"upToDate\":true"))
                while site.sync.waiting < 2 { try await site.loop.sleep(until: .after(.milliseconds(1)), named: "until both wait") }
                // Only the storefront changes: nothing is published.
                try await site.connection.runScript("close", "UPDATE storefronts SET closed_at = now() WHERE key = 'us'", until: .soon)
                try await site.refresh()
                var rest: [String] = []
                for await event in events { rest.append(event) }
                #expect(rest.count == 1 && rest[0].hasPrefix("event: gone\n") && rest[0].contains("\"code\":\"unknownStorefront\""))
            }
            let reply = try await polled
            #expect(reply.status == .notFound && reply.text.contains("unknownStorefront"), "\(reply.text)")
        }
    }

    @Test("A storefront that is not published yet has no cursors")
    func unpublished() async throws {
        try await SyncSite.run { site in
            let key = "jp"
            try await site.connection.runScript(
                "add",
                """
                BEGIN;
                INSERT INTO storefronts (key, currency, time_zone, default_locale) VALUES ('\(key)', 'JPY', 'Asia/Tokyo', 'ja');
                INSERT INTO storefront_locales VALUES ('\(key)', 'ja', 1);
                COMMIT;
                """, until: .soon)
            try await site.refresh()
            #expect(try await site.send("GET /v1/\(key)/sync?locale=ja").status == .unavailable)
            try await site.update()
            #expect(try await site.json("/v1/\(key)/sync?locale=ja")["upToDate"]?.bool == true)
        }
    }
}
