import Artwork
import Catalog
import EventLoop
import HTTPMessages
import Host
import Items
import JSON
import Postgres
import TestDatabase
import Testing
import Values

@testable import API
@testable import HTTP

@Suite("The routes of the catalog", .database)
struct CatalogRouteTests {
    private static let items = """
        SET search_path = vitrine, public;
        BEGIN;
        INSERT INTO storefronts VALUES ('us', 'USD', 'America/New_York', 'en'), ('sa', 'SAR', 'Asia/Riyadh', 'ar');
        INSERT INTO storefront_locales VALUES ('us', 'en', 1), ('us', 'es', 2), ('sa', 'ar', 1), ('sa', 'en', 2);
        INSERT INTO categories VALUES ('tools', 'topApp'), ('albums', 'topApp'), ('videos', 'topApp');
        INSERT INTO category_texts VALUES ('tools', 'en', 'Tools'), ('tools', 'es', 'Herramientas');
        INSERT INTO items (id, kind, source, slug, content_hash, rating_average, rating_count, serial_number)
        SELECT lpad(n::text, 32, '0')::uuid, 'topApp', 'app-' || n, 'app-' || n, sha256(int8send(n)), 4, n, n FROM generate_series(1, 12) AS n;
        INSERT INTO top_apps (item_id, bundle_id, developer, app_version, size_bytes, release_date)
        SELECT id, slug, 'Quay Labs', '1.0', 1000, '2024-01-01' FROM items;
        INSERT INTO item_platforms (item_id, platform) SELECT id, 'ios' FROM items;
        INSERT INTO item_age_ratings (item_id, scheme, label) SELECT id, 'apple-2015', '4+' FROM items;
        INSERT INTO item_texts (item_id, locale, title) SELECT id, 'en', 'App ' || serial_number FROM items;
        INSERT INTO item_texts (item_id, locale, title) SELECT id, 'es', 'Aplicación ' || serial_number FROM items WHERE serial_number = 1;
        INSERT INTO item_categories SELECT id, 'tools', 1 FROM items;
        INSERT INTO item_images (item_id, role, place, appearance, template, width, height, sizes)
        SELECT id, role, place, appearance, '/' || role || '-' || place || '/{w}x{h}', width, width, CASE WHEN width > 0 THEN '{}'::integer[] END
        FROM items CROSS JOIN (VALUES
            ('icon', 0, 'light', 64), ('icon', 0, 'dark', NULL), ('screenshot', 0, 'light', 64), ('screenshot', 1, 'light', 64)
        ) AS images (role, place, appearance, width)
        WHERE serial_number = 2;
        INSERT INTO charts VALUES ('us', 'top-free');
        INSERT INTO chart_entries SELECT 'us', 'top-free', serial_number, id FROM items;
        INSERT INTO items (id, kind, source, slug, content_hash, is_everywhere, serial_number)
        SELECT lpad(n::text, 32, '0')::uuid, 'topApp', 'local-' || n, 'local-' || n, sha256(int8send(n)), false, n FROM generate_series(2001, 2097) AS n;
        INSERT INTO top_apps (item_id, bundle_id, developer, app_version, size_bytes, release_date)
        SELECT id, slug, 'Riyadh Labs', '1.0', 1000, '2024-01-01' FROM items WHERE slug LIKE 'local-%';
        INSERT INTO item_platforms (item_id, platform) SELECT id, 'ios' FROM items WHERE slug LIKE 'local-%';
        INSERT INTO item_age_ratings (item_id, scheme, label) SELECT id, 'apple-2015', '4+' FROM items WHERE slug LIKE 'local-%';
        INSERT INTO item_texts (item_id, locale, title) SELECT id, 'en', 'Local' FROM items WHERE slug LIKE 'local-%';
        INSERT INTO item_categories SELECT id, 'tools', 1 FROM items WHERE slug LIKE 'local-%';
        INSERT INTO item_categories SELECT id, 'albums', 2 FROM items WHERE slug = 'local-2096';
        INSERT INTO item_categories SELECT id, 'videos', 2 FROM items WHERE slug = 'local-2097';
        INSERT INTO item_availability
        SELECT id, 'sa', (CASE slug WHEN 'local-2096' THEN '{(,\(dayLater))}' WHEN 'local-2097' THEN '{(,\(twoDaysLater))}' ELSE '{(,)}' END)::tstzmultirange
        FROM items WHERE slug LIKE 'local-%';
        INSERT INTO items (id, kind, source, slug, content_hash, is_everywhere, serial_number)
        VALUES ('00000000-0000-0000-0000-00000000ffff', 'topApp', 'passing', 'passing', sha256('passing'), false, 5000);
        INSERT INTO top_apps (item_id, bundle_id, developer, app_version, size_bytes, release_date)
        SELECT id, slug, 'Quay Labs', '1.0', 1000, '2024-01-01' FROM items WHERE slug = 'passing';
        INSERT INTO item_platforms (item_id, platform) SELECT id, 'ios' FROM items WHERE slug = 'passing';
        INSERT INTO item_age_ratings (item_id, scheme, label) SELECT id, 'apple-2015', '4+' FROM items WHERE slug = 'passing';
        INSERT INTO item_texts (item_id, locale, title) SELECT id, 'en', 'Passing' FROM items WHERE slug = 'passing';
        INSERT INTO item_categories SELECT id, 'tools', 1 FROM items WHERE slug = 'passing';
        INSERT INTO item_availability SELECT id, 'sa', '{(,\(end))}' FROM items WHERE slug = 'passing';
        UPDATE items SET slug = 'passing-now' WHERE slug = 'passing';
        INSERT INTO item_price_periods
        VALUES ('00000000-0000-0000-0000-000000000001', 'us', 'price', '[\(saleStart),\(saleStart.advanced(by: .seconds(86_400))))', 299, 'USD', 499);
        INSERT INTO items (id, kind, source, slug, content_hash, serial_number, deleted_at)
        VALUES ('00000000-0000-0000-0000-00000000fffe', 'topApp', 'gone', 'gone', sha256('gone'), 5001, transaction_timestamp());
        UPDATE items SET slug = 'gone-now' WHERE slug = 'gone';
        COMMIT;
        SELECT derive_items(1000);
        """
    /// The end of the availability of one item, and the start of a sale of another one.
    private static let (end, saleStart) = (midnight(after: 600), midnight(after: 400))
    /// The ends of two other items, each in a category of its own. In the order of the keys, the category that changes
    /// first is between these categories.
    private static let (dayLater, twoDaysLater) = (midnight(after: 601), midnight(after: 602))

