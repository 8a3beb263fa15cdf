import CatalogImport
import EventLoop
import Items
import JSON
import Postgres
import Security
import TestDatabase
import Testing
import Values

@Suite("An import", .databaseForEachTest) struct ImportTests {
    private static func withCatalog(_ body: @escaping @Sendable (Catalog) async throws -> Void) async throws {
        try await withConnection { connection in try await body(Catalog(connection: connection)) }
    }

    private static let file =
        Catalog.output + Records.topApp + "\n" + Records.foodApp + "\n"
        + "{\"kind\":\"chart\",\"storefront\":\"us\",\"name\":\"top-free\",\"items\":[\"foodapp:saffron-table\",\"topapp:harbor-notes\"]}\n"

    private static func items(_ numbers: Range<Int>, _ part: String = "1024", _ other: String = "1024") -> String {
        numbers.map { Records.topApp("harbor-notes", "item-\($0)").replacing(part, with: other) + "\n" }.joined()
    }

    private static func illustrated(_ source: String) -> String { Records.illustrated("\"harbor-notes\"", "\"\(source)\"") + "\n" }

    private static func counts(_ new: Int, _ changed: Int, _ unchanged: Int, _ rejected: Int = 0, withdrawn: Int = 0) -> ImportCounts {
        var counts = ImportCounts()
        (counts.new, counts.changed, counts.unchanged, counts.rejected, counts.withdrawn) = (new, changed, unchanged, rejected, withdrawn)
        return counts
    }

    @Test("An import writes new records, and another import of the same file writes nothing")
    func twice() async throws {
        try await Self.withCatalog { catalog in
            let first = try await catalog.load(Self.file)
            #expect(first.report?.counts == Self.counts(8, 0, 0))
            let (dump, traces) = (try await catalog.dump(), try await catalog.traces())
            #expect(dump.contains("حاظ") || dump.contains("ملاحظات"))
            #expect(dump.contains("[1080,1560)") && dump.contains("deliveryFee"), "\(dump)")
            let second = try await catalog.load(Self.file)
            #expect(second.report?.counts == Self.counts(0, 0, 8))
            #expect(try await catalog.traces() == traces)
        }
    }

    @Test("The images of an item are exported as they were imported, and replaced as a whole", arguments: [1, 10_000])
    func images(chunk: Int) async throws {
        try await Self.withCatalog { catalog in
            let file = Catalog.output + Records.illustratedApp + "\n"
            #expect(try await catalog.load(file, chunk: chunk).rejects == [])
            let id = try #require(UUID(try await catalog.text("SELECT id::text FROM items")))
            let exported = try #require(try await catalog.store.items([id]).first).record
            let imported = try #require(ReadFile(Records.illustratedApp).items.first).record
            #expect(exported.content == imported.content)
            let again = Catalog.output + String(decoding: try exported.json(), as: UTF8.self) + "\n"
            #expect(try await catalog.load(again, chunk: chunk).report?.counts == Self.counts(0, 0, 6))
            #expect(try await catalog.text("SELECT count(*)::text FROM item_images") == "10")
            #expect(try await catalog.load(Catalog.output + Records.topApp, chunk: chunk).report?.counts == Self.counts(0, 1, 5))
            #expect(try await catalog.text("SELECT count(*)::text FROM item_images") == "0")
        }
    }

