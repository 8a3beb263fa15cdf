import Items
import JSON
import Postgres
import Testing
import Values

@testable import CatalogImport

@Suite("The records of a catalog file") struct RecordTests {
    @Test("Records of every kind are parsed, and the ID and slug of an item derive from its source")
    func kinds() throws {
        let file = ReadFile(
            """
            {"kind":"storefront","key":"jp","currency":"JPY","timeZone":"Asia/Tokyo","locales":["ja","en"],"defaultLocale":"ja"}
            {"kind":"category","key":"travel","itemKind":"topApp","title":{"en":"Travel","ar":"سفر"}}
            \(Records.topApp("productivity", "travel").replacing("\"us\":{", with: "\"jp\":{").replacing("\"USD\"", with: "\"JPY\""))
            \(Records.foodApp)
            {"kind":"chart","storefront":"jp","name":"top-free","items":["topapp:harbor-notes","6f1c7d1e-0000-4000-8000-000000000001"]}
            """)
        #expect(file.rejects == [])
        #expect(
            file.lines.map { $0.split(separator: " ").prefix(3).joined(separator: " ") } == [
                "1 storefront jp", "2 category travel", "3 topApp harbor-notes", "4 foodApp saffron-table", "5 chart top-free",
            ])
        let again = ReadFile(Records.topApp)
        #expect(file.items[0].id == again.items[0].id)
        #expect(file.items.map(\.slug) == ["harbor-notes", "saffron-table"])
        let odd = ReadFile(Records.topApp("harbor-notes", "Ünder Score/7")).items[0]
        #expect(odd.slug.hasPrefix("nder-score-7-") && odd.slug.utf8.count < 80, "\(odd.slug)")
    }

    @Test("The content hash does not depend on notation, and differs for different content")
    func hashes() throws {
        let item = try #require(ReadFile(Records.topApp).items.first)
        for same in [
            Records.topApp("4.256", "4.26"), Records.topApp("\"harbor-notes\"", "\"harbor-notes\",\"slug\":\"harbor-notes\""),
            Records.topApp("\"Write by the sea\"", "{\"en\":\"Write by \\u0074he sea\"}"),
            Records.topApp("\"harbor-notes\"", "\"harbor-notes\",\"serialNumber\":12"),
            Records.topApp("\"harbor-notes\"", "\"harbor-notes\",\"id\":\"01234567-89ab-4def-8edc-ba9876543210\""),
            Records.topApp("\"ios\",\"ipados\"", "\"ipados\",\"ios\""),
            Records.topApp("[\"ios\",\"ipados\"]", "{\"ipados\":{},\"ios\":{}}"),
            Records.topApp("\"ageRating\":\"4+\"", "\"ageRatings\":{\"apple-2015\":\"4+\"}"),
            Records.topApp("{\"en\":\"Harbor Notes\",\"ar\":\"ملاحظات\"}", "{\"ar\":\"ملاحظات\",\"en\":\"Harbor Notes\"}"),
        ] {
            let other = ReadFile(same)
            #expect(other.rejects == [])
            #expect(other.items.first?.contentHash == item.contentHash, "\(same)")
        }
        for different in [
            Records.topApp("4.256", "4.25"), Records.topApp("1024", "1025"),
            Records.topApp("\"harbor-notes\"", "\"harbor-notes\",\"slug\":\"x\""),
            Records.topApp("\"ios\",\"ipados\"", "\"ios\""), Records.topApp("\"4+\"", "\"9+\""),
            Records.topApp("\"platforms\"", "\"minimumOsVersion\":\"16.2\",\"platforms\""),
            Records.topApp("\"ageRating\"", "\"ageRatings\":{\"pegi\":\"3\"},\"ageRating\""), Records.topApp(",\"ar\":\"ملاحظات\"", ""),
            Records.topApp("\"productivity\"", "\"productivity\",\"games\""),
            Records.topApp("\"appVersion\"", "\"tags\":[\"made-here\"],\"appVersion\""),
            Records.topApp("\"appVersion\"", "\"availability\":{},\"appVersion\""),
        ] {
            let other = ReadFile(different)
            #expect(other.rejects == [])
            #expect(other.items.first?.contentHash != item.contentHash, "\(different)")
        }
    }

    @Test("A role other than the hero can have one image instead of a list")
    func singleImage() throws {
        let single = Records.illustrated("\"sizes\":[[8,2]]}]", "\"sizes\":[[8,2]]}").replacing("\"banner\":[", with: "\"banner\":")
        let items = [single, Records.illustratedApp].compactMap { ReadFile($0).items.first }
        #expect(items.count == 2 && items.first?.record == items.last?.record)
    }

    @Test("A CSV file has the fields of an image in columns")
    func columns() throws {
        let file = ReadFile(
            """
            kind,source,title,categories,bundleId,developer,appVersion,sizeBytes,platforms,ageRating,releaseDate,image.alt.en,images.hero.template,\
            images.hero.width,images.hero.height,images.hero.sizes,images.hero.dark.template,images.hero.locales.ar.template
            topApp,a,A,productivity,org.a,A,1,1,ios,4+,2024-02-29,A quay,/{w}x{h},1280,720,640x360|1280x720,/dark/{w}x{h},/ar/{w}x{h}
            topApp,b,B,productivity,org.b,B,1,1,ios,4+,2024-02-29,,/{w}x{h},1280,720,640,,
            """, as: .csv)
        let content = try #require(file.items.first).record.content
        #expect(content.images.icon == nil && content.texts.map(\.imageAlt) == ["A quay"])
        let hero = content.images.all.first { $0.role == "hero" }?.image
        #expect(hero?.sizes.map(\.width) == [640, 1_280] && hero?.standard.dark?.template == "/dark/{w}x{h}")
        #expect(hero?.locales.keys.map(\.text) == ["ar"])
        #expect(file.items.count == 1 && file.rejects.map(\.location) == [.column("images.hero.sizes")])
        #expect(file.rejects.map(\.reason) == ["expected sizes such as 640x360|1280x720"])
        for sizes in ["640X360", "640x", "x", "-1x1", "1e2x1", "640x360|", "1x1x1", "6.0x1"] {
            #expect(throws: RecordEdit.InvalidEdit.self, "\(sizes)") { try RecordEdit("images.hero.sizes=\(sizes)") }
        }
        #expect(CSVColumn(name: "images.\(String(repeating: "a", count: 80)).template") != nil)
        #expect(CSVColumn(name: "images.\(String(repeating: "a", count: 81)).template") == nil)
        for name in ["image.url", "image.dark.width", "image.locales.ar", "images.hero", "images.hero.dark.dark.template"] {
            #expect(CSVColumn(name: name) == nil, "\(name)")
        }
    }

    @Test("A CSV file has the price periods of a storefront in a column")
    func pricePeriodColumns() throws {
        let header = "kind,source,title,categories,bundleId,developer,appVersion,sizeBytes,platforms,ageRating,releaseDate,pricePeriods.us"
        func file(_ periods: String) -> ReadFile {
            ReadFile("\(header)\ntopApp,a,A,productivity,org.a,A,1,1,ios,4+,2024-02-29,\(periods)", as: .csv)
        }
        let periods = "2026-11-30T00:00:00Z/2026-12-01T00:00:00Z 0 USD|2026-11-27T00:00:00Z/2026-11-30T00:00:00Z 299 USD 499"
        let content = try #require(file(periods).items.first).record.content
        let expected = try #require(ReadFile(Records.discountedApp).items.first).record.content
        #expect(content.pricePeriods == expected.pricePeriods && content.pricePeriods.count == 2)
        #expect(content.pricePeriods.map(\.amount.amountMinor) == [299, 0] && content.pricePeriods.map(\.previousMinor) == [499, nil])
        for wrong in [
            "2026-11-27T00:00:00Z 299 USD", "2026-11-27T00:00:00Z/ 299 USD", "2026-11-27T00:00:00Z/2026-11-30T00:00:00Z",
            "2026-11-27T00:00:00Z/2026-11-30T00:00:00Z 2.99 USD", "2026-11-27T00:00:00Z/2026-11-30T00:00:00Z 299 USD 499 599", "nowhere",
            "\(periods)|", "2026-11-27T00:00:00Z/2026-11-30T00:00:00Z 299 EUR",
        ] {
            let file = file(wrong)
            #expect(file.items.isEmpty && file.rejects.allSatisfy { $0.location == .column("pricePeriods.us") }, "\(wrong)")
            #expect(!file.rejects.isEmpty, "\(wrong)")
        }
    }

    @Test(
        "Price periods that cannot be read are rejected with the reason and an example",
        arguments: [
            ("2026-11-27T00:00:00Z 299 USD", "the start and the end are not separated by a slash"),
            ("/2026-11-30T00:00:00Z 299 USD", "the start is missing"), ("2026-11-27T00:00:00Z/ 299 USD", "the end is missing"),
            ("2026-11-27T00:00:00Z/2026-11-30T00:00:00Z", "the amount and the currency are missing"),
            ("2026-11-27T00:00:00Z/2026-11-30T00:00:00Z 299", "the currency is missing"),
            ("2026-11-27T00:00:00Z/2026-11-30T00:00:00Z 2.99 USD", "the amount is not an integer in the minor unit of the currency"),
            (
                "2026-11-27T00:00:00Z/2026-11-30T00:00:00Z 299 USD 4,99",
                "the former amount is not an integer in the minor unit of the currency"
            ),
            ("2026-11-27T00:00:00Z/2026-11-30T00:00:00Z 299 USD 499 599", "text follows the former amount"),
        ])
    func unreadablePeriods(period: String, fault: String) throws {
        let good = "2026-12-01T00:00:00Z/2026-12-02T00:00:00Z 0 USD"
        let reason =
            "cannot read the price period '\(period)': \(fault); expected FROM/UNTIL AMOUNT CURRENCY, in a sale followed by the former amount, "
            + "such as 2026-11-27T00:00:00Z/2026-11-30T00:00:00Z 299 USD 499"
        let row = "topApp,a,A,productivity,org.a,A,1,1,ios,4+,2024-02-29,\"\(good)|\(period)\""
        let file = ReadFile(
            "kind,source,title,categories,bundleId,developer,appVersion,sizeBytes,platforms,ageRating,releaseDate,pricePeriods.us\n\(row)",
            as: .csv)
        #expect(file.rejects == [Reject(line: 2, location: .column("pricePeriods.us"), code: .invalidFormat, reason: reason)])
        let error = try #require(throws: RecordEdit.InvalidEdit.self) { try RecordEdit("deliveryFeePeriods.us=\(good)|\(period)") }
        #expect(error.reason == reason)
    }

    @Test("Periods of availability and opening hours that cannot be read are rejected with an example")
    func unreadableSpans() throws {
        for (edit, reason) in [
            (
                "availability.us=2026-01-01T00:00:00Z/|spring",
                "cannot read the period 'spring': expected FROM/UNTIL, such as 2026-01-01T00:00:00Z/2026-07-01T00:00:00Z"
            ),
            (
                "openingHours=mon 11:00-22:00|tue 11:00",
                "cannot read the opening hours 'tue 11:00': expected DAYS OPENS-CLOSES, such as mon,tue 11:00-22:00"
            ),
        ] {
            let error = try #require(throws: RecordEdit.InvalidEdit.self) { try RecordEdit(edit) }
            #expect(error.reason == reason)
        }
    }

    @Test("An unknown platform, category or time zone is rejected at its own location, with its value and a suggestion")
    func suggestions() {
        let food = Records.foodApp("\"priceBand\"", "\"timeZone\":\"Asia/Riyad\",\"priceBand\"")
        let file = ReadFile(
            [
                Records.topApp("[\"ios\",\"ipados\"]", "[\"ipados\",\"linus\"]").replacing("productivity", with: "produktivity"), food,
                food.replacing("Asia/Riyad", with: "Mars/Olympus"),
            ].joined(separator: "\n"))
        #expect(
            file.lines == [
                "line 1 (/categories/0): the category produktivity does not exist; did you mean productivity? [UNKNOWN_REFERENCE]",
                "line 1 (/platforms/1): the platform linus does not exist; did you mean linux? [UNKNOWN_REFERENCE]",
                "line 2 (/timeZone): the time zone Asia/Riyad does not exist; did you mean Asia/Riyadh? [UNKNOWN_REFERENCE]",
                "line 3 (/timeZone): the time zone Mars/Olympus does not exist [UNKNOWN_REFERENCE]",
            ])
        let csv = ReadFile(
            "kind,source,title,categories,brand,cuisines,deliveryMinutes.from,deliveryMinutes.to,priceBand,timeZone\n"
                + "foodApp,a,A,arabic,A,a,1,2,1,Asia/Riyad\n", as: .csv)
        #expect(
            csv.lines == ["line 2 (timeZone): the time zone Asia/Riyad does not exist; did you mean Asia/Riyadh? [UNKNOWN_REFERENCE]"])
    }

    @Test("The price periods of a FoodApp in another currency or storefront are rejected at the field that has them")
    func periodsOfFees() {
        let rejects = { (text: String) in ReadFile(text).rejects.map { "\($0.location)" } }
        let late = Records.sale.replacing("2026-11-27", with: "2026-11-30").replacing(
            "2026-11-30T00:00:00Z\",\"amount", with: "2026-12-01T00:00:00Z\",\"amount")
        let food = Records.foodApp(
            "\"deliveryFee\":",
            "\"minimumOrderPeriods\":{\"fr\":[\(Records.sale)]},\"deliveryFeePeriods\":{\"de\":[\(late),\(Records.sale)]},\"deliveryFee\":")
        // The earlier of the two periods is the second one.
        #expect(
            rejects(food) == [
                "pointer(\"/deliveryFeePeriods/de/1/currency\")", "pointer(\"/minimumOrderPeriods/fr\")",
            ])
    }

    @Test("A violated constraint of prices leads to the only price of a FoodApp, or else to the record")
    func priceConstraint() throws {
        let minimumOrder = /"minimumOrderPeriods":\{"de":\[[^\]]*\]\},/
        for (constraint, text, pointer) in [
            ("item_prices_currency_fkey", Records.foodApp, "/deliveryFee"), ("item_prices_currency_fkey", Records.topApp, "/prices"),
            ("item_price_periods_overlap_excl", Records.discountedApp, "/pricePeriods"),
            ("item_price_periods_overlap_excl", Records.discountedFoodApp, ""),
            ("item_price_periods_overlap_excl", Records.discountedFoodApp.replacing(minimumOrder, with: ""), "/deliveryFeePeriods"),
        ] {
            var error = PostgresError(.refused, "violation", sqlState: SQLState(rawValue: "23503"))
            error.constraint = constraint
            let record = try CatalogRecord(parsing: Array(text.utf8))
            #expect(Reject(error, of: record, line: 1).location == .pointer(pointer), "\(constraint) \(pointer)")
        }
    }

    @Test("A violated constraint of images leads to the only role of the record, or else to the record")
    func imageConstraint() throws {
        var error = PostgresError(.refused, "check", sqlState: SQLState(rawValue: "23514"))
        error.constraint = "item_images_color_check"
        let image = #"{"template":"/{w}/{h}","width":1,"height":1}"#
        for (text, pointer) in [
            (Records.topApp("\"rating\"", "\"image\":\(image),\"rating\""), "/image"),
            (Records.topApp("\"rating\"", "\"images\":{\"hero\":\(image)},\"rating\""), "/images/hero"), (Records.illustratedApp, ""),
        ] {
            let record = try CatalogRecord(parsing: Array(text.utf8))
            #expect(Reject(error, of: record, line: 1).location == .pointer(pointer))
        }
    }

    @Test("A record is parsed as it was written")
    func roundTrip() throws {
        for text in [Records.topApp, Records.foodApp, Records.illustratedApp, Records.discountedApp, Records.discountedFoodApp] {
            let item = try #require(ReadFile(text).items.first)
            let again = ReadFile(try item.record.json())
            #expect(again.rejects == [])
            #expect(again.items.first?.record == item.record)
            #expect(again.items.first?.contentHash == item.contentHash)
        }
    }

    @Test(
        "Opening hours on Monday may start when the night of Sunday ends, and not before", arguments: [("01:59", false), ("02:00", true)])
    func nightOfSunday(opens: String, isRead: Bool) {
        let file = ReadFile(
            Records.foodApp("}],\"availability\"", "},{\"days\":[\"mon\"],\"opens\":\"\(opens)\",\"closes\":\"03:00\"}],\"availability\""))
        #expect(file.rejects.isEmpty == isRead && file.items.isEmpty != isRead)
        #expect(isRead || file.rejects.contains { $0.location == .pointer("/openingHours") && $0.code.rawValue == "DUPLICATE" })
    }

    @Test(
        "An invalid record is rejected with the pointer and code of its issue",
        arguments: [
            (Records.topApp("1024", "\"1024\""), "/sizeBytes", "INVALID_TYPE"),
            (Records.topApp("\"rating\"", "\"serialNumber\":9007199254740992,\"rating\""), "/serialNumber", "OUT_OF_RANGE"),
            (Records.topApp("1024", "0"), "/sizeBytes", "OUT_OF_RANGE"),
            (
                Records.topApp(
                    "{\"en\":\"Harbor Notes\"", "{" + (100..<150).map { "\"en-\($0)\":\"A\"," }.joined() + "\"en\":\"Harbor Notes\""),
                "/title", "INVALID_COUNT"
            ),
            (Records.topApp("\"appVersion\"", "\"appVersoin\""), "", "MISSING_KEY"),
            (Records.topApp("\"appVersion\"", "\"extra\":1,\"appVersion\""), "/extra", "UNKNOWN_KEY"),
            (Records.topApp("\"productivity\"", "\"nowhere\""), "/categories/0", "UNKNOWN_REFERENCE"),
            (Records.topApp("\"productivity\"", "\"arabic\""), "/categories/0", "UNKNOWN_REFERENCE"),
            (Records.topApp("\"productivity\"", ""), "/categories", "INVALID_FORMAT"),
            (Records.topApp("\"us\":{", "\"fr\":{"), "/prices/fr", "UNKNOWN_REFERENCE"),
            (Records.topApp("\"USD\"", "\"EUR\""), "/prices/us/currency", "UNKNOWN_REFERENCE"),
            (Records.topApp("499", "-1"), "/prices/us/amountMinor", "OUT_OF_RANGE"),
            (Records.topApp("499", "1e3"), "/prices/us/amountMinor", "INVALID_TYPE"),
            (Records.discounted("\"former\":499", "\"former\":299"), "/pricePeriods/us/1/former", "OUT_OF_RANGE"),
            (Records.discounted("\"from\":\"2026-11-27T00:00:00Z\",", ""), "/pricePeriods/us/1", "MISSING_KEY"),
            (Records.discounted("2026-11-27T00:00:00Z", "2026-11-30T00:00:00Z"), "/pricePeriods/us/1/until", "OUT_OF_RANGE"),
            (
                Records.discounted("\"until\":\"2026-11-30T00:00:00Z\"", "\"until\":\"2026-11-30T00:00:01Z\""), "/pricePeriods/us",
                "DUPLICATE"
            ),
            (
                Records.discounted("299,\"currency\":\"USD\"", "299,\"currency\":\"EUR\""), "/pricePeriods/us/1/currency",
                "UNKNOWN_REFERENCE"
            ),
            (Records.discounted("\"pricePeriods\":{\"us\"", "\"pricePeriods\":{\"fr\""), "/pricePeriods/fr", "UNKNOWN_REFERENCE"),
            (Records.discounted("\"pricePeriods\"", "\"deliveryFeePeriods\""), "/deliveryFeePeriods", "UNKNOWN_KEY"),
            (Records.topApp("4.256", "5.01"), "/rating/average", "OUT_OF_RANGE"),
            (Records.topApp("\"count\":12", "\"count\":0"), "/rating/average", "OUT_OF_RANGE"),
            (Records.topApp("\"rating\"", "\"image\":{\"url\":\"/a\",\"width\":1,\"height\":1},\"rating\""), "/image", "MISSING_KEY"),
            (Records.illustrated("https://cdn", "//cdn"), "/image/template", "INVALID_FORMAT"),
            (Records.illustrated("\"ar\":\"منارة\"", "\"ja\":\"灯台\""), "/image", "MISSING_KEY"),
            (Records.illustrated("\"hero\":", "\"Hero\":"), "/images/Hero", "INVALID_FORMAT"),
            (Records.illustrated("\"hero\":", "\"icon\":"), "/images/icon", "UNKNOWN_KEY"),
            (Records.illustrated("\"hero\":{", "\"hero\":[],\"other\":{"), "/images/hero", "INVALID_TYPE"),
            (
                Records.illustrated("{\"template\":\"/1/{w}/{h}\"", "{\"template\":\"/1\""), "/images/screenshot/0/template",
                "INVALID_FORMAT"
            ),
            (
                Records.illustrated("[{\"template\":\"/banner.png\"", "[],\"other\":[{\"template\":\"/banner.png\""), "/images/banner",
                "INVALID_COUNT"
            ),
            (Records.topApp("4.256", "1e999"), "/rating/average", "NUMBER_OUT_OF_RANGE"),
            (Records.topApp("2024-02-29", "2023-02-29"), "/releaseDate", "INVALID_FORMAT"),
            // A space outside ASCII, which the constraint rejects.
            (Records.topApp("\"rating\"", "\"homepage\":\"https://x.example/\u{3000}a\",\"rating\""), "/homepage", "INVALID_FORMAT"),
            (Records.topApp("\"ios\"", "\"palm\""), "/platforms/0", "UNKNOWN_REFERENCE"),
            (Records.topApp("[\"ios\",\"ipados\"]", "{\"ios\":{},\"palm\":{}}"), "/platforms/palm", "UNKNOWN_REFERENCE"),
            (Records.foodApp("\"priceBand\"", "\"timeZone\":\"Asia/Tehran\",\"priceBand\""), "/timeZone", "UNKNOWN_REFERENCE"),
            (Records.topApp("\"ios\"", "\"i os\""), "/platforms/0", "INVALID_FORMAT"),
            (Records.topApp("\"ios\",\"ipados\"", "\"ios\",\"ios\""), "/platforms/1", "DUPLICATE"),
            (Records.topApp("[\"ios\",\"ipados\"]", "[]"), "/platforms", "INVALID_COUNT"),
            (Records.topApp("[\"ios\",\"ipados\"]", "{}"), "/platforms", "INVALID_COUNT"),
            (
                Records.topApp("[\"ios\",\"ipados\"]", "{\"ios\":{\"minimumOsVersion\":\"iOS 9\"}}"), "/platforms/ios/minimumOsVersion",
                "INVALID_FORMAT"
            ),
            (Records.topApp("[\"ios\",\"ipados\"]", "{\"ios\":{}},\"minimumOsVersion\":\"9\""), "/minimumOsVersion", "DUPLICATE"),
            (Records.topApp("\"platforms\"", "\"minimumOsVersion\":\"9.x\",\"platforms\""), "/minimumOsVersion", "INVALID_FORMAT"),
            (Records.topApp("\"ageRating\":\"4+\",", ""), "", "MISSING_KEY"),
            (Records.topApp("\"4+\"", "\"5+\""), "/ageRatings/apple-2015", "UNKNOWN_REFERENCE"),
            (Records.topApp("\"ageRating\":\"4+\"", "\"ageRatings\":{\"mpaa\":\"R\"}"), "/ageRatings/mpaa", "UNKNOWN_REFERENCE"),
            (
                Records.topApp("\"ageRating\"", "\"ageRatings\":{\"apple-2015\":\"9+\"},\"ageRating\""), "/ageRating", "DUPLICATE"
            ),
            (Records.topApp("\"Harbor Notes\"", "\"a\\u0000b\""), "/title/en", "NUL"),
            (Records.topApp("\"Harbor Notes\"", "\"a\\nb\""), "/title", "INVALID_FORMAT"),
            (Records.topApp("\"Harbor Notes\"", "\"  \""), "/title", "INVALID_FORMAT"),
            (Records.topApp("\"ar\"", "\"AR\""), "/title/AR", "INVALID_FORMAT"),
            (Records.topApp("\"Write by the sea\"", "{\"de\":\"x\"}"), "/subtitle", "MISSING_KEY"),
            (Records.topApp("\"topApp\"", "\"midApp\""), "/kind", "INVALID_CHOICE"),
            (Records.topApp("\"kind\":\"topApp\",", ""), "", "MISSING_KEY"),
            (Records.topApp("\"rating\"", "\"image\":{\"template\":\"/{w}/{h}\"},\"rating\""), "/image", "MISSING_KEY"),
            (Records.topApp("\"rating\"", "\"id\":\"1\",\"rating\""), "/id", "INVALID_FORMAT"),
            (Records.foodApp("\"02:00\"", "\"24:00\""), "/openingHours/0/closes", "INVALID_FORMAT"),
            (
                Records.foodApp("}],\"availability\"", "},{\"days\":[\"tue\"],\"opens\":\"01:00\",\"closes\":\"03:00\"}],\"availability\""),
                "/openingHours", "DUPLICATE"
            ),
            (Records.foodApp("\"priceBand\":2", "\"priceBand\":5"), "/priceBand", "OUT_OF_RANGE"),
            (Records.foodApp("\"from\":20", "\"from\":40"), "/deliveryMinutes/to", "OUT_OF_RANGE"),
            (Records.foodApp("2026-01-01T00:00:00Z", "2026-02-30T00:00:00Z"), "/availability/de/0/from", "INVALID_FORMAT"),
            (Records.foodApp("Z\"}]", "Z\"},{\"until\":\"2027-01-01T00:00:00Z\"}]"), "/availability/de", "DUPLICATE"),
            ("{\"kind\":\"chart\",\"storefront\":\"us\",\"name\":\"top\",\"items\":[\"topapp:a\",\"topapp:a\"]}", "/items", "DUPLICATE"),
            ("{\"kind\":\"chart\",\"storefront\":\"fr\",\"name\":\"top\",\"items\":[]}", "/storefront", "UNKNOWN_REFERENCE"),
            (
                "{\"kind\":\"storefront\",\"key\":\"fr\",\"currency\":\"EUR\",\"timeZone\":\"Europe/Paris\",\"locales\":[\"fr\"],\"defaultLocale\":\"en\"}",
                "/defaultLocale", "INVALID_CHOICE"
            ),
            ("[]", "", "INVALID_TYPE"), ("null", "", "INVALID_TYPE"), ("{}", "", "MISSING_KEY"),
        ])
    func rejects(text: String, pointer: String, code: String) throws {
        let file = ReadFile("\n" + text)
        #expect(file.items.isEmpty)
        let match = file.rejects.contains { $0.line == 2 && $0.location == .pointer(pointer) && $0.code.rawValue == code }
        #expect(match, "\(file.lines)")
    }

    @Test("A reject is one line on a terminal, with control characters escaped")
    func strangers() throws {
        let key = "\\u001b]0;owned\\u0007\\r\\n" + String(repeating: "x", count: 110)
        let text = Records.topApp("\"appVersion\"", "\"\(key)\":1,\"appVersion\"")
        let reject = try #require(ReadFile(text).rejects.first)
        #expect(reject.description.hasPrefix("line 1 (/\\u{1b}]0;owned\\u{7}\\u{d}\\u{a}xxx") && reject.description.contains("x…)"))
        let header = ReadFile("kind,\u{1B}[2J\ntopApp,x\n", as: .csv).rejects.first?.description ?? ""
        #expect(header.hasPrefix("line 1 (\\u{1b}[2J): "), "\(header)")
        for reject in ReadFile(text).rejects + ReadFile("kind,\u{1B}[2J\ntopApp,x\n", as: .csv).rejects {
            #expect(!reject.description.utf8.contains { $0 < 0x20 } && !reject.descriptionWithoutLine.utf8.contains { $0 < 0x20 })
        }
    }

    @Test("A storefront, category or chart may appear only once in a file")
    func wordTwice() throws {
        let storefront =
            "{\"kind\":\"storefront\",\"key\":\"fr\",\"currency\":\"EUR\",\"timeZone\":\"Europe/Paris\",\"locales\":[\"fr\"],\"defaultLocale\":\"fr\"}"
        let category = "{\"kind\":\"category\",\"key\":\"fr\",\"title\":\"French\"}"
        let chart = "{\"kind\":\"chart\",\"storefront\":\"fr\",\"name\":\"fr\",\"items\":[]}"
        let file = ReadFile(
            [
                storefront, category, chart, storefront.replacing("EUR", with: "XPF"),
                category.replacing("\"title\"", with: "\"itemKind\":\"topApp\",\"title\""), chart,
                chart.replacing("\"fr\",\"name", with: "\"us\",\"name"),
            ].joined(separator: "\n"))
        #expect(
            file.rejects.map(\.description) == [
                "line 4 (/key): an earlier record of this file has the same key [DUPLICATE]",
                "line 5 (/key): an earlier record of this file has the same key [DUPLICATE]",
                "line 6 (/name): an earlier record of this file has the same name [DUPLICATE]",
            ])
        #expect(file.events.count == 7)
    }

    @Test("An item is rejected if an earlier one has its source, slug, ID or serial number")
    func twice() throws {
        func item(_ source: String, _ more: String) -> String { Records.topApp("\"harbor-notes\"", "\"\(source)\"\(more)") }
        let id = ",\"id\":\"6f1c7d1e-0000-4000-8000-000000000001\""
        let file = ReadFile(
            [
                item("a", id), item("a", ""), item("b", id), item("c", ",\"slug\":\"a\""), item("d", ",\"serialNumber\":7"),
                item("e", ",\"serialNumber\":7"), Records.foodApp("\"saffron-table\"", "\"a\""),
            ].joined(separator: "\n"))
        #expect(
            file.rejects.map { "\($0.line) \($0.location)" } == [
                "2 pointer(\"/source\")", "3 pointer(\"/id\")", "4 pointer(\"/slug\")", "6 pointer(\"/serialNumber\")",
            ])
        #expect(file.items.map(\.line) == [1, 5, 7])
    }
}