    /// Returns the midnight in UTC after the given number of days.
    private static func midnight(after days: Int) -> Timestamp {
        let day = 86_400_000_000
        return Timestamp(clamping: (SystemInfo.wallClock / day + days) * day)
    }

    /// An item that is available in one storefront until then.
    private static let passing = "00000000-0000-0000-0000-00000000ffff"
    private static let first = "00000000-0000-0000-0000-000000000001"
    private static let withdrawn = "00000000-0000-0000-0000-00000000fffe"

    /// The routes over the catalog of the suite, and their event loop.
    private struct Site: Sendable {
        let application: Application
        let loop: EventLoop

        func send(_ line: String, _ fields: [String] = []) async throws -> Response {
            let request = Request(
                head: try head(line, fields), body: [], peer: .init(address: "192.0.2.1", isEncrypted: false), deadline: .soon)
            return try await application.send(request, on: loop)
        }
    }

    /// Runs a body with a new server over the same catalog in each call.
    private func run(at time: Timestamp = .epoch, _ body: @escaping @Sendable (Site) async throws -> Void) async throws {
        try await withPool { pool in
            try await pool.withConnection(until: .soon) { connection in
                try await connection.runScript("lock", "SELECT pg_advisory_lock(1)", until: .soon)
                let query = PostgresQuery("filled", "SELECT EXISTS (SELECT FROM vitrine.storefronts)", isPrepared: false)
                let isFilled = try await connection.rows(of: query, as: Bool.self, until: .soon)
                if isFilled == [false] { try await connection.runScript("shelf", Self.items + CatalogRows.publish, until: .soon) }
                try await connection.runScript("unlock", "SELECT pg_advisory_unlock(1)", until: .soon)
            }
            let service = CatalogService(pool: { _ in pool }, now: { time })
            try await body(Site(application: Application(Route.catalog(service)), loop: pool.loop))
        }
    }

    private func document(_ response: Response) throws -> JSONNode {
        try JSONDocument(parsing: Array(response.text.utf8), limits: .ownOutput).root
    }

