import Feeds
import HTTPMessages
import JSON
import Layout
import ScreenFiles
import TestDatabase
import TestSupport
import Testing
import Values

@testable import API
@testable import HTTP

@Suite("The routes of pages", .databaseForEachTest)
struct PageRouteTests {
    @Test("A page has its layouts, its first items and a cursor for more")
    func page() async throws {
        try await PageSite.run { site in
            let ios = [#"Vitrine-Client: platform=ios, app="3.2.0", os="17.4""#]
            let response = try await site.send("GET /v1/us/feeds/today?form=personal", ios)
            #expect(response.status == .ok)
            #expect(response[.cacheControl] == ["private, max-age=60"])
            #expect(response[.vary] == ["accept-encoding, vitrine-client, vitrine-layout, accept-language"])
            #expect(response["content-language"] == ["en"])
            let again = try await site.send("GET /v1/us/feeds/today?form=personal", ios + ["If-None-Match: \(response[.etag][0])"])
            #expect(again.status == .notModified && again[.contentType] == [] && again[.vary] == response[.vary])
            let document = JSONValue(try JSONDocument(parsing: Array(response.text.utf8), limits: .page).root)
            // The database's own key signs the cursor and the impression.
            let text = String(decoding: try document.json(.pretty) + [0x0A], as: UTF8.self)
                .replacing(/cursor=[^&"]+/, with: "cursor=…").replacing(/"impression": "[^"]+"/, with: #""impression": "…""#)
            #expect(text == (try Golden("page.json").text(recording: text)))
        }
    }

    @Test("A page has the requested storefront and locale, and unknown ones are rejected")
    func places() async throws {
        try await PageSite.run { site in
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

    @Test("A personal page omits sections for other clients, and is rendered once for clients with the same sections and platform")
    func targets() async throws {
        try await PageSite.run { site async throws in
            func sections(_ client: String) async throws -> [String] {
                let root = try await site.json("GET /v1/us/feeds/today?form=personal", ["Vitrine-Client: \(client)"]).root
                return root["sections"]?.elements.compactMap { $0["id"]?.string } ?? []
            }
            #expect(try await sections(#"platform=ios, app="3.0""#) == ["today/apps", "today/food"])
            for other in [#"platform=ios, app="2.9""#, "platform=android", "", "platform=ios, app=", #"platform=ios, app="3.x""#] {
                #expect(try await sections(other) == ["today/apps"], "\(other)")
            }
            #expect(site.service.rendered.count == 4)
            // A client cannot make pages by inventing platforms.
            for number in 0..<20 { #expect(try await sections("platform=x\(number)") == ["today/apps"]) }
            #expect(site.service.rendered.count == 4)
        }
    }

    @Test("A shared page has the targets that only a client can evaluate, and evaluates the platform of its URL")
    func shared() async throws {
        try await PageSite.run { site async throws in
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

    /// Two sections with the best-rated items. Clients see all items of the second one.
    private static let mixed = #"""
        {"format": 2, "feed": "mixed", "title": {"en": "Mixed"}, "sections": [
          {"key": "some", "layout": {"list": {}}, "cell": "row", "size": 3, "rule": {"any": [{"kind": "topApp"}, {"kind": "foodApp"}]},
           "seeAll": {"title": {"en": "All"}, "size": 31}},
          {"key": "all", "layout": {"list": {}}, "cell": "row", "size": 3, "rule": {"any": [{"kind": "topApp"}, {"kind": "foodApp"}]},
           "eligibility": "none"}]}
        """#

    @Test("A page and its lists have the items of the platform, also after the platforms change")
    func eligibility() async throws {
        try await PageSite.run([Self.mixed]) { site async throws in
            func slugs(_ items: JSONNode?, in root: JSONNode) -> [String] {
                (items?.elements.map(\.self) ?? []).map { root["items"]?[$0["item"]?.string ?? ""]?["slug"]?.string ?? "?" }
            }
            func page(_ platform: String?) async throws -> [String: [String]] {
                let query = platform.map { "&platform=\($0)" } ?? ""
                let root = try await site.json("GET /v1/us/feeds/mixed?locale=en\(query)").root
                #expect(root["platform"]?.string == platform)
                var sections: [String: [String]] = [:]
                for section in root["sections"]?.elements.map(\.self) ?? [] {
                    sections[section["id"]?.string ?? ""] = slugs(section["items"], in: root)
                }
                return sections
            }
            func list(_ platform: String) async throws -> [String] {
                var path: String? = "/v1/us/feeds/mixed/sections/some/items?limit=7&locale=en&platform=\(platform)"
                var items: [String] = []
                while let next = path {
                    let root = try await site.json("GET \(next)").root
                    items += slugs(root["section"]?["items"], in: root)
                    path = root["section"]?["next"]?.string
                }
                return items
            }
            let best = ["app-1", "app-2", "app-3"]
            for platform in [nil, "ios", "ipados"] {
                #expect(try await page(platform) == ["mixed/some": best, "mixed/all": best], "\(platform ?? "-")")
            }
            // The apps run on iOS only, and a FoodApp runs everywhere.
            #expect(try await page("android") == ["mixed/some": ["ramen"], "mixed/all": best])
            #expect(try await list("android") == ["ramen"])
            #expect(try await list("ios").count == 31)
            try await site.sql(
                "INSERT INTO item_platforms (item_id, platform) SELECT id, 'android' FROM items WHERE slug IN ('app-29', 'app-30')")
            #expect(try await page("android")["mixed/some"] == ["ramen", "app-29", "app-30"])
            #expect(try await list("android") == ["ramen", "app-29", "app-30"])
            #expect(try await page("ios")["mixed/some"] == best)
            try await site.sql("UPDATE platforms SET is_served = false WHERE key NOT IN ('ios', 'ipados')")
            #expect(try await page("android") == ["mixed/all": best])
            #expect(try await list("android") == ["ramen", "app-29", "app-30"])
            try await site.sql("INSERT INTO platforms (key, runs) VALUES ('xr', '{xr,android}')")
            try await site.sql("SELECT vitrine.derive_items(1000)")
            #expect(try await page("xr")["mixed/some"] == ["ramen", "app-29", "app-30"])
            for query in ["feeds/mixed?platform=web", "feeds/mixed/sections/some/items?platform=web"] {
                let response = try await site.send("GET /v1/us/\(query)")
                #expect(response.status == .badRequest && response.text.contains("expected one of android, ios"), "\(response.text)")
            }
        }
    }

    @Test("A shared page has the lengths of its sections on the screen of its URL, and unknown names are rejected")
    func screen() async throws {
        try await PageSite.run { site async throws in
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

    @Test("A page has layouts that the client supports, and the section lengths on its screen")
    func layouts() async throws {
        try await PageSite.run { site in
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

    @Test("A list has each placement once, and its cursor is valid until its order changes or its section is gone")
    func section() async throws {
        try await PageSite.run { site in
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
            // Neither a change of the catalog nor a publication with the same rule invalidates the cursor.
            try await site.sql("UPDATE vitrine.items SET rating_average = 1 WHERE slug = 'app-1'")
            try await site.publish(PageSite.today.replacing("\"skeleton\": 6", with: "\"skeleton\": 5"))
            #expect(try await site.send("GET \(first)").status == .ok)
            for (other, code) in [
                (PageSite.today.replacing("\"apps\"", with: "\"others\""), "sectionGone"),
                (PageSite.today.replacing("\"skeleton\": 6", with: "\"sort\": \"-releaseDate\""), "listChanged"),
            ] {
                try await site.publish(other)
                let gone = try await site.send("GET \(first)")
                #expect(gone.status == .gone && gone[.cacheControl] == ["no-store"] && gone.text.contains(code))
                let restart = try #require(try JSONDocument(parsing: Array(gone.text.utf8)).root["restart"]?.string)
                #expect(try await site.json("GET \(restart)").root["locale"]?.string == "en")
            }
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
