import EventLoop
import Feeds
import HTTPMessages
import Host
import Items
import JSON
import Postgres
import Publishing
import TestDatabase
import Testing
import Values

@testable import API
@testable import HTTP

@Suite("Stored pages", .databaseForEachTest)
struct PageCachingTests {
    /// Returns the SQL of a time of a publication.
    private static func later(_ interval: String) -> String { "vitrine.instant_text(now() + interval '\(interval)')" }

    @Test("A page is compressed at the highest level after its first response, and other cached responses stay")
    func compressed() async throws {
        try await PageSite.run { site in
            let (page, br) = ("GET /v1/us/feeds/today", ["Accept-Encoding: br"])
            let plain = try await site.send(page)
            let before = try await site.send(page, br)
            let key = try #require(PageCacheKey(try head("GET /v1/us/feeds?locale=en").target))
            _ = try await site.send("GET /v1/us/feeds?locale=en")
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
        try await PageSite.run { site in
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

    @Test("The list of a section is built once for all `Accept-Language` values of a locale")
    func languages() async throws {
        try await PageSite.run { site in
            let path = "/v1/us/feeds/today/sections/apps/items"
            let generation = try #require(site.service.memory.generation)
            let key = PageList.Key(storefront: "us", locale: "en", section: "today/apps")
            #expect(site.service.memory.list(key, of: generation) == nil)
            _ = try await site.send("GET \(path)")
            let made = try #require(site.service.memory.list(key, of: generation)).representation
            for number in 0..<20 { _ = try await site.send("GET \(path)", ["Accept-Language: en, x-\(number)"]) }
            #expect(site.service.memory.list(key, of: generation)?.representation === made)
            guard case .nothing = site.service.memory.find(try #require(PageCacheKey(try head("GET \(path)").target))) else {
                Issue.record("a question about a section is remembered")
                return
            }
        }
    }

    @Test("A page is updated immediately after a publication, and cached no longer than until the next change")
    func fresh() async throws {
        try await PageSite.run { site in
            let before = try await site.send("GET /v1/us/feeds/today")
            try await site.sql("UPDATE vitrine.item_texts SET title = 'Lighthouse' WHERE title = 'App 3'")
            let after = try await site.send("GET /v1/us/feeds/today")
            #expect(after.text.contains("Lighthouse") && after[.etag] != before[.etag])
            try await site.sql("SELECT vitrine.publish('today', 'takeover', 1, \(Self.later("90 seconds")), \(Self.later("1 hour")))")
            let control = try await site.send("GET /v1/us/feeds/today?locale=en")[.cacheControl][0]
            let stale = try #require(control.firstMatch(of: /max-age=60, stale-while-revalidate=([0-9]+)$/)).1
            #expect((1...30).contains(Int(stale) ?? 0), "\(control)")
            #expect(try await site.json("GET /v1/us/feeds/today").root["validUntil"] != nil)
            // The feed was live, and is archived now.
            try await site.sql("UPDATE vitrine.feeds SET archived_at = now()")
            #expect(try await site.send("GET /v1/us/feeds/today").status == .notFound)
        }
    }

    @Test("A page is cached no longer than until the next bound of a price period, and then has the other price")
    func pricePeriod() async throws {
        try await PageSite.run { site in
            let path = "GET /v1/us/feeds/today?locale=en"
            func prices() async throws -> [String] {
                let items = try await site.json(path).root["items"]?.members.map(\.value) ?? []
                let prices = items.filter { $0["slug"]?.string == "app-3" }.compactMap { $0["price"] }
                return try prices.map { String(decoding: try JSONValue($0).json(), as: UTF8.self) }
            }
            try await site.sql(
                """
                INSERT INTO vitrine.item_prices SELECT id, 'us', 'price', 499, 'USD' FROM vitrine.items WHERE slug = 'app-3';
                INSERT INTO vitrine.item_price_periods
                SELECT id, 'us', 'price', tstzrange(now() + interval '90 seconds', now() + interval '1 hour'), 299, 'USD', 499
                FROM vitrine.items WHERE slug = 'app-3'
                """)
            let control = try await site.send(path)[.cacheControl][0]
            let stale = try #require(control.firstMatch(of: /max-age=60, stale-while-revalidate=([0-9]+)$/)).1
            #expect((1...30).contains(Int(stale) ?? 0), "\(control)")
            #expect(try await prices() == [#"{"amountMinor":499,"currency":"USD"}"#])
            site.sequencer.withLock { $0.clockAhead = .seconds(100) }
            try await site.update()
            let sale = try await prices()
            #expect(sale.count == 1 && sale[0].hasPrefix(#"{"amountMinor":299,"currency":"USD","former":499,"until":""#), "\(sale)")
            site.sequencer.withLock { $0.clockAhead = .seconds(3_700) }
            try await site.update()
            #expect(try await prices() == [#"{"amountMinor":499,"currency":"USD"}"#])
            #expect(try await site.send(path)[.cacheControl] == ["public, max-age=60, stale-while-revalidate=60"])
        }
    }

    @Test("Versions never decrease on a connection while changes are published")
    func monotonic() async throws {
        try await PageSite.run { site in
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

    @Test("The version of a page never decreases, even if its newest item is removed")
    func versions() async throws {
        try await PageSite.run { site in
            try await site.sql("UPDATE vitrine.item_texts SET title = 'Lighthouse' WHERE title = 'App 3'")
            let before = try #require(try await site.json("GET /v1/us/feeds/today").root["version"]?.integer)
            try await site.sql("UPDATE vitrine.items SET deleted_at = now() WHERE slug = 'app-3'")
            let after = try await site.json("GET /v1/us/feeds/today").root
            #expect(try #require(after["version"]?.integer) > before)
        }
    }

    @Test("A changed item is updated, by tracing its sections or by reading everything", arguments: [0, 1, 2, 3])
    func traced(maxTraced: Int) async throws {
        try await PageSite.run(maxTraced: maxTraced) { site in
            for change in ["app-1", "app-1' OR slug = 'app-2"] {
                let version = "\(change.count).0"
                try await site.sql(
                    "UPDATE top_apps SET developer = '\(version)' FROM items WHERE id = item_id AND (slug = '\(change)')")
                let response = try await site.send("GET /v1/us/feeds/today")
                #expect(response.text.contains(version), "\(change)")
            }
        }
    }

    @Test("A refresh after a change of items takes one round trip, and shows the same as one that reads everything")
    func itemsOnly() async throws {
        try await PageSite.run { site in
            let (connection, service) = (site.connection, site.service)
            let pages = ["us", "de", "sa"].map { "GET /v1/\($0)/feeds/today" } + ["GET /v1/us/feeds/today/sections/apps/items"]
            for change in ["title = 'Renamed ' || locale WHERE item_id = md5('app-1')::uuid", "subtitle = 'Other'"] {
                try await connection.runScript("change", "UPDATE vitrine.item_texts SET \(change)", until: .soon)
                var sequencer = site.sequencer.withLock { $0 }
                _ = try await sequencer.drain(PostgresSession(connection, within: .seconds(60)))
                let drained = sequencer
                site.sequencer.withLock { $0 = drained }
                let before = connection.callCount
                let refresh = try await service.refresh(PostgresSession(connection, within: .seconds(60)))
                #expect(refresh.isChanged && connection.callCount - before == 1)
                let other = PageService(screens: service.screens, now: { .epoch })
                _ = try await other.refresh(PostgresSession(connection, within: .seconds(60)))
                let application = Application(Route.pages(other))
                for page in pages { #expect(try await site.send(page).text == application.send(page, []).text, "\(change): \(page)") }
            }
            #expect(try await site.send("GET /v1/us/feeds/today?locale=en").text.contains("Renamed en"))
        }
    }

    @Test("A page whose parts are unreadable keeps its items as well")
    func unreadableParts() async throws {
        try await PageSite.run { site in
            let before = try await site.send("GET /v1/us/feeds/today")
            let script = """
                UPDATE vitrine.published SET document = '{"order": {"in": "circles"}}', version = (SELECT version + 1 FROM vitrine.sync_head)
                WHERE storefront = 'us' AND kind = 'placement' AND id = (SELECT min(id) FROM vitrine.published WHERE kind = 'placement');
                UPDATE vitrine.sync_head SET version = version + 1;
                """
            try await site.connection.runScript("newer", script, until: .soon)
            _ = try await site.service.refresh(PostgresSession(site.connection, within: .seconds(60)))
            // Only an item has changed since.
            let item = """
                UPDATE vitrine.published SET document = replace(document::text, '"App 1"', '"Other"')::json,
                    version = (SELECT version + 1 FROM vitrine.sync_head)
                WHERE kind = 'item' AND id = md5('app-1')::uuid::text;
                UPDATE vitrine.sync_head SET version = version + 1;
                """
            try await site.connection.runScript("item", item, until: .soon)
            let refresh = try await site.service.refresh(PostgresSession(site.connection, within: .seconds(60)))
            #expect(refresh.issues.contains { $0.description.hasPrefix("today in us was not updated: ") })
            #expect(try await site.send("GET /v1/us/feeds/today").text == before.text)
        }
    }

    @Test("A page stays the same while published documents are unreadable, and continues after that")
    func misunderstood() async throws {
        try await PageSite.run { site in
            let before = try await site.send("GET /v1/us/feeds/today")
            // A document of a later version.
            try await site.connection.runScript(
                "newer",
                """
                UPDATE vitrine.published SET document = '{"order": {"in": "circles"}}', version = (SELECT version + 1 FROM vitrine.sync_head)
                WHERE storefront = 'us' AND kind = 'placement' AND id = (SELECT min(id) FROM vitrine.published WHERE kind = 'placement');
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
        try await PageSite.run { site in
            let response = try await site.send("GET /v1/us/feeds/today", [#"If-Match: "another""#])
            #expect(response.status == .preconditionFailed && response[.cacheControl] == ["no-store"])
        }
    }

    @Test("The list of feeds is cached until the next feed starts")
    func planned() async throws {
        try await PageSite.run { site in
            let games = PageSite.today.replacing("\"today\"", with: "\"games\"")
            let feed = String(decoding: try FeedDocument(parsing: Array(games.utf8)).canonical(), as: UTF8.self)
            // The response is cached before the start is known.
            #expect(
                try await site.send("GET /v1/us/feeds?locale=en")[.cacheControl] == ["public, max-age=60, stale-while-revalidate=60"])
            try await site.sql(
                """
                SELECT vitrine.publish('games', 'base', vitrine.save_revision('games', 'main', $feed$\(feed)$feed$), \(Self.later("1 day")));
                SELECT vitrine.publish('games', 'base', 1, \(Self.later("90 s")));
                """)
            let control = try await site.send("GET /v1/us/feeds?locale=en")[.cacheControl][0]
            #expect(
                control.firstMatch(of: /max-age=60, stale-while-revalidate=([0-9]+)$/).map { Int($0.1) ?? 0 <= 30 } == true, "\(control)")
            #expect(
                try await site.send("GET /v1/us/feeds/today?locale=en")[.cacheControl] == ["public, max-age=60, stale-while-revalidate=60"])
        }
    }

    @Test("A start in one storefront does not shorten the caching of the list of feeds in another one")
    func plannedElsewhere() async throws {
        try await PageSite.run { site in
            let games = PageSite.today.replacing("\"today\"", with: "\"games\"")
            let feed = String(decoding: try FeedDocument(parsing: Array(games.utf8)).canonical(), as: UTF8.self)
            try await site.sql(
                """
                SELECT vitrine.publish('games', 'base', vitrine.save_revision('games', 'main', $feed$\(feed)$feed$), \(Self.later("90 s")),
                    in_storefronts => '{sa}')
                """)
            for storefront in ["us", "de"] {
                let control = try await site.send("GET /v1/\(storefront)/feeds?locale=en")[.cacheControl]
                #expect(control == ["public, max-age=60, stale-while-revalidate=60"], "\(storefront)")
            }
            let control = try await site.send("GET /v1/sa/feeds?locale=en")[.cacheControl][0]
            #expect(
                control.firstMatch(of: /max-age=60, stale-while-revalidate=([0-9]+)$/).map { Int($0.1) ?? 0 <= 30 } == true, "\(control)")
        }
    }

    @Test("A page has the time of its next scheduled change, although a change of the schedule has no version")
    func scheduled() async throws {
        try await PageSite.run { site in
            let now = try await site.sequencer.withLock { $0 }.inspect(PostgresSession(site.connection, within: .seconds(60))).time
            func validUntil(_ storefront: String) async throws -> String? {
                try await site.json("GET /v1/\(storefront)/feeds/today?locale=en").root["validUntil"]?.string
            }
            let version = site.service.version
            #expect(try await validUntil("us") == nil)
            for days in [3, 2, 1] {
                let (start, end) = (now.advanced(by: .seconds(days * 86_400)), now.advanced(by: .seconds(days * 86_400 + 3_600)))
                try await site.sql("SELECT vitrine.publish('today', 'takeover', 1, '\(start)', '\(end)', '{us}')")
                #expect(try await validUntil("us") == "\(start)" && site.service.version == version, "\(days) days")
                #expect(try await validUntil("de") == nil)
            }
            // After a restore, the numbers of changes can begin again.
            try await site.sql(
                """
                DELETE FROM vitrine.published_ends;
                ALTER TABLE vitrine.published_ends ALTER COLUMN number RESTART;
                SELECT vitrine.begin_epoch(true);
                """)
            let (start, end) = (now.advanced(by: .seconds(43_200)), now.advanced(by: .seconds(46_800)))
            try await site.sql("SELECT vitrine.publish('today', 'takeover', 1, '\(start)', '\(end)', '{us}')")
            #expect(try await validUntil("us") == "\(start)")
        }
    }

    @Test("An archived feed has no pages until it is restored, by tracing its parts or by reading everything", arguments: [0, 5_000])
    func archived(maxTraced: Int) async throws {
        try await PageSite.run(maxTraced: maxTraced) { site in
            func ids() async throws -> [String] {
                try await site.json("GET /v1/us/feeds/today?locale=en").root["sections"]?.elements.compactMap { $0["id"]?.string } ?? []
            }
            let before = try await ids()
            for _ in 1...2 {
                try await site.sql("UPDATE vitrine.feeds SET archived_at = now()")
                #expect(try await site.send("GET /v1/us/feeds/today?locale=en").status == .notFound)
                try await site.sql("UPDATE vitrine.feeds SET archived_at = NULL")
                #expect(try await ids() == before && !before.isEmpty)
            }
        }
    }

    @Test("A page and the list of feeds are cached no longer than until the next bound of a section, and then differ")
    func sectionPeriod() async throws {
        try await PageSite.run { site in
            let page = "GET /v1/us/feeds/today?locale=en"
            let now = try await site.sequencer.withLock { $0 }.inspect(PostgresSession(site.connection, within: .seconds(60))).time
            func during(_ storefront: String, _ seconds: ClosedRange<Int>) -> String {
                let (from, until) = (now.advanced(by: .seconds(seconds.lowerBound)), now.advanced(by: .seconds(seconds.upperBound)))
                return PageSite.today.replacing(
                    "\"skeleton\": 6",
                    with: #""during": {"from": "\#(from)", "until": "\#(until)"}, "target": {"storefronts": ["\#(storefront)"]}"#)
            }
            func ids() async throws -> [String] {
                try await site.json("\(page)&platform=ios").root["sections"]?.elements.compactMap { $0["id"]?.string } ?? []
            }
            try await site.publish(during("us", 90...3_600))
            for path in [page, "GET /v1/us/feeds?locale=en"] {
                let control = try await site.send(path)[.cacheControl][0]
                let stale = try #require(control.firstMatch(of: /max-age=60, stale-while-revalidate=([0-9]+)$/)).1
                #expect((0...30).contains(Int(stale) ?? -1), "\(control)")
                #expect(
                    try await site.send(path.replacing("/us/", with: "/de/"))[.cacheControl]
                        == ["public, max-age=60, stale-while-revalidate=60"])
            }
            #expect(try await site.json(page).root["validUntil"]?.string?.isEmpty == false)
            #expect(try await ids() == ["today/food"])
            let list = "GET /v1/us/feeds/today/sections/apps/items?locale=en"
            #expect(try await site.send(list).status == .notFound)
            site.sequencer.withLock { $0.clockAhead = .seconds(100) }
            try await site.update()
            #expect(try await ids() == ["today/apps", "today/food"])
            let next = try #require(try await site.json("\(list)&limit=5").root["section"]?["next"]?.string)
            site.sequencer.withLock { $0.clockAhead = .seconds(3_700) }
            try await site.update()
            #expect(try await ids() == ["today/food"])
            #expect(try await site.send("GET \(next)").status == .gone)
            #expect(try await site.send(page)[.cacheControl] == ["public, max-age=60, stale-while-revalidate=60"])
        }
    }

    @Test("A publication in one storefront changes no byte, ETag or cursor of another one")
    func otherStorefronts() async throws {
        try await PageSite.run { site in
            // The cursors of a list are on its pages.
            let paths = ["feeds?locale=en", "feeds/today?locale=en", "feeds/today/sections/apps/items?locale=en&limit=5"]
            func responses(_ storefront: String) async throws -> [[String]] {
                var responses: [[String]] = []
                for path in paths {
                    let response = try await site.send("GET /v1/\(storefront)/\(path)")
                    #expect(response.status == .ok, "\(path): \(response.text)")
                    responses.append([response.text] + response[.etag])
                }
                return responses
            }
            let others = ["us", "de"]
            var before: [[[String]]] = []
            for storefront in others { before.append(try await responses(storefront)) }
            let changed = try await responses("sa")
            let next = try #require(try await site.json("GET /v1/us/\(paths[2])").root["section"]?["next"]?.string)
            let rest = try await site.send("GET \(next)").text

            let night = PageSite.today.replacing("\"Today\"", with: "\"Tonight\"").replacing("\"Apps\"", with: "\"Tools\"")
            let document = String(decoding: try FeedDocument(parsing: Array(night.utf8)).canonical(), as: UTF8.self)
            try await site.sql(
                """
                SELECT vitrine.publish('today', 'takeover', vitrine.save_revision('today', 'night', $feed$\(document)$feed$), NULL,
                    \(Self.later("80 s")), '{sa}');
                """)
            let shown = try await responses("sa")
            #expect(shown[1][0].contains("Tonight") && shown[0] != changed[0] && shown[1] != changed[1])
            for (storefront, previous) in zip(others, before) {
                #expect(try await responses(storefront) == previous, "\(storefront)")
                let control = try await site.send("GET /v1/\(storefront)/feeds/today?locale=en")[.cacheControl]
                #expect(control == ["public, max-age=60, stale-while-revalidate=60"], "\(storefront)")
            }
            #expect(try await site.json("GET /v1/sa/feeds/today").root["validUntil"] != nil)
            #expect(try await site.send("GET \(next)").text == rest)
        }
    }

    @Test("A page follows its storefront's settings, whose changes change no document")
    func storefront() async throws {
        try await PageSite.run { site in
            #expect(try await site.json("GET /v1/us/feeds/today").root["title"]?.string == "Today")
            try await site.sql("UPDATE vitrine.storefronts SET default_locale = 'es' WHERE key = 'us'")
            #expect(try await site.json("GET /v1/us/feeds/today").root["title"]?.string == "Hoy")
            #expect(try await site.json("GET /v1/us/feeds").root["locale"]?.string == "es")
            // The storefront of the catalog replaces an unreadable one.
            try await site.sql("UPDATE vitrine.published_storefronts SET document = '{}' WHERE storefront = 'us'")
            #expect(try await site.json("GET /v1/us/feeds/today").root["title"]?.string == "Hoy")
            try await site.sql("UPDATE vitrine.storefronts SET default_locale = 'en' WHERE key = 'us'")
            #expect(try await site.json("GET /v1/us/feeds/today").root["title"]?.string == "Today")
        }
    }
}