    @Test("A response has the requested locale and an ETag of its content")
    func representation() async throws {
        try await run { site async throws in
            let path = "/v1/us/items/\(Self.first)"
            let english = try await site.send("GET \(path)")
            #expect(english.status == .ok && english["content-language"] == ["en"] && english[.contentType] == ["application/json"])
            #expect(english[.cacheControl] == ["private, max-age=60"])
            #expect(english[.vary] == ["accept-encoding, accept-language"])
            #expect(try document(english)["title"]?.string == "App 1")
            #expect(try document(english)["id"]?.string == Self.first)
            for response in [
                try await site.send("GET \(path)?locale=es"), try await site.send("GET \(path)", ["Accept-Language: fr, es-MX;q=0.9"]),
            ] {
                #expect(response["content-language"] == ["es"])
                #expect(try document(response)["title"]?.string == "Aplicación 1")
                #expect(response[.etag] != english[.etag])
            }
            let spanish = try await site.send("GET \(path)?locale=es")
            #expect(spanish[.vary] == ["accept-encoding"])
            #expect(spanish[.cacheControl] == ["public, max-age=60, stale-while-revalidate=60"])
            let tag = try #require(english[.etag].first)
            #expect(try await site.send("GET \(path)", ["If-None-Match: \(tag)"]).status == .notModified)
            #expect(try await site.send("GET \(path)?locale=es", ["If-None-Match: \(tag)"]).status == .ok)
        }
    }

    @Test("The links of a list lead through all its pages, in the body and in the `Link` header")
    func pages() async throws {
        try await run { site async throws in
            for path in [
                "/v1/us/items?sort=title", "/v1/us/items?kind=topApp&category=tools", "/v1/us/items?q=app",
                "/v1/us/charts/top-free?locale=es",
            ] {
                var next: String? = "\(path)&limit=5"
                var ids: [String] = []
                var pageCount = 0
                while let link = next {
                    let response = try await site.send("GET \(link)")
                    #expect(response.status == .ok, "\(link): \(response.text)")
                    let page = try document(response)
                    ids += page["items"]?.elements.compactMap { $0["id"]?.string } ?? []
                    next = page["next"]?.string
                    #expect(response["link"] == next.map { ["<\($0)>; rel=\"next\""] } ?? [])
                    pageCount += 1
                    try #require(pageCount < 10)
                }
                #expect(ids.count == 12 && Set(ids).count == 12 && pageCount == 3, "\(path)")
            }
        }
    }

    @Test("Items are returned by IDs in the requested order, without unknown ones")
    func ids() async throws {
        try await run { site async throws in
            let second = "00000000-0000-0000-0000-000000000002"
            let unknown = "ffffffff-0000-0000-0000-000000000002"
            let response = try await site.send("GET /v1/us/items?ids=\(second),\(unknown),\(Self.first),\(second)")
            #expect(try document(response)["items"]?.elements.compactMap { $0["id"]?.string } == [second, Self.first])
        }
    }

    @Test(
        "An invalid parameter is rejected with its name",
        arguments: [
            ("limit=0", "limit"), ("limit=-1", "limit"), ("limit=nan", "limit"), ("limit=1e999", "limit"), ("limit=", "limit"),
            ("limit=5&limit=6", "limit"), ("locale=fr", "locale"), ("locale=EN", "locale"), ("kind=app", "kind"),
            ("category=nothing", "category"),
            ("category=To%20ols", "category"), ("sort=price", "sort"), ("sort=chart&chart=nothing", "chart"),
            ("sort=chart&chart=%25", "chart"),
            ("sort=-rating&chart=top-free", "chart"), ("kind=foodApp&sort=chart", "chart"), ("minRating=nan", "minRating"),
            ("minRating=5.01", "minRating"), ("minRating=-1", "minRating"), ("priceBand=5", "priceBand"), ("price=cheap", "price"),
            ("q=", "q"),
            ("q=a&sort=title", "sort"), ("ids=", "ids"), ("ids=1", "ids"), ("ids=\(first),", "ids"), ("ids=\(first)&q=a", "q"),
            ("colour=red", "colour"),
            ("cursor=", "cursor"), ("cursor=abc", "cursor"), ("cursor=%00", ""),
        ])
    func issues(query: String, parameter: String) async throws {
        try await run { site async throws in
            guard !parameter.isEmpty else {
                await #expect(throws: RequestError.self) { try await site.send("GET /v1/us/items?\(query)") }
                return
            }
            let response = try await site.send("GET /v1/us/items?\(query)")
            #expect(response.status == .badRequest && response[.contentType] == ["application/problem+json"])
            let errors = try document(response)["errors"]?.elements.compactMap { $0["parameter"]?.string }
            #expect(errors == [parameter], "\(response.text)")
        }
    }