    @Test("The price periods of an item are exported as they were imported, and replaced as a whole", arguments: [1, 10_000])
    func pricePeriods(chunk: Int) async throws {
        try await Self.withCatalog { catalog in
            let records = [Records.discountedApp, Records.discountedFoodApp]
            #expect(try await catalog.load(Catalog.output + records.joined(separator: "\n") + "\n", chunk: chunk).rejects == [])
            let rows =
                "SELECT string_agg(role || ' ' || storefront || ' ' || amount_minor, ', ' ORDER BY role, storefront, during) FROM item_price_periods"
            #expect(
                try await catalog.text(rows)
                    == "price us 299, price us 0, minimumOrder de 299, deliveryFee de 299, deliveryFee us 299")
            var again = Catalog.output
            for record in records {
                let imported = try #require(ReadFile(record).items.first).record
                let id = try #require(UUID(try await catalog.text("SELECT id::text FROM items WHERE source = '\(imported.source)'")))
                let exported = try #require(try await catalog.store.items([id]).first).record
                #expect(exported.content == imported.content)
                again += String(decoding: try exported.json(), as: UTF8.self) + "\n"
            }
            #expect(try await catalog.load(again, chunk: chunk).report?.counts == Self.counts(0, 0, 7))
            let app = Catalog.output + Records.topApp + "\n" + Records.discountedFoodApp
            #expect(try await catalog.load(app, chunk: chunk).report?.counts == Self.counts(0, 1, 6))
            #expect(try await catalog.text("SELECT count(*)::text FROM item_price_periods WHERE role = 'price'") == "0")
        }
    }

    @Test("The tags, platforms, age ratings and time zone of an item are exported as they were imported, from JSON Lines and CSV")
    func facts() async throws {
        try await Self.withCatalog { catalog in
            let app = Records.topApp("[\"ios\",\"ipados\"]", "{\"linux\":{},\"ios\":{\"minimumOsVersion\":\"16.2\"}}")
                .replacing(
                    "\"ageRating\":\"4+\"", with: "\"ageRatings\":{\"pegi\":\"7\",\"apple-2015\":\"9+\"},\"tags\":[\"new\",\"made-here\"]")
            let food = Records.foodApp("\"priceBand\":2", "\"priceBand\":2,\"timeZone\":\"Asia/Riyadh\",\"tags\":[\"spring\"]")
            #expect(try await catalog.load(Catalog.output + app + "\n" + food + "\n").rejects == [])
            let rows = try await catalog.text(
                """
                SELECT string_agg(line, ', ' ORDER BY line) FROM (
                    SELECT platform || coalesce(' ' || minimum_os, '') AS line FROM item_platforms
                    UNION ALL SELECT scheme || ' ' || label FROM item_age_ratings
                    UNION ALL SELECT tags::text FROM items UNION ALL SELECT time_zone FROM food_apps) AS lines
                """)
            #expect(
                Set(rows.split(separator: ", ").map(String.init)) == [
                    "ios 16.2", "linux", "apple-2015 9+", "pegi 7", "{new,made-here}", "{spring}", "Asia/Riyadh",
                ])
            let tagged = app.replacing("[\"new\",\"made-here\"]", with: "[\"null\",\"new\"]")
            #expect(try await catalog.load(Catalog.output + tagged + "\n" + food + "\n").rejects == [])
            #expect(try await catalog.text("SELECT array_to_string(tags, ' ', '?') FROM items WHERE kind = 'topApp'") == "null new")
            #expect(try await catalog.load(Catalog.output + app + "\n" + food + "\n").rejects == [])
            var again = Catalog.output
            for line in [app, food] {
                let imported = try #require(ReadFile(line).items.first).record
                let id = try #require(UUID(try await catalog.text("SELECT id::text FROM items WHERE source = '\(imported.source)'")))
                let exported = try #require(try await catalog.store.items([id]).first).record
                #expect(exported.content == imported.content)
                again += String(decoding: try exported.json(), as: UTF8.self) + "\n"
            }
            #expect(try await catalog.load(again).report?.counts == Self.counts(0, 0, 7))
            let unknown = food.replacing("Asia/Riyadh", with: "Asia/Riad")
            let rejects = try await catalog.load(Catalog.output + unknown).rejects
            #expect(rejects.map(\.location) == [.pointer("/timeZone")])
        }
        let csv = """
            kind,source,title,categories,tags,bundleId,developer,appVersion,sizeBytes,platforms,ageRating,ageRatings.pegi,releaseDate
            topApp,a,A,games,new|made-here,a.b,Quay,1,9,ios 16.2|linux,9+,7,2024-02-29
            """
        let line = """
            {"kind":"topApp","source":"a","title":"A","categories":["games"],"tags":["new","made-here"],"bundleId":"a.b","developer":"Quay","appVersion":"1",\
            "sizeBytes":9,"platforms":{"ios":{"minimumOsVersion":"16.2"},"linux":{}},"ageRatings":{"apple-2015":"9+","pegi":"7"},"releaseDate":"2024-02-29"}
            """
        let (fromCSV, fromJSON) = (ReadFile(csv, as: .csv), ReadFile(line))
        #expect(fromCSV.rejects == [] && fromJSON.rejects == [])
        #expect(try #require(fromCSV.items.first).record.content == (try #require(fromJSON.items.first).record.content))
    }

    @Test("A changed item has all its parts replaced, its version incremented and its ID in the outbox")
    func change() async throws {
        try await Self.withCatalog { catalog in
            _ = try await catalog.load(Self.file)
            _ = try await catalog.text("DELETE FROM sync_outbox RETURNING kind")
            let changed = Self.file.replacing(",\"ar\":\"ملاحظات\"", with: ",\"de\":\"Hafen\"").replacing("499", with: "599")
            #expect(try await catalog.load(changed).report?.counts == Self.counts(0, 1, 7))
            #expect(
                try await catalog.text("SELECT string_agg(locale, ',' ORDER BY locale) FROM item_texts WHERE title <> 'Saffron Table'")
                    == "de,en")
            #expect(try await catalog.text("SELECT amount_minor::text FROM item_prices WHERE role = 'price'") == "599")
            #expect(try await catalog.text("SELECT version::text FROM items WHERE source = 'harbor-notes'") == "2")
            #expect(
                try await catalog.text("SELECT string_agg(kind || cardinality(ids), ',' ORDER BY kind) FROM sync_outbox")
                    == "item1,listing1")
        }
    }

    @Test(
        "New items get consecutive serial numbers for any chunk size, and explicit numbers are kept",
        arguments: [1, 2, 3, 10_000], [false, true])
    func serialNumbers(chunk: Int, isEmpty: Bool) async throws {
        try await Self.withCatalog { catalog in
            _ = try await catalog.load(Catalog.output + (isEmpty ? "" : Self.items(0..<1)))
            func given(_ name: String, _ number: Int64) -> String {
                Records.topApp("\"harbor-notes\"", "\"\(name)\",\"serialNumber\":\(number)") + "\n"
            }
            let text = Self.items(0..<2) + given("seven", 7) + Self.items(2..<4) + given("two", 2) + given("four", 4) + Self.items(4..<5)
            let run = try await catalog.load(text, chunk: chunk)
            #expect(run.rejects.map { "\($0.line) \($0.location)" } == ["6 pointer(\"/serialNumber\")"])
            #expect(
                try await catalog.text("SELECT string_agg(source || '=' || serial_number, ' ' ORDER BY serial_number) FROM items")
                    == "item-0=1 item-1=2 four=4 seven=7 item-2=8 item-3=9 item-4=10")
            #expect(try await catalog.text("SELECT nextval('item_serial_numbers')::text") == "11")
            // JSON parsers support no larger integer reliably, so no number comes after it.
            let largest: Int64 = 9_007_199_254_740_991
            let last = try await catalog.load(
                given("last", largest - 1) + Self.items(5..<7) + given("nine", 999) + given("none", .max), chunk: chunk)
            #expect(last.report?.counts == Self.counts(3, 0, 0, 2))
            #expect(last.rejects.map { "\($0.line) \($0.location)" } == ["3 pointer(\"/serialNumber\")", "5 pointer(\"/serialNumber\")"])
            #expect(try await catalog.text("SELECT serial_number::text FROM items WHERE source = 'item-5'") == "\(largest)")
        }
    }

    @Test("A record whose ID, slug or serial number belongs to another item is rejected, and the others are imported")
    func conflicts() async throws {
        try await Self.withCatalog { catalog in
            _ = try await catalog.load(Self.file)
            let id = try await catalog.text("SELECT id::text FROM items WHERE source = 'harbor-notes'")
            func item(_ source: String, _ more: String) -> String { Records.topApp("\"harbor-notes\"", "\"\(source)\"\(more)") }
            let run = try await catalog.load(
                [
                    item("a", ",\"id\":\"\(id)\""), item("b", ",\"slug\":\"harbor-notes\""), item("c", ",\"serialNumber\":1"),
                    item("harbor-notes", ",\"slug\":\"other\",\"id\":\"6f1c7d1e-0000-4000-8000-000000000001\""), item("d", ""),
                ].joined(separator: "\n"))
            #expect(run.report?.counts == Self.counts(1, 0, 0, 4))
            #expect(
                run.rejects.map { "\($0.line) \($0.location) \($0.code.rawValue)" } == [
                    "1 pointer(\"/id\") ALREADY_EXISTS", "2 pointer(\"/slug\") ALREADY_EXISTS",
                    "3 pointer(\"/serialNumber\") ALREADY_EXISTS",
                    "4 pointer(\"/id\") ALREADY_EXISTS",
                ])
        }
    }

    @Test("The plan scans the records of a chunk once, whatever row count the planner expects")
    func chunkPlan() async throws {
        try await Self.withCatalog { catalog in
            _ = try await catalog.load(Catalog.output + Self.items(0..<20))
            let query = NamedQuery("import.plan")
            for sql in ["VACUUM ANALYZE vitrine.items", "SET plan_cache_mode = force_generic_plan", "PREPARE planned AS \(query.text)"] {
                try await catalog.connection.runScript("prepare", sql, until: .soon)
            }
            let explain = PostgresQuery(
                "explain", "EXPLAIN (COSTS OFF) EXECUTE planned(NULL, NULL, NULL, NULL, NULL, NULL, NULL)", isPrepared: false)
            let plan = try await catalog.connection.rows(of: explain, as: String.self, until: .soon)
            let looks = plan.count { $0.trimmingPrefix(while: { $0 == " " }).hasPrefix("SubPlan ") }
            #expect(plan.count { $0.contains("CTE Scan on given") } == looks + 1 && looks > 0, "\(plan)")
            #expect(plan.contains { $0.contains("hashed SubPlan") } && !plan.contains { $0.contains("(SubPlan") }, "\(plan)")
        }
    }

    @Test("The deletion of a category, of a platform or of a label reads only the items that have it")
    func deletedNames() async throws {
        try await Self.withCatalog { catalog in
            _ = try await catalog.load(Catalog.output + Self.items(0..<500))
            for (table, condition, index) in [
                ("item_categories", "category = 'palm'", "item_categories_category_idx"),
                ("item_platforms", "platform = 'palm'", "item_platforms_platform_idx"),
                ("item_age_ratings", "scheme = 'usk' AND label = '0'", "item_age_ratings_label_idx"),
            ] {
                try await catalog.connection.runScript("analyze", "VACUUM ANALYZE vitrine.\(table)", until: .soon)
                // The query of the foreign key.
                let explain = PostgresQuery(
                    "explain", "EXPLAIN (COSTS OFF) SELECT 1 FROM ONLY vitrine.\(table) WHERE \(condition) FOR KEY SHARE", isPrepared: false
                )
                let plan = try await catalog.connection.rows(of: explain, as: String.self, until: .soon)
                #expect(plan.contains { $0.contains(index) }, "\(plan)")
            }
        }
    }

    @Test("A slug moves between items of a chunk, in any order")
    func movedSlugs() async throws {
        @Sendable func item(_ source: String, _ slug: String) -> String {
            Records.topApp("\"harbor-notes\"", "\"\(source)\",\"slug\":\"\(slug)\"") + "\n"
        }
        let slugs = "SELECT string_agg(source || ':' || slug, ' ' ORDER BY source) FROM items"
        try await Self.withCatalog { catalog in
            _ = try await catalog.load(Catalog.output + item("a", "x") + item("b", "y") + item("c", "z"))
            // Two items swap their slugs, and a new item gets the slug that a third one loses.
            let moved = item("a", "y") + item("b", "x") + item("d", "z") + item("c", "w")
            let run = try await catalog.load(moved)
            #expect(run.report?.counts == Self.counts(1, 3, 0) && run.rejects == [])
            #expect(try await catalog.text(slugs) == "a:y b:x c:w d:z")
            #expect(try await catalog.load(moved).report?.counts == Self.counts(0, 0, 4))
            // One slug is not released, and another is released only below this chunk.
            let stored = try await catalog.load(item("e", "w") + item("a", "v") + item("f", "x") + item("b", "u"), chunk: 3)
            #expect(
                stored.rejects.map(\.description) == [
                    "line 1 (/slug): another item has this slug [ALREADY_EXISTS]",
                    "line 3 (/slug): another item has this slug [ALREADY_EXISTS]",
                ])
            #expect(try await catalog.text(slugs) == "a:v b:u c:w d:z")
        }
    }

    @Test("A record that only the database rejects does not affect the other records", arguments: [1, 7, 10_000])
    func refused(chunk: Int) async throws {
        try await Self.withCatalog { catalog in
            // An empty catalog would be loaded in a different way.
            _ = try await catalog.load(Catalog.output + Self.items(90..<91))
            let bad = [3, 11, 12].map { Records.topApp("harbor-notes", "bad-\($0)").replacing("productivity", with: "gone") + "\n" }
            let text =
                Self.items(0..<5) + bad[0] + Self.items(5..<10) + bad[1] + bad[2] + Self.items(10..<20)
                + "{\"kind\":\"storefront\",\"key\":\"fr\",\"currency\":\"EUR\",\"timeZone\":\"Nowhere/Atlantis\",\"locales\":[\"fr\"],\"defaultLocale\":\"fr\"}\n"
            let run = try await catalog.load(text, chunk: chunk, extraWords: ["gone"], knowsTimeZones: false)
            #expect(run.report?.counts == Self.counts(20, 0, 0, 4))
            #expect(run.rejects.map(\.line) == [6, 12, 13, 24], "\(run.rejects)")
            #expect(run.rejects.first?.description == "line 6 (/categories): expected existing categories [CONSTRAINT_VIOLATION]")
            #expect(run.rejects.last?.description.hasPrefix("line 24 (/timeZone): expected a time zone name") == true)
            #expect(try await catalog.text("SELECT count(*)::text FROM items JOIN top_apps ON item_id = id") == "21")
            #expect(try await catalog.text("SELECT max(serial_number)::text FROM items") == "21")
        }
    }

    @Test(
        "A storefront with an unknown time zone is rejected with all records that depend on it, and the others are imported",
        arguments: [false, true])
    func refusedWord(isEmpty: Bool) async throws {
        try await Self.withCatalog { catalog in
            _ = try await catalog.load(Catalog.output + (isEmpty ? "" : Self.items(90..<91)))
            let wrong =
                "{\"kind\":\"storefront\",\"key\":\"fr\",\"currency\":\"EUR\",\"timeZone\":\"Nowhere/Atlantis\",\"locales\":[\"fr\"],\"defaultLocale\":\"fr\"}\n"
            let inIt = Self.items(5..<9).replacing("\"us\":", with: "\"fr\":").replacing("USD", with: "EUR")
            let chart = "{\"kind\":\"chart\",\"storefront\":\"fr\",\"name\":\"top\",\"items\":[]}\n"
            let text = wrong + Self.items(0..<5) + inIt + Self.items(9..<12) + chart
            for (timeZones, code) in [(false, "CONSTRAINT_VIOLATION"), (true, "UNKNOWN_REFERENCE")] {
                // A parser without the list of time zones accepts the storefront, and the database rejects it.
                let run = try await catalog.load(text, chunk: 3, knowsTimeZones: timeZones)
                #expect(run.report?.counts == (timeZones ? Self.counts(0, 0, 8, 6) : Self.counts(8, 0, 0, 6)))
                #expect(run.rejects.map(\.line) == [1, 7, 8, 9, 10, 14] && run.rejects[0].code.rawValue == code, "\(run.rejects)")
                #expect(run.rejects[1].description == "line 7 (/prices/fr): the storefront fr does not exist [UNKNOWN_REFERENCE]")
            }
        }
    }

    @Test("A storefront without a rating scheme keeps its own, and a new one gets that of Apple", arguments: [1, 10_000])
    func ratingScheme(chunk: Int) async throws {
        try await Self.withCatalog { catalog in
            let schemes = "SELECT string_agg(key || ' ' || rating_scheme || ' ' || time_zone, ', ' ORDER BY key) FROM storefronts"
            _ = try await catalog.load(Catalog.output, chunk: chunk)
            #expect(try await catalog.text(schemes) == "de apple-2015 Europe/Berlin, us apple-2015 America/New_York")
            let rated = Catalog.output.replacing("\"defaultLocale\":\"de\"", with: "\"defaultLocale\":\"de\",\"ratingScheme\":\"usk\"")
            #expect(try await catalog.load(rated, chunk: chunk).report?.counts == Self.counts(0, 1, 4))
            #expect(try await catalog.load(Catalog.output, chunk: chunk).report?.counts == Self.counts(0, 0, 5))
            let moved = Catalog.output.replacing("Europe/Berlin", with: "Europe/Vienna")
            #expect(try await catalog.load(moved, chunk: chunk).report?.counts == Self.counts(0, 1, 4))
            #expect(try await catalog.text(schemes) == "de usk Europe/Vienna, us apple-2015 America/New_York")
            let back = rated.replacing("\"usk\"", with: "\"apple-2015\"")
            #expect(try await catalog.load(back, chunk: chunk).report?.counts == Self.counts(0, 1, 4))
            #expect(try await catalog.text(schemes) == "de apple-2015 Europe/Berlin, us apple-2015 America/New_York")
        }
    }

    @Test("A record that conflicts with the catalog is rejected with the name of its field")
    func members() async throws {
        try await Self.withCatalog { catalog in
            _ = try await catalog.load(Self.file)
            let run = try await catalog.load(Catalog.output.replacing("USD", with: "CAD"))
            #expect(
                run.rejects.map(\.description) == [
                    "line 1 (/currency): expected the currency of the existing prices in this storefront [CONSTRAINT_VIOLATION]"
                ])
            let category = "{\"kind\":\"category\",\"key\":\"productivity\",\"itemKind\":\"foodApp\",\"title\":\"Productivity\"}\n"
            let kind = try await catalog.load(category + Records.topApp)
            #expect(kind.rejects.map { "\($0.line) \($0.location)" } == ["1 pointer(\"/itemKind\")", "2 pointer(\"/categories/0\")"])
            #expect(try await catalog.load(Self.file).report?.counts == Self.counts(0, 0, 8))
        }
    }

    @Test("After too many rejects, the remaining items of a chunk are not tried one by one")
    func manyRefused() async throws {
        try await Self.withCatalog { catalog in
            _ = try await catalog.load(Catalog.output + Self.items(900..<901))
            let bad = (0..<500).map { Records.topApp("harbor-notes", "bad-\($0)").replacing("productivity", with: "gone") + "\n" }.joined()
            let run = try await catalog.load(bad, extraWords: ["gone"]) { $0.maxRejects = 2 }
            #expect(run.failure == .tooManyRejects(Self.counts(0, 0, 0, 3)))
            #expect(run.rejects.map(\.line) == [1, 2, 3])
        }
    }

    @Test("An import fails if the database rejects more records than a transaction supports savepoints", arguments: [false, true])
    func manyRefusals(isEmpty: Bool) async throws {
        try await Self.withCatalog { catalog in
            _ = try await catalog.load(Catalog.output + (isEmpty ? "" : Self.items(900..<901)))
            _ = try await catalog.text(
                "ALTER TABLE top_apps ADD CONSTRAINT top_apps_odd_check CHECK (app_version <> '13')")
            func file(_ bad: Int) -> String {
                (0..<2 * bad).map { Records.topApp("harbor-notes", "item-\($0)").replacing("1.2", with: $0 % 2 == 0 ? "13" : "14") + "\n" }
                    .joined()
            }
            let run = try await catalog.load(file(300)) { $0.maxRejects = 10_000 }
            #expect(run.failure == .tooManyConstraintFailures(Self.counts(0, 0, 0, 201)) && run.rejects.count == 201)
            #expect(try await catalog.text("SELECT count(*)::text FROM items") == (isEmpty ? "0" : "1"))
            // No savepoint is left, because chunks have their own transactions.
            let fewer = try await catalog.load(file(190), chunk: 200) { $0.maxRejects = 10_000 }
            #expect(fewer.report?.counts == Self.counts(190, 0, 0, 190))
        }
    }

    @Test(
        "A category that excludes the kind of items above it is rejected, for any chunk size", arguments: [1, 2, 10_000],
        [false, true])
    func narrowed(chunk: Int, isEmpty: Bool) async throws {
        try await Self.withCatalog { catalog in
            _ = try await catalog.load(Catalog.output + (isEmpty ? "" : Self.items(90..<91)))
            let category = "{\"kind\":\"category\",\"key\":\"productivity\",\"itemKind\":\"foodApp\",\"title\":\"Productivity\"}\n"
            let food = Records.foodApp.replacing("[\"arabic\"]", with: "[\"productivity\"]") + "\n"
            let run = try await catalog.load(Self.items(0..<3) + category + food + Self.items(3..<4), chunk: chunk)
            #expect(
                run.rejects.map { "\($0.line) \($0.location)" } == ["4 pointer(\"/itemKind\")", "6 pointer(\"/categories/0\")"],
                "\(run.rejects)")
            #expect(run.report?.counts == Self.counts(4, 0, 0, 2))
        }
    }

    @Test("An import reverts manual changes, and writes nothing else")
    func changedByHand() async throws {
        try await Self.withCatalog { catalog in
            _ = try await catalog.load(Self.file + Self.items(0..<3))
            for change in [
                "UPDATE item_texts SET subtitle = 'By hand' WHERE locale = 'en' AND item_id IN (SELECT id FROM items WHERE source = 'item-1')",
                "DELETE FROM item_prices WHERE item_id IN (SELECT id FROM items WHERE source = 'item-1')",
                "UPDATE items SET rating_count = 77 WHERE source = 'item-1'",
                "INSERT INTO item_images SELECT id, 'hero', 0, '', 'light', '/{w}/{h}', 16, 9, '{}' FROM items WHERE source = 'item-1'",
                "INSERT INTO item_price_periods SELECT id, 'us', 'price', '[2030-01-01,2030-02-01)', 1, 'USD' FROM items WHERE source = 'item-1'",
            ] {
                _ = try await catalog.text(change)
                #expect(try await catalog.load(Self.file + Self.items(0..<3)).report?.counts == Self.counts(0, 1, 10), "\(change)")
                #expect(try await catalog.load(Self.file + Self.items(0..<3)).report?.counts == Self.counts(0, 0, 11), "\(change)")
            }
            #expect(try await catalog.text("SELECT version::text FROM items WHERE source = 'item-1'") == "11")
        }
    }

    @Test("Items with very many texts are imported in smaller chunks")
    func manyTexts() async throws {
        let titles = (100..<150).map { "\"en-\($0)\":\"A\"" }.joined(separator: ",")
        let plain = Records.topApp.replacing("{\"en\":\"Harbor Notes\",\"ar\":\"ملاحظات\"}", with: "{\(titles)}").replacing(
            "\"subtitle\":\"Write by the sea\",", with: "")
        let text = (0..<1_300).map { plain.replacing("harbor-notes", with: "item-\($0)") + "\n" }.joined()
        var pieces = [Array(text.utf8)[...]]
        var chunker = FileChunker(CatalogFileReader(.jsonl, vocabulary: ReadFile.vocabulary, digest: Digest.sha256), size: 10_000) {
            pieces.popLast() ?? []
        }
        var sizes: [Int] = []
        while let chunk = try chunker.next() { sizes.append(chunk.items.count) }
        #expect(sizes.reduce(0, +) == 1_300 && sizes.count == 2, "\(sizes)")
    }

    @Test("A dry run has the same counts and writes nothing")
    func dryRun() async throws {
        try await Self.withCatalog { catalog in
            _ = try await catalog.load(Catalog.output + Self.items(0..<5))
            let number = "SELECT last_value::text FROM item_serial_numbers"
            let (dump, traces, last) = (try await catalog.dump(), try await catalog.traces(), try await catalog.text(number))
            let id = "6f1c7d1e-0000-4000-8000-000000000001"
            let text =
                Self.items(0..<2) + Self.items(2..<4, "1024", "2048") + Self.file + Self.items(8..<9, "499", "-1")
                // Errors that only writing finds: a new item by its ID in a chart, one item under two names, an address with a non-ASCII
                // space, and a number that an earlier chunk has taken.
                + Self.items(10..<11, "\"source\"", "\"id\":\"\(id)\",\"source\"")
                + "{\"kind\":\"chart\",\"storefront\":\"us\",\"name\":\"new\",\"items\":[\"\(id)\"]}\n"
                + "{\"kind\":\"chart\",\"storefront\":\"us\",\"name\":\"both\",\"items\":[\"\(id)\",\"topapp:item-10\"]}\n"
                + Self.items(11..<12, "\"source\"", "\"serialNumber\":6,\"source\"")
            let planned = try await catalog.load(text, chunk: 2) { $0.isDryRun = true }
            #expect(try await catalog.dump() == dump)
            #expect(try await catalog.traces() == traces)
            #expect(try await catalog.text(number) == last)
            let done = try await catalog.load(text, chunk: 2)
            #expect(planned.report?.counts == done.report?.counts && planned.rejects == done.rejects)
            #expect(done.report?.counts == Self.counts(5, 2, 7, 3), "\(done.rejects)")
        }
    }

    @Test("Pruning withdraws absent items only if requested, only of the kinds in the file, and not if records are rejected")
    func prune() async throws {
        try await Self.withCatalog { catalog in
            _ = try await catalog.load(Self.file + Self.items(0..<5))
            let activeCount = "SELECT string_agg(source, ' ' ORDER BY source) FROM items WHERE deleted_at IS NULL"
            #expect(try await catalog.load(Self.items(0..<2)).report?.counts == Self.counts(0, 0, 2))
            let spoiled = try await catalog.load(Self.items(0..<2) + "{}\n") { $0.prunes = true }
            #expect(spoiled.report?.pruneSkipped == .rejects && spoiled.report?.counts.withdrawn == 0)
            let planned = try await catalog.load(Self.items(0..<2)) { ($0.prunes, $0.isDryRun, $0.maxWithdrawnPercent) = (true, true, 67) }
            #expect(planned.report?.counts == Self.counts(0, 0, 2, withdrawn: 4))
            #expect(try await catalog.text(activeCount) == "harbor-notes item-0 item-1 item-2 item-3 item-4 saffron-table")
            // Four of six are 67 percent, rounded up.
            for percent in [20, 66] {
                let cut = try await catalog.load(Self.items(0..<2)) { ($0.prunes, $0.maxWithdrawnPercent) = (true, percent) }
                #expect(cut.report?.pruneSkipped == .tooMany(missing: 4, activeCount: 6) && cut.report?.counts == Self.counts(0, 0, 2))
            }
            #expect(try await catalog.text(activeCount) == "harbor-notes item-0 item-1 item-2 item-3 item-4 saffron-table")
            let pruned = try await catalog.load(Self.items(0..<2)) { ($0.prunes, $0.maxWithdrawnPercent) = (true, 67) }
            #expect(pruned.report?.counts == Self.counts(0, 0, 2, withdrawn: 4) && pruned.report?.pruneSkipped == nil)
            #expect(try await catalog.text(activeCount) == "item-0 item-1 saffron-table")
            // An item that the file contains again is restored with its old number.
            #expect(try await catalog.load(Self.items(2..<3)).report?.counts == Self.counts(0, 1, 0))
            #expect(try await catalog.text(activeCount) == "item-0 item-1 item-2 saffron-table")
            #expect(try await catalog.text("SELECT serial_number || ' ' || version FROM items WHERE source = 'item-2'") == "5 3")
        }
    }

    @Test(
        "One reject too many discards its chunk, and everything if the import is atomic or the catalog was empty",
        arguments: [false, true])
    func limit(isEmpty: Bool) async throws {
        try await Self.withCatalog { catalog in
            _ = try await catalog.load(Catalog.output + (isEmpty ? "" : Self.items(90..<91)))
            let before = isEmpty ? 0 : 1
            let text = Self.items(0..<4) + "{}\n{}\n" + Self.items(4..<6)
            let atomic = try await catalog.load(text, chunk: 2) { ($0.maxRejects, $0.isAtomic) = (1, true) }
            #expect(atomic.failure == .tooManyRejects(Self.counts(0, 0, 0, 2)))
            #expect(try await catalog.text("SELECT count(*)::text FROM items") == "\(before)")
            let run = try await catalog.load(text, chunk: 2) { $0.maxRejects = 1 }
            #expect(run.failure != nil && run.rejects.map(\.line) == [5, 6])
            #expect(run.failure == .tooManyRejects(Self.counts(isEmpty ? 0 : 4, 0, 0, 2)))
            #expect(atomic.remaining == nil && run.remaining == (isEmpty ? nil : Self.counts(4, 0, 0)))
            #expect(try await catalog.text("SELECT count(*)::text FROM items") == "\(isEmpty ? 0 : 5)")
            let allowed = try await catalog.load(text, chunk: 2) { ($0.maxRejects, $0.isAtomic) = (2, true) }
            #expect(allowed.report?.counts == (isEmpty ? Self.counts(6, 0, 0, 2) : Self.counts(2, 0, 4, 2)))
        }
    }

    @Test("A chart record replaces the whole chart, and is rejected if an item does not exist")
    func charts() async throws {
        try await Self.withCatalog { catalog in
            _ = try await catalog.load(Self.file)
            let chart = "{\"kind\":\"chart\",\"storefront\":\"us\",\"name\":\"top-free\",\"items\":[\"topapp:harbor-notes\"]}\n"
            #expect(try await catalog.load(chart).report?.counts == Self.counts(0, 1, 0))
            #expect(try await catalog.text("SELECT count(*)::text FROM chart_entries") == "1")
            let unknown = try await catalog.load(chart.replacing("harbor", with: "harbour"))
            #expect(
                unknown.rejects.map(\.description) == [
                    "line 1 (/items/0): the item topapp:harbour-notes does not exist [UNKNOWN_REFERENCE]"
                ])
            #expect(try await catalog.load(chart).report?.counts == Self.counts(0, 0, 1))
        }
    }

    @Test("A load into an empty catalog has the same result as any import, with all keys and indexes")
    func loading() async throws {
        try await Self.withCatalog { catalog in
            let schema = """
                SELECT string_agg(line, E'\\n' ORDER BY line) FROM (
                    SELECT format('%s %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated) AS line FROM pg_constraint
                    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'vitrine'
                    UNION ALL SELECT format('%s %s %s', tgrelid::regclass, tgname, tgenabled) FROM pg_trigger WHERE NOT tgisinternal
                ) AS lines
                """
            let before = try await catalog.text(schema)
            let chart = "{\"kind\":\"chart\",\"storefront\":\"us\",\"name\":\"top\",\"items\":[\"topapp:item-7\"]}\n"
            let text = Catalog.output + Self.items(0..<29) + Self.illustrated("item-29") + Records.foodApp + "\n" + chart
            let run = try await catalog.load(text, chunk: 4)
            #expect(run.report?.counts == Self.counts(37, 0, 0) && run.rejects == [])
            #expect(run.phases == ImportPhase.allCases && run.remaining == run.report?.counts)
            #expect(try await catalog.text(schema) == before)
            let known = "SELECT count(DISTINCT tablename)::text FROM pg_stats WHERE tablename IN ('items', 'item_texts', 'item_prices')"
            #expect(try await catalog.text(known) == "3")
            // Autovacuum reads a larger sample after the commit, because the rows count as changed.
            _ = try await catalog.text("SELECT pg_stat_force_next_flush()::text")
            let changed = "SELECT n_mod_since_analyze::text FROM pg_stat_user_tables WHERE relname = 'items'"
            #expect(try await catalog.text(changed) == "31")
            #expect(try await catalog.text("SELECT sum(cardinality(ids))::text FROM sync_outbox WHERE kind = 'item'") == "31")
            let whole = try await ScratchDatabase.run { database in
                try await Self.dump(database) { catalog in _ = try await catalog.load(text) }
            }
            #expect(try await catalog.dump() + catalog.derived() == whole)
            #expect(try await catalog.derived().split(separator: "\n").count { $0.hasPrefix("listings ") } == 31)
            #expect(try await catalog.load(text, chunk: 4).report?.counts == Self.counts(0, 0, 37))
        }
    }

    @Test("A change of more than 100 items locks them, unless its transaction has locked the whole table", arguments: [false, true])
    func lockedItems(isTableLocked: Bool) async throws {
        try await Self.withCatalog { catalog in
            _ = try await catalog.load(Catalog.output + Self.items(0..<120))
            _ = try await catalog.text("BEGIN")
            if isTableLocked { _ = try await catalog.text("LOCK TABLE items IN ACCESS EXCLUSIVE MODE") }
            // The foreign keys of new rows would lock their items as well, and texts that are changed have none to check.
            _ = try await catalog.text("UPDATE item_texts SET title = title || '!'")
            _ = try await catalog.text("SET CONSTRAINTS ALL IMMEDIATE")
            let locked = "SELECT count(*)::text FROM items WHERE xmax = pg_current_xact_id()::xid"
            #expect(try await catalog.text(locked) == (isTableLocked ? "0" : "120"))
            _ = try await catalog.text("ROLLBACK")
        }
    }

    @Test("An import indexes its items before it ends, including those that a killed import has left", arguments: [50, 10_000])
    func derived(chunk: Int) async throws {
        try await Self.withCatalog { catalog in
            let file = Catalog.output + Self.items(0..<250)
            _ = try await catalog.load(Self.file)
            _ = try await catalog.load(file, chunk: chunk)
            let expected = try await catalog.derived()
            #expect(expected.split(separator: "\n").count { $0.hasPrefix("documents ") } == 252)
            // The state after an import that was killed after its last chunk.
            _ = try await catalog.text("DELETE FROM listings RETURNING scope")
            _ = try await catalog.text("DELETE FROM listing_counts RETURNING scope")
            _ = try await catalog.text("DELETE FROM listing_moments RETURNING scope")
            _ = try await catalog.text("DELETE FROM listed_titles RETURNING title")
            _ = try await catalog.text("DELETE FROM search_documents RETURNING titles")
            _ = try await catalog.text("SELECT queue_all_items()::text")
            #expect(try await catalog.load(file, chunk: chunk).report?.counts == Self.counts(0, 0, 255))
            #expect(try await catalog.derived() == expected)
        }
    }

    @Test("Even a small import is indexed after its commit, and takes no locks that block other transactions")
    func small() async throws {
        let text = Self.items(0..<2, "499", "0")
        try await Catalog.withAnother { catalog, other in
            _ = try await catalog.load(Catalog.output + Self.items(0..<2))
            #expect(try await catalog.text("SELECT count(*)::text FROM sync_outbox WHERE kind = 'listing'") == "1")
            // The other transaction locks the second item, and then the counts that the first item changes.
            try await catalog.connection.runScript(
                "hold",
                """
                BEGIN; UPDATE items SET rating_count = 7 WHERE source = 'item-1';
                DELETE FROM item_prices USING items WHERE id = item_id AND source = 'item-1'
                """, until: .soon)
            async let run = other.load(text, chunk: 1) { $0.isAtomic = true }
            try await catalog.waitForAnother()
            try await catalog.connection.runScript("go on", "COMMIT", until: .soon)
            let counts = try await run.report?.counts
            #expect(counts == Self.counts(0, 2, 0))
        }
    }

    @Test("An import ends at the maximum number of records, and keeps the chunks before that")
    func tooManyRecords() async throws {
        try await Self.withCatalog { catalog in
            let words = Catalog.output.split(separator: "\n").count
            let file = Catalog.output + Self.items(0..<6)
            let run = try await catalog.load(file, chunk: 2, limits: FileLimits(records: words + 5)) { $0.closesEmptyCatalog = false }
            #expect(run.failure == .tooManyRecords(Self.counts(words + 4, 0, 0, 1)))
            #expect(
                run.rejects.map(\.description) == [
                    "line 11: the file has more than 10 records; split the file into several files [TOO_LARGE]"
                ])
            #expect(try await catalog.text("SELECT count(*)::text FROM items") == "4")
            #expect(try await catalog.load(file, chunk: 2, limits: FileLimits(records: words + 6)).report?.counts.new == 2)
        }
    }

    @Test("An import waits for indexing before it locks any item, so that no deadlock occurs")
    func deriving() async throws {
        try await Catalog.withAnother { catalog, other in
            _ = try await catalog.load(Catalog.output + Self.items(0..<2))
            let ids = try await catalog.text("SELECT string_agg(source, ' ' ORDER BY id DESC) FROM items").split(separator: " ")
            let lock = "SELECT FROM items WHERE source ="
            try await catalog.connection.runScript(
                "derive", "BEGIN; SELECT pg_advisory_xact_lock(7234017283807667301); \(lock) '\(ids[1])' FOR NO KEY UPDATE", until: .soon)
            let file = ids.map { Records.topApp("harbor-notes", String($0)).replacing("1024", with: "2048") + "\n" }.joined()
            async let run = other.load(file)
            try await catalog.waitForAnother()
            try await catalog.connection.runScript("go on", "\(lock) '\(ids[0])' FOR NO KEY UPDATE; COMMIT", until: .soon)
            let counts = try await run.report?.counts
            #expect(counts == Self.counts(0, 2, 0))
        }
    }

    @Test("A load into an empty catalog waits for readers before it locks anything that they need")
    func loadingBesideReaders() async throws {
        try await Catalog.withAnother { catalog, other in
            _ = try await catalog.load(Catalog.output)
            try await catalog.connection.runScript("read", "BEGIN; SELECT count(*) FROM items", until: .soon)
            async let run = other.load(Self.items(0..<4), chunk: 2)
            try await catalog.waitForAnother()
            try await catalog.connection.runScript(
                "read on",
                """
                SELECT FROM item_texts, top_apps, food_apps, item_categories, item_prices, item_availability, storefronts, categories,
                    chart_entries;
                COMMIT
                """, until: .soon)
            let counts = try await run.report?.counts
            #expect(counts == Self.counts(4, 0, 0))
        }
    }

    @Test(
        "A load into an empty catalog rejects a currency that differs from that of earlier prices, like any other import",
        arguments: [1, 2, 3])
    func otherCurrency(chunk: Int) async throws {
        let us = Catalog.output.split(separator: "\n")[0].replacing("USD", with: "CAD") + "\n"
        let text = Self.items(0..<2) + us + Self.items(2..<4).replacing("USD", with: "CAD") + Self.items(4..<5)
        try await Self.withCatalog { catalog in
            _ = try await catalog.load(Catalog.output)
            let run = try await catalog.load(text, chunk: chunk)
            let refused = try await ScratchDatabase.run { database in
                let lines = Lines()
                try await withConnection(database.configuration) { connection in
                    let catalog = Catalog(connection: connection)
                    _ = try await catalog.load(
                        Catalog.output + Self.items(90..<91, "\"us\":{\"amountMinor\":499,\"currency\":\"USD\"}", ""))
                    await lines.set(try await catalog.load(text, chunk: chunk).rejects.map(\.line))
                }
                return await lines.value
            }
            #expect(run.phases == ImportPhase.allCases)
            #expect(run.rejects.map(\.line) == refused && !refused.isEmpty)
        }
    }

    private actor Lines {
        var value: [Int] = []
        func set(_ value: [Int]) { self.value = value }
    }

    @Test("A large import leaves statistics of every table that is read")
    func analyzed() async throws {
        try await Self.withCatalog { catalog in
            _ = try await catalog.load(Catalog.output + Self.items(0..<20))
            let analyze = NamedQuery("import.analyze")
            _ = try await catalog.connection.run([PostgresQuery(analyze)], until: .soon)
            let unknown = """
                SELECT string_agg(relname, ' ') FROM pg_class
                WHERE relname IN ('items', 'item_texts', 'listings', 'listed_titles', 'listing_counts', 'search_documents', 'search_words') AND reltuples <= 0
                """
            #expect(try await catalog.text(unknown) == "")
        }
    }

    @Test("Two concurrent imports of the same file have the result of one", arguments: [false, true])
    func atOnce(isEmpty: Bool) async throws {
        let text = Catalog.output + Self.items(0..<300)
        let database = try ScratchDatabase.current
        let first = isEmpty ? Catalog.output : Catalog.output + Self.items(0..<1)
        _ = try await Self.dump(database) { catalog in _ = try await catalog.load(first) }
        let alone = try await ScratchDatabase.run { database in
            try await Self.dump(database) { catalog in
                _ = try await catalog.load(first)
                _ = try await catalog.load(text, chunk: 10)
            }
        }
        try await withThrowingTaskGroup { group in
            for _ in 0..<3 {
                group.addTask {
                    try await withConnection(database.configuration) { connection in
                        let run = try await Catalog(connection: connection).load(text, chunk: 10)
                        #expect(run.report?.counts.records == 305 && run.rejects == [])
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await Self.dump(database) { _ in } == alone)
    }

    private static func dump(
        _ database: ScratchDatabase, _ body: @escaping @Sendable (Catalog) async throws -> Void
    ) async throws -> String {
        let text = Box()
        try await withConnection(database.configuration) { connection in
            let catalog = Catalog(connection: connection)
            try await body(catalog)
            await text.set(try await catalog.dump() + catalog.derived())
        }
        return await text.value
    }

    private actor Box {
        var value = ""
        func set(_ value: String) { self.value = value }
    }
}
