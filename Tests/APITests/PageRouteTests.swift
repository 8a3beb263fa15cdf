import Catalog
import EventLoop
import Feeds
import HTTPMessages
import Host
import Items
import JSON
import Layout
import Postgres
import Publishing
import ScreenFiles
import Security
import TestDatabase
import TestSupport
import Testing
import Values

@testable import API
@testable import HTTP

@Suite("The routes of pages", .databaseForEachTest)
struct PageRouteTests {
    /// Thirty apps and a meal, in two sections.
    private static let catalog = """
        SELECT pg_temp.top_app('app-' || n, format('{"en": "App %s", "es": "Aplicación %s", "de": "Programm %s"}', n, n, n)::jsonb,
            rating => 5 - n / 10.0, ratings => 100) FROM generate_series(1, 30) AS n;
        SELECT pg_temp.food_app('ramen', '{"en": "Ramen"}', rating => 4, ratings => 10);
        SELECT vitrine.derive_items(1000);
        """

    private static let today = #"""
        {"format": 2, "feed": "today", "title": {"en": "Today", "es": "Hoy"}, "sections": [
          {"key": "apps", "title": {"en": "Apps"}, "layout": {"carousel": {"rows": 3, "width": 0.93, "paging": "groupPaging"}}, "cell": "appRow",
           "rule": {"kind": "topApp"}, "badges": [{"badge": "new", "on": ["topapp:app-2"]}], "continues": true,
           "seeAll": {"title": {"en": "All apps"}, "layout": {"list": {}}}, "skeleton": 6},
          {"key": "food", "layout": {"preset": "zoom-carousel"}, "cell": "foodCard", "rule": {"kind": "foodApp"},
           "target": {"platforms": ["ios"], "appVersion": ">=3.0"}}]}
        """#

    private struct Site: Sendable {
        let connection: PostgresConnection
        let service: PageService
        let application: Application
        let sequencer: Locked<Sequencer>

        func send(_ line: String, _ fields: [String] = []) async throws -> Response { try await application.send(line, fields) }

        func json(_ line: String, _ fields: [String] = []) async throws -> JSONDocument {
            let response = try await send(line, fields)
            #expect(response.status == .ok, "\(line): \(response.text)")
            return try JSONDocument(parsing: Array(response.text.utf8), limits: .page)
        }

        func publish(_ document: String) async throws {
            let feed = try FeedDocument(parsing: Array(document.utf8))
            let query = PostgresQuery(
                "publish", "SELECT vitrine.publish($1::text, 'base', vitrine.save_revision($1, 'main', $2::text))", feed.key.text,
                String(decoding: feed.canonical(), as: UTF8.self))
            _ = try await connection.run(query, until: .soon)
            try await update()
        }

        func sql(_ script: String) async throws {
            try await connection.runScript("change", script, until: .soon)
            try await update()
        }

        /// Publishes all changes, and reads them.
        func update() async throws {
            var drained = sequencer.withLock { $0 }
            let session = PostgresSession(connection, within: .seconds(60))
            _ = try await drained.drain(session)
            let retained = drained
            sequencer.withLock { $0 = retained }
            _ = try await service.refresh(PostgresSession(connection, within: .seconds(60)))
        }
    }

    private func run(
        _ documents: [String] = [today], maxTraced: Int = 5_000, _ body: @escaping @Sendable (Site) async throws -> Void
    ) async throws {
        let sequencer = Sequencer(
            ruleTime: .seconds(30), hashedBy: Digest.sha256)
        let service = PageService(
            screens: try ScreenMatrix.builtIn(), maxTraced: maxTraced, now: { .epoch })
        try await withConnection { connection in
            let application = Application(Route.pages(service))
            let notYet = try await application.send("GET /v1/us/feeds/today")
            #expect(notYet.status == .unavailable)
            try await connection.runScript(
                "rows", CatalogRows.functions + "BEGIN;" + CatalogRows.storefronts + "COMMIT;" + Self.catalog, until: .soon)
            let site = Site(connection: connection, service: service, application: application, sequencer: Locked(sequencer))
            for document in documents { try await site.publish(document) }
            try await body(site)
        }
    }

    @Test("A page has its layouts, its first items and a cursor for more")
    func page() async throws {
        try await run { site in
            let ios = [#"Vitrine-Client: platform=ios, app="3.2.0", os="17.4""#]
            let response = try await site.send("GET /v1/us/feeds/today?form=personal", ios)
            #expect(response.status == .ok)
            #expect(response[.cacheControl] == ["private, max-age=60"])
            #expect(response[.vary] == ["accept-encoding, vitrine-client, vitrine-layout, accept-language"])
            #expect(response["content-language"] == ["en"])
            let again = try await site.send("GET /v1/us/feeds/today?form=personal", ios + ["If-None-Match: \(response[.etag][0])"])
            #expect(again.status == .notModified && again[.contentType] == [] && again[.vary] == response[.vary])
            let document = JSONValue(try JSONDocument(parsing: Array(response.text.utf8), limits: .page).root)
            // The database's own key signs the cursor.
            let text = String(decoding: try document.json(.pretty) + [0x0A], as: UTF8.self).replacing(/cursor=[^&"]+/, with: "cursor=…")
            #expect(text == (try Golden("page.json").text(recording: text)))
        }
    }

    @Test("A changed item is updated, by tracing its sections or by reading everything", arguments: [0, 1, 2, 3])
    func traced(maxTraced: Int) async throws {
        try await run(maxTraced: maxTraced) { site in
            for change in ["app-1", "app-1' OR slug = 'app-2"] {
                let version = "\(change.count).0"
                try await site.sql(
                    "UPDATE top_apps SET developer = '\(version)' FROM items WHERE id = item_id AND (slug = '\(change)')")
                let response = try await site.send("GET /v1/us/feeds/today")
                #expect(response.text.contains(version), "\(change)")
            }
        }
    }

    @Test("A page has the requested storefront and locale, and unknown ones are rejected")
    func places() async throws {
        try await run { site in
            let spanish = try await site.json("GET /v1/us/feeds/today?locale=es").root
            #expect(spanish["title"]?.string == "Hoy" && spanish["locale"]?.string == "es")
            let german = try await site.json("GET /v1/de/feeds/today", ["Accept-Language: de-AT"]).root
            #expect(german["locale"]?.string == "de" && german["title"]?.string == "Today")
            for (line, code) in [
                ("GET /v1/fr/feeds/today", "unknownStorefront"), ("GET /v1/us/feeds/games", "unknownFeed"),
                ("GET /v1/fr/feeds", "unknownStorefront"),
                ("GET /v1/us/feeds/today/sections/none/items", "unknownSection"), ("GET /v1/us/layouts/none", "unknownLayout"),
                ("GET /v1/us/layouts/00000000000000000000000000000000", "unknownLayout"),
            ] {
                let response = try await site.send(line)
                #expect(response.status == .notFound && response.text.contains(code), "\(line): \(response.text)")
            }
            for line in [
                "GET /v1/us/feeds/today?locale=fr", "GET /v1/us/feeds/today?x=1", "GET /v1/us/feeds/today/sections/apps/items?limit=0",
            ] {
                #expect(try await site.send(line).status == .badRequest)
            }
            let feeds = try await site.json("GET /v1/us/feeds").root["feeds"]?.elements.map { $0["href"]?.string }
            #expect(feeds == ["/v1/us/feeds/today?locale=en"])
        }
    }

    @Test("A personal page omits sections for other clients, and is rendered once for clients with the same sections")
    func targets() async throws {
        try await run { site async throws in
            func sections(_ client: String) async throws -> [String] {
                let root = try await site.json("GET /v1/us/feeds/today?form=personal", ["Vitrine-Client: \(client)"]).root
                return root["sections"]?.elements.compactMap { $0["id"]?.string } ?? []
            }
            #expect(try await sections(#"platform=ios, app="3.0""#) == ["today/apps", "today/food"])
            for other in [#"platform=ios, app="2.9""#, "platform=android", "", "platform=ios, app=", #"platform=ios, app="3.x""#] {
                #expect(try await sections(other) == ["today/apps"], "\(other)")
            }
            #expect(site.service.rendered.count == 2)
        }
    }

    @Test("A shared page has the targets that only a client can evaluate, and evaluates the platform of its URL")
    func shared() async throws {
        try await run { site async throws in
            func sections(_ query: String) async throws -> [String: String] {
                let root = try await site.json("GET /v1/us/feeds/today?locale=en\(query)").root
                return try Dictionary(
                    uniqueKeysWithValues: (root["sections"]?.elements.map { Array([$0]) } ?? []).joined().map { section in
                        let target = try section["target"].map { String(decoding: try JSONValue($0).json(), as: UTF8.self) }
                        return (try #require(section["id"]?.string), target ?? "everybody")
                    })
            }
            #expect(
                try await sections("&platform=ios") == ["today/apps": "everybody", "today/food": #"{"appVersion":">=3"}"#])
            for other in ["", "&platform=android", "&screen=iphone"] {
                #expect(try await sections(other) == ["today/apps": "everybody"], "\(other)")
            }
            #expect(try await sections("&platform=ios&form=personal") == ["today/apps": "everybody"])
        }
    }

    @Test("A shared page has the lengths of its sections on the screen of its URL, and unknown names are rejected")
    func screen() async throws {
        try await run { site async throws in
            let screens = try await site.json("GET /v1/screens").root["screens"]?.elements.compactMap { $0["name"]?.string } ?? []
            #expect(screens.contains("iphone") && screens.contains("ipad"))
            func extents(_ query: String) async throws -> [Double] {
                try await site.json("GET /v1/us/feeds/today?locale=en\(query)").root["sections"]?.elements.compactMap {
                    $0["extent"]?.double
                } ?? []
            }
            let none = try await extents("&platform=ios")
            let phone = try await extents("&platform=ios&screen=iphone")
            let tablet = try await extents("&platform=ios&screen=ipad")
            #expect(none.isEmpty && !phone.isEmpty && phone.count == tablet.count && phone != tablet)
            for query in ["screen=phone", "platform=iphone", "form=shared", "form=personal&screen=phone"] {
                #expect(try await site.send("GET /v1/us/feeds/today?\(query)").status == .badRequest, "\(query)")
            }
        }
    }

    @Test("Public responses are the same for all other request fields")
    func isPublic() async throws {
        try await run { site async throws in
            var random = SeededRandom(seed: 21)
            for path in [
                "feeds?locale=en", "feeds/today?locale=es", "feeds/today?locale=en&platform=ios&screen=ipad",
                "feeds/today/sections/apps/items?limit=2&locale=en",
            ] {
                let plain = try await site.send("GET /v1/us/\(path)")
                #expect(plain[.vary] == ["accept-encoding"] && plain[.cacheControl][0].hasPrefix("public"), "\(path)")
                for _ in 0..<60 {
                    // Otherwise all but the first response would come from the cache.
                    let state = try #require(site.service.memory.publishedState)
                    site.service.memory.show(state, isChanged: true)
                    let all = [
                        "Accept-Language: \(["es", "en", "ar;q=0.1", "*"].randomElement(using: &random)!)",
                        "Vitrine-Client: platform=ios, app=\"\(Int.random(in: 1...9, using: &random)).0\", id=\"\(random.next())\"",
                        "Vitrine-Layout: version=1, width=\(Int.random(in: 300...1_400, using: &random)), height=800, capabilities=()",
                        "Origin: https://shop.example", "Cookie: a=\(random.next())", "User-Agent: \(random.next())",
                    ]
                    let response = try await site.send("GET /v1/us/\(path)", all.filter { _ in Bool.random(using: &random) })
                    #expect(response.text == plain.text, "\(path)")
                    for name in [.vary, .cacheControl, .etag, "content-language", "link"] as [FieldName] {
                        #expect(response[name] == plain[name], "\(path) \(name)")
                    }
                }
            }
        }
    }

    @Test("A page is compressed at the highest level after its first response, and other cached responses stay")
    func compressed() async throws {
        try await run { site in
            let (page, br) = ("GET /v1/us/feeds/today", ["Accept-Encoding: br"])
            let plain = try await site.send(page)
            let before = try await site.send(page, br)
            let key = try #require(PageCacheKey(try head("GET /v1/us/feeds")))
            _ = try await site.send("GET /v1/us/feeds")
            var pages = 0
            while let compress = site.service.nextToCompress {
                compress()
                pages += 1
            }
            #expect(pages == 1)
            let after = try await site.send(page, br)
            #expect(after[.contentEncoding] == ["br"] && before[.etag] != after[.etag])
            #expect((after.body.count ?? .max) < (before.body.count ?? 0))
            #expect(try await site.send(page)[.etag] == plain[.etag])
            guard case .response = site.service.memory.find(key) else {
                Issue.record("the response for another page is not remembered")
                return
            }
        }
    }

    @Test("A large page is compressed once next to the event loops, for requests on all of them")
    func large() async throws {
        try await run { site in
            let sections = (0..<20).map { number in
                #"{"key": "apps-\#(number)", "title": {"en": "Apps"}, "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "size": 25}"#
            }
            try await site.publish(
                #"{"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [\#(sections.joined(separator: ","))]}"#)
            let page = "GET /v1/us/feeds/today"
            #expect(try await site.send(page).body.count ?? 0 > SideWork.smallest)
            let codings = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<20 { group.addTask { try await site.send(page, ["Accept-Encoding: br"])[.contentEncoding] } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codings == Array(repeating: ["br"], count: 20))
            #expect(site.application.sideWork.compressionCount == 1)
        }
    }

    @Test("Versions never decrease on a connection while changes are published")
    func monotonic() async throws {
        try await run { site in
            let isDone = Locked(false)
            try await withThrowingTaskGroup { group in
                group.addTask(executorPreference: globalConcurrentExecutor) {
                    func version(_ path: String, _ fields: [String] = []) async throws -> Int {
                        let root = try await site.json("GET /v1/us/\(path)", fields).root
                        return root["version"]?.integer ?? root["feeds"]?.elements.compactMap { $0["version"]?.integer }.max() ?? -1
                    }
                    var number = 0
                    repeat {
                        number += 1
                        // The first request is new, and the next one may be cached.
                        let first = try await version("feeds", ["Vitrine-Client: id=\"\(number)\""])
                        let second = try await version("feeds/today")
                        let third = try await version("feeds")
                        #expect(first <= second && second <= third)
                    } while !isDone.withLock { $0 }
                }
                for number in 1...20 {
                    try await site.sql(
                        "UPDATE vitrine.item_texts SET title = 'Lighthouse \(number)' WHERE title LIKE 'Lighthouse%' OR title = 'App 3'")
                }
                isDone.withLock { $0 = true }
                try await group.waitForAll()
            }
        }
    }

    @Test("The list of a section is built once for all `Accept-Language` values of a locale")
    func languages() async throws {
        try await run { site in
            let path = "/v1/us/feeds/today/sections/apps/items"
            let generation = try #require(site.service.memory.generation)
            let key = PageList.Key(storefront: "us", locale: "en", section: "today/apps")
            #expect(site.service.memory.list(key, of: generation) == nil)
            _ = try await site.send("GET \(path)")
            let made = try #require(site.service.memory.list(key, of: generation)).representation
            for number in 0..<20 { _ = try await site.send("GET \(path)", ["Accept-Language: en, x-\(number)"]) }
            #expect(site.service.memory.list(key, of: generation)?.representation === made)
            guard
                case .nothing = site.service.memory.find(try #require(PageCacheKey(try head("GET \(path)", ["Accept-Language: en, x-1"]))))
            else {
                Issue.record("a question about a section is remembered")
                return
            }
        }
    }

    @Test("A page has layouts that the client supports, and the section lengths on its screen")
    func layouts() async throws {
        try await run { site in
            func page(_ layout: String) async throws -> JSONDocument {
                try await site.json(
                    "GET /v1/us/feeds/today?form=personal", ["Vitrine-Layout: \(layout)", #"Vitrine-Client: platform=ios, app="3""#])
            }
            let any = try await page("version=1").root
            let able = try await page(#"version=1, capabilities=("effect.centerScale")"#).root
            let plain = try await page("version=1, capabilities=()").root
            func layout(_ page: JSONNode) -> String? { page["sections"].map { Array($0.elements) }?.last?["layout"]?.string }
            #expect(layout(any) == layout(able) && layout(able) != layout(plain))
            let known = try #require(any["layouts"]?[layout(any) ?? ""])
            #expect(known["fallback"]?.string == layout(plain))
            #expect(plain["layouts"]?[layout(able) ?? ""] == nil)
            #expect(any["sections"]?.elements.allSatisfy { $0["extent"] == nil } == true)
            let phone = try await page("version=1, width=390, height=844").root["sections"]?.elements.map { $0["extent"]?.double ?? 0 }
            let tablet = try await page("version=1, width=1024, height=1366").root["sections"]?.elements.map { $0["extent"]?.double ?? 0 }
            #expect(phone?.allSatisfy { $0 > 0 } == true && phone != tablet)
            #expect(
                try await site.send("GET /v1/us/layouts/\(layout(any) ?? "")")[.cacheControl] == ["public, max-age=31536000, immutable"])
            for odd in [
                "version=2, width=390", "version=1, width=0, height=1", "version=1, width=1e9", "version=1, width=-1, height=3",
                "nonsense =",
            ] {
                #expect(try await page(odd).root["sections"]?.elements.allSatisfy { $0["extent"] == nil } == true)
            }
        }
    }

    @Test("A section lists each placement once, and its cursor is valid until the feed changes")
    func section() async throws {
        try await run { site in
            let page = try await site.json("GET /v1/us/feeds/today").root["sections"].map { Array($0.elements) }?.first
            var placements = page?["items"]?.elements.compactMap { $0["placement"]?.string } ?? []
            #expect(placements.count == FeedSection.standardSize)
            let first = try #require(page?["next"]?.string)
            var next: String? = "\(first)&limit=2"
            var count = 0
            while let link = next {
                let document = try await site.json("GET \(link)").root
                placements += document["section"]?["items"]?.elements.compactMap { $0["placement"]?.string } ?? []
                #expect(document["section"]?["items"]?.count ?? 0 <= 2 && document["items"]?.count ?? 0 <= 2)
                next = document["section"]?["next"]?.string
                count += 1
            }
            #expect(placements.count == 30 && Set(placements).count == 30 && count == 5)
            #expect(try await site.json("GET /v1/us/feeds/today/sections/apps/items?limit=100").root["section"]?["items"]?.count == 30)
            #expect(try await site.send("GET \(first)x").status == .badRequest)
            #expect(
                try await site.send("GET \(first.replacing("/us/", with: "/de/").replacing("locale=en", with: "locale=de"))").text.contains(
                    "cursorMismatch"))
            // A change by a rule does not invalidate the cursor.
            try await site.sql("UPDATE vitrine.items SET rating_average = 1 WHERE slug = 'app-1'")
            #expect(try await site.send("GET \(first)").status == .ok)
            try await site.publish(Self.today.replacing("\"skeleton\": 6", with: "\"skeleton\": 5"))
            let gone = try await site.send("GET \(first)")
            #expect(gone.status == .gone && gone[.cacheControl] == ["no-store"])
            let restart = try #require(try JSONDocument(parsing: Array(gone.text.utf8)).root["restart"]?.string)
            #expect(try await site.json("GET \(restart)").root["locale"]?.string == "en")
        }
    }

    @Test("A page is updated immediately after a publication, and cached no longer than until the next change")
    func fresh() async throws {
        try await run { site in
            let before = try await site.send("GET /v1/us/feeds/today")
            try await site.sql("UPDATE vitrine.item_texts SET title = 'Lighthouse' WHERE title = 'App 3'")
            let after = try await site.send("GET /v1/us/feeds/today")
            #expect(after.text.contains("Lighthouse") && after[.etag] != before[.etag])
            try await site.sql("SELECT vitrine.publish('today', 'takeover', 1, now() + interval '90 seconds', now() + interval '1 hour')")
            let control = try await site.send("GET /v1/us/feeds/today?locale=en")[.cacheControl][0]
            let stale = try #require(control.firstMatch(of: /max-age=60, stale-while-revalidate=([0-9]+)$/)).1
            #expect((1...30).contains(Int(stale) ?? 0), "\(control)")
            #expect(try await site.json("GET /v1/us/feeds/today").root["validUntil"] != nil)
            // The feed was live, and is archived now.
            try await site.sql("UPDATE vitrine.feeds SET archived_at = now()")
            #expect(try await site.send("GET /v1/us/feeds/today").status == .notFound)
        }
    }

    @Test("The version of a page never decreases, even if its newest item is removed")
    func versions() async throws {
        try await run { site in
            try await site.sql("UPDATE vitrine.item_texts SET title = 'Lighthouse' WHERE title = 'App 3'")
            let before = try #require(try await site.json("GET /v1/us/feeds/today").root["version"]?.integer)
            try await site.sql("UPDATE vitrine.items SET deleted_at = now() WHERE slug = 'app-3'")
            let after = try await site.json("GET /v1/us/feeds/today").root
            #expect(try #require(after["version"]?.integer) > before)
        }
    }

    @Test("A page stays the same while published documents are unreadable, and continues after that")
    func misunderstood() async throws {
        try await run { site in
            let before = try await site.send("GET /v1/us/feeds/today")
            // A document of a later version.
            try await site.connection.runScript(
                "newer",
                """
                UPDATE vitrine.published SET document = '{"order": {"in": "circles"}}', version = (SELECT version + 1 FROM vitrine.sync_head)
                WHERE storefront = 'us' AND id = (SELECT min(id) FROM vitrine.published WHERE kind = 'placement');
                UPDATE vitrine.published SET document = jsonb_set(document::jsonb, '{title,de}', '"Heute"')::json,
                    version = (SELECT version + 2 FROM vitrine.sync_head)
                WHERE kind = 'feed' AND storefront = 'de';
                UPDATE vitrine.sync_head SET version = version + 2;
                """, until: .soon)
            let refresh = try await site.service.refresh(PostgresSession(site.connection, within: .seconds(60)))
            #expect(refresh.isChanged && refresh.issues.map(\.description).count { $0.hasPrefix("today in us was not updated: ") } == 1)
            #expect(try await site.send("GET /v1/us/feeds/today").text == before.text)
            #expect(try await site.json("GET /v1/de/feeds/today").root["title"]?.string == "Heute")
        }
    }

    @Test("A failed precondition is not cached")
    func refused() async throws {
        try await run { site in
            let response = try await site.send("GET /v1/us/feeds/today", [#"If-Match: "another""#])
            #expect(response.status == .preconditionFailed && response[.cacheControl] == ["no-store"])
        }
    }

    @Test("The list of feeds is cached until the next feed starts")
    func planned() async throws {
        try await run { site in
            let games = Self.today.replacing("\"today\"", with: "\"games\"")
            let feed = String(decoding: try FeedDocument(parsing: Array(games.utf8)).canonical(), as: UTF8.self)
            try await site.sql(
                "SELECT vitrine.publish('games', 'base', vitrine.save_revision('games', 'main', $feed$\(feed)$feed$), now() + interval '90 s')"
            )
            let control = try await site.send("GET /v1/us/feeds?locale=en")[.cacheControl][0]
            #expect(
                control.firstMatch(of: /max-age=60, stale-while-revalidate=([0-9]+)$/).map { Int($0.1) ?? 0 <= 30 } == true, "\(control)")
            #expect(
                try await site.send("GET /v1/us/feeds/today?locale=en")[.cacheControl] == ["public, max-age=60, stale-while-revalidate=60"])
        }
    }

    @Test("A page follows its storefront's settings, whose changes are not published")
    func storefront() async throws {
        try await run { site in
            #expect(try await site.json("GET /v1/us/feeds/today").root["title"]?.string == "Today")
            try await site.sql("UPDATE vitrine.storefronts SET default_locale = 'es' WHERE key = 'us'")
            #expect(try await site.json("GET /v1/us/feeds/today").root["title"]?.string == "Hoy")
            #expect(try await site.json("GET /v1/us/feeds").root["locale"]?.string == "es")
        }
    }

    @Test("The JSON Schemas of documents are served")
    func schemas() async throws {
        let service = PageService(screens: ScreenMatrix(screens: []), now: { .epoch })
        let application = Application(Route.pages(service))
        for name in ["layout", "feed"] {
            let response = try await application.send("GET /schemas/\(name).json")
            #expect(response.status == .ok && response[.contentType] == ["application/schema+json"])
            #expect(try JSONDocument(parsing: Array(response.text.utf8), limits: .page).root["$schema"] != nil)
        }
    }
}