    @Test("A limit above the maximum is clamped, and too many IDs or words are rejected")
    func sizes() async throws {
        try await run { site async throws in
            for limit in ["100", "101", "99999999999999999999999"] {
                #expect(try document(try await site.send("GET /v1/sa/items?limit=\(limit)"))["items"]?.count == 100)
            }
            let ids = (1...101).map { "00000000-0000-0000-0000-\(String(1_000_000_000_000 + $0).dropFirst())" }
            #expect(try await site.send("GET /v1/us/items?ids=\(ids.dropLast().joined(separator: ","))").status == .ok)
            #expect(try await site.send("GET /v1/us/items?ids=\(ids.joined(separator: ","))").status == .badRequest)
            #expect(try await site.send("GET /v1/us/items?q=\(String(repeating: "a", count: 200))").status == .ok)
            #expect(try await site.send("GET /v1/us/items?q=\(String(repeating: "a", count: 201))").status == .badRequest)
        }
    }

    @Test(
        "A response is cached no longer than its items are available, stale time included",
        arguments: [
            (-200, "max-age=60, stale-while-revalidate=60"), (-119, "max-age=60, stale-while-revalidate=59"),
            (-90, "max-age=60, stale-while-revalidate=30"), (-60, "max-age=60, stale-while-revalidate=0"),
            (-5, "max-age=5, stale-while-revalidate=0"),
        ])
    func lifetime(seconds: Int, control: String) async throws {
        try await run(at: Self.end.advanced(by: .seconds(seconds))) { site async throws in
            for path in [
                "items/\(Self.passing)?locale=en", "items?ids=\(Self.first),\(Self.passing)&locale=ar", "items?q=passing&locale=en",
            ] {
                let response = try await site.send("GET /v1/sa/\(path)")
                #expect(response.text.contains(Self.passing), "\(path)")
                #expect(response[.cacheControl] == ["public, \(control)"], "\(path)")
            }
            // One of them counts the item. The counts of the others change later.
            let categories = try await site.send("GET /v1/sa/categories?locale=en")
            #expect(categories[.cacheControl] == ["public, \(control)"])
            let others = try await site.send("GET /v1/sa/categories?kind=foodApp&locale=en")
            #expect(others[.cacheControl] == ["public, max-age=60, stale-while-revalidate=60"])
        }
    }

