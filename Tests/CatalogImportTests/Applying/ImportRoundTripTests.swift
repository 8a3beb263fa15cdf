import CatalogImport
import Items
import JSON
import TestDatabase
import Testing
import Values

@Suite("The export of an import", .databaseForEachTest) struct ImportRoundTripTests {
    @Test("The images of an item are exported as they were imported, and replaced as a whole", arguments: [1, 10_000])
    func images(chunk: Int) async throws {
        try await Catalog.with { catalog in
            let file = Catalog.output + Records.illustratedApp + "\n"
            #expect(try await catalog.load(file, chunk: chunk).rejects == [])
            let id = try #require(UUID(try await catalog.text("SELECT id::text FROM items")))
            let exported = try #require(try await catalog.store.items([id]).first).record
            let imported = try #require(ReadFile(Records.illustratedApp).items.first).record
            #expect(exported.content == imported.content)
            let again = Catalog.output + String(decoding: try exported.json(), as: UTF8.self) + "\n"
            #expect(try await catalog.load(again, chunk: chunk).report?.counts == Catalog.counts(0, 0, 6))
            #expect(try await catalog.text("SELECT count(*)::text FROM item_images") == "10")
            #expect(try await catalog.load(Catalog.output + Records.topApp, chunk: chunk).report?.counts == Catalog.counts(0, 1, 5))
            #expect(try await catalog.text("SELECT count(*)::text FROM item_images") == "0")
        }
    }

    @Test("The price periods of an item are exported as they were imported, and replaced as a whole", arguments: [1, 10_000])
    func pricePeriods(chunk: Int) async throws {
        try await Catalog.with { catalog in
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
            #expect(try await catalog.load(again, chunk: chunk).report?.counts == Catalog.counts(0, 0, 7))
            let app = Catalog.output + Records.topApp + "\n" + Records.discountedFoodApp
            #expect(try await catalog.load(app, chunk: chunk).report?.counts == Catalog.counts(0, 1, 6))
            #expect(try await catalog.text("SELECT count(*)::text FROM item_price_periods WHERE role = 'price'") == "0")
        }
    }

    @Test("A list has the facts of items that rules compare, with the prices in effect")
    func summaries() async throws {
        try await Catalog.with { catalog in
            // The sale lasts from 2020 to 2199.
            let app = Records.discountedApp.replacing("2026-1", with: "2199-1").replacing("2199-11-27", with: "2020-11-27")
                .replacing("[\"ios\",\"ipados\"]", with: "{\"linux\":{},\"ios\":{\"minimumOsVersion\":\"16.2\"}}")
            let food = Records.foodApp("\"priceBand\":2", "\"priceBand\":2,\"dietaryTags\":[\"halal\"],\"tags\":[\"spring\"]")
            #expect(try await catalog.load(Catalog.output + app + "\n" + food + "\n").rejects == [])
            var listed = try await catalog.store.items(of: nil, withWithdrawn: false, after: 0, limit: 10)
            #expect(try listed.map { String(decoding: try $0.facts.json(), as: UTF8.self) } == ["{}", "{}"])
            let named = try await catalog.store.items(of: nil, withWithdrawn: false, slugsBeginWith: "", limit: 10)
            #expect(try named.map { try $0.json() } == listed.map { try $0.json() })
            try await catalog.store.addFacts(to: &listed)
            #expect(
                try listed.map { String(decoding: try $0.facts.json(), as: UTF8.self) } == [
                    """
                    {"platforms":{"ios":{"minimumOsVersion":"16.2"},"linux":{}},"ageRatings":{"apple-2015":"4+"},"developer":"Harbor",\
                    "currentPrices":{"us":{"amountMinor":299,"currency":"USD","former":499,"until":"2199-11-30T00:00:00.000000Z"}}}
                    """,
                    #"{"deliveryMinutes":{"from":20,"to":35},"dietaryTags":["halal"],"tags":["spring"]}"#,
                ])
        }
    }

    @Test("The tags, platforms, age ratings and time zone of an item are exported as they were imported, from JSON Lines and CSV")
    func facts() async throws {
        try await Catalog.with { catalog in
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
            #expect(try await catalog.load(again).report?.counts == Catalog.counts(0, 0, 7))
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
}