    @Test(
        "A response is cached no longer than the prices of its items are in effect, and not if they are outdated",
        arguments: [
            (-200, "max-age=60, stale-while-revalidate=60"), (-90, "max-age=60, stale-while-revalidate=30"),
            (-5, "max-age=5, stale-while-revalidate=0"), (10, "max-age=0, stale-while-revalidate=0"),
        ])
    func priceLifetime(seconds: Int, control: String) async throws {
        try await run(at: Self.saleStart.advanced(by: .seconds(seconds))) { site async throws in
            for path in ["items/\(Self.first)?locale=en", "items?ids=\(Self.first)&locale=en"] {
                let response = try await site.send("GET /v1/us/\(path)")
                #expect(response.text.contains(Self.first), "\(path)")
                #expect(response[.cacheControl] == ["public, \(control)"], "\(path)")
            }
            #expect(
                try await site.send("GET /v1/sa/items/\(Self.first)?locale=en")[.cacheControl]
                    == ["public, max-age=60, stale-while-revalidate=60"])
        }
    }

    @Test("A cursor is valid on another server, and independent of the client's languages")
    func followed() async throws {
        let link = Locked("")
        try await run { site async throws in
            for path in ["items?sort=title", "charts/top-free?limit=2"] {
                let page = try document(
                    try await site.send("GET /v1/us/\(path)&limit=2".replacing("limit=2&limit=2", with: "limit=2"), ["Accept-Language: es"])
                )
                let next = try #require(page["next"]?.string)
                #expect(next.contains("locale=es"))
                let response = try await site.send("GET \(next)", ["Accept-Language: en"])
                #expect(response.status == .ok && response["content-language"] == ["es"])
                link.withLock { $0 = next }
            }
        }
        try await run { site async throws in #expect(try await site.send("GET \(link.withLock { $0 })").status == .ok) }
    }

    @Test(
        "Each response matches the OpenAPI document",
        arguments: [
            ("/v1/storefronts", "/v1/storefronts"), ("/v1/{storefront}/items", "/v1/us/items?limit=2"),
            ("/v1/{storefront}/items", "/v1/us/items?limit=0"), ("/v1/{storefront}/items", "/v1/us/items?q=ap"),
            ("/v1/{storefront}/items", "/v1/zz/items"), ("/v1/{storefront}/items/{id}", "/v1/us/items/\(first)"),
            ("/v1/{storefront}/items/{id}", "/v1/us/items/topapp:app-2"),
            ("/v1/{storefront}/items/{id}", "/v1/us/items/1"), ("/v1/{storefront}/categories", "/v1/us/categories"),
            ("/v1/{storefront}/charts/{chart}", "/v1/us/charts/top-free?limit=1"), ("/v1/{storefront}/charts/{chart}", "/v1/us/charts/x"),
        ])
    func documented(pattern: String, path: String) async throws {
        try await run { site async throws in
            let issues = try OpenAPIDocument().issues(in: try await site.send("GET \(path)"), to: pattern)
            #expect(issues.isEmpty)
        }
    }

    @Test("A drawn image has a placeholder, and alternative text in the locale of the response")
    func drawn() async throws {
        try await run { site async throws in
            for (location, language) in [("us", ""), ("sa", "?locale=ar")] {
                let image = try document(try await site.send("GET /v1/\(location)/items/\(Self.first)\(language)"))["image"]
                #expect(image?["template"]?.string == "/v1/images/1/\(Self.first)/icon/{w}x{h}.png")
                #expect(image?["width"]?.integer == 1_024 && image?["sizes"]?.count == ArtworkRole.icon.sizes.count)
                #expect(image?["color"]?.string?.hasPrefix("#") == true && image?["blurhash"]?.string?.utf8.count ?? 0 > 20)
                let isArabic = image?["alt"]?.string?.unicodeScalars.contains { (0x600...0x6FF).contains($0.value) }
                #expect(isArabic == (location == "sa"))
            }
        }
    }

    @Test("Screenshots are in the response for an item, and not in lists")
    func screenshots() async throws {
        try await run { site async throws in
            let item = try document(try await site.send("GET /v1/us/items/topapp:app-2"))
            #expect(item["screenshots"]?.elements.map { $0["template"]?.string } == ["/screenshot-0/{w}x{h}", "/screenshot-1/{w}x{h}"])
            #expect(item["image"]?["dark"]?["template"]?.string == "/icon-0/{w}x{h}" && item["hero"] == nil)
            let list = try document(try await site.send("GET /v1/us/items?ids=\(Self.first.dropLast())2"))
            #expect(list["items"]?.elements.map { [$0["image"], $0["screenshots"]].map { $0 != nil } } == [[true, false]])
        }
    }

    @Test("An item has the same response under its slug and under its ID")
    func slug() async throws {
        try await run { site async throws in
            let byID = try await site.send("GET /v1/us/items/\(Self.first)?locale=es")
            let bySlug = try await site.send("GET /v1/us/items/topapp:app-1?locale=es")
            #expect(bySlug.status == .ok && bySlug.text == byID.text && bySlug[.etag] == byID[.etag])
            #expect(bySlug["content-location"] == ["/v1/us/items/\(Self.first)?locale=es"])
            #expect(byID["content-location"].isEmpty)
        }
    }

    @Test("A failed precondition is not cached", arguments: ["items/topapp:app-1?locale=en", "items?locale=en"])
    func refused(path: String) async throws {
        try await run { site async throws in
            let response = try await site.send("GET /v1/us/\(path)", [#"If-Match: "another""#])
            #expect(response.status == .preconditionFailed && response[.cacheControl] == ["no-store"])
            #expect(response["content-location"].isEmpty)
        }
    }

    @Test("A former slug redirects to the present one, with the locale of the request")
    func replacedSlug() async throws {
        try await run { site async throws in
            for query in ["", "?locale=en"] {
                let response = try await site.send("GET /v1/sa/items/topapp:passing\(query)")
                #expect(response.status == .permanentRedirect && response[.location] == ["/v1/sa/items/topapp:passing-now\(query)"])
                #expect(response[.cacheControl] == ["public, max-age=5, stale-while-revalidate=0"])
                #expect(try await site.send("GET \(try #require(response[.location].first))").status == .ok)
            }
        }
    }

    @Test(
        "A withdrawn item is gone, and an item of another storefront is not here",
        arguments: [
            ("us/items/\(withdrawn)", 410, "itemWithdrawn"), ("us/items/topapp:gone-now", 410, "itemWithdrawn"),
            ("us/items/topapp:gone", 410, "itemWithdrawn"), ("us/items/\(passing)", 404, "notHere"),
            ("us/items/topapp:passing-now", 404, "notHere"), ("us/items/foodapp:app-1", 404, "unknownItem"),
        ])
    func absent(path: String, status: Int, code: String) async throws {
        try await run { site async throws in
            let response = try await site.send("GET /v1/\(path)")
            #expect(response.status.rawValue == status)
            #expect(try document(response)["code"]?.string == code)
            let isStored = status == 410
            #expect(response[.cacheControl] == [isStored ? "public, max-age=60, stale-while-revalidate=0" : "no-store"])
            // Equal requests have equal bytes if caches store them.
            #expect((try document(response)["requestId"] == nil) == isStored)
        }
    }

    @Test("A cursor is valid only for its list")
    func cursors() async throws {
        try await run { site async throws in
            let page = try document(try await site.send("GET /v1/us/items?sort=title&limit=5"))
            let next = try #require(page["next"]?.string)
            for (text, other, code) in [
                ("sort=title", "sort=-releaseDate", "cursorMismatch"), ("/us/", "/sa/", "cursorMismatch"),
                ("cursor=", "cursor=A", "invalidCursor"),
            ] {
                let response = try await site.send("GET \(next.replacing(text, with: other))")
                #expect(response.status == .badRequest)
                #expect(try document(response)["code"]?.string == code, "\(response.text)")
            }
        }
    }

    @Test(
        "Each unknown resource has its own problem code",
        arguments: [
            ("/v1/xx/items", "unknownStorefront"), ("/v1/xx/items/\(first)", "unknownStorefront"),
            ("/v1/xx/categories", "unknownStorefront"),
            ("/v1/us/items/ffffffff-0000-0000-0000-000000000002", "unknownItem"), ("/v1/us/items/1", "notFound"),
            ("/v1/us/charts/nothing", "unknownChart"), ("/v1/us/charts/%25", "unknownChart"), ("/v1/%27/items", "unknownStorefront"),
        ])
    func missing(path: String, code: String) async throws {
        try await run { site async throws in
            let response = try await site.send("GET \(path)")
            #expect(response.status == .notFound)
            #expect(try document(response)["code"]?.string == code)
        }
    }

    @Test("Storefronts and categories are listed")
    func lists() async throws {
        try await run { site async throws in
            let storefronts = try await site.send("GET /v1/storefronts")
            #expect(
                storefronts.text
                    == #"{"storefronts":[{"key":"sa","currency":"SAR","timeZone":"Asia/Riyadh","locales":["ar","en"],"defaultLocale":"ar","#
                    + #""ratingScheme":"apple-2015"},{"key":"us","currency":"USD","timeZone":"America/New_York","locales":["en","es"],"defaultLocale":"en","#
                    + #""ratingScheme":"apple-2015"}]}"#)
            let categories = try await site.send("GET /v1/us/categories?locale=es&kind=topApp")
            #expect(
                categories.text
                    == #"{"categories":[{"key":"albums","itemKind":"topApp","title":"albums","itemCount":0},"#
                    + #"{"key":"tools","itemKind":"topApp","title":"Herramientas","itemCount":12},"#
                    + #"{"key":"videos","itemKind":"topApp","title":"videos","itemCount":0}]}"#)
            #expect(try await site.send("GET /v1/us/categories?kind=foodApp").text == #"{"categories":[]}"#)
        }
    }
}
