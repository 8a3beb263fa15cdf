import CatalogImport
import CatalogSample
import JSON
import SQLFiles
import TestSupport
import Testing

@Suite("A CSV file of records") struct CSVFileTests {
    private static func values(_ records: [CatalogRecord]) throws -> [JSONValue] {
        try records.map { JSONValue(try JSONDocument(parsing: $0.json(), limits: .ownOutput).root) }
    }

    /// Returns the file of the items of some lines, and the items as they are read from it.
    private static func exported(_ lines: String...) throws -> (text: String, file: ReadFile, items: [ItemRecord]) {
        let items = ReadFile(lines.joined(separator: "\n")).items.map(\.record)
        try #require(items.count == lines.count)
        let text = try CSVFile(values(items.map { .item($0) })).text
        return (text, ReadFile(text, as: .csv), items)
    }

    @Test("The sample and any synthetic catalog are read from CSV as they were written")
    func catalogs() throws {
        let seed = Seeds.fresh >> 1
        let catalog = SyntheticCatalog(count: 500, seed: seed)
        for bytes in [SQLFiles.sample.flatMap(\.bytes), catalog.preamble + catalog.flatMap { $0 } + catalog.charts] {
            let records = ReadFile(bytes, vocabulary: Vocabulary()).records
            let file = ReadFile(try CSVFile(try Self.values(records)).text, as: .csv, vocabulary: Vocabulary())
            #expect(file.rejects == [], "seed \(seed)")
            #expect(records.count > 200 && file.records == records, "seed \(seed)")
        }
    }

    @Test("Images, platforms, age ratings, tags, price periods and opening hours are read as they were written")
    func fields() throws {
        let screenshots = #"{"template":"/1/{w}/{h}","width":390,"height":844},"#
        let illustrated = Records.illustrated(screenshots, "")
        let rated = Records.discounted(#""source":"harbor-notes""#, #""source":"rated""#)
            .replacing(#"["ios","ipados"]"#, with: #"{"linux":{},"ios":{"minimumOsVersion":"16.2"}}"#)
            .replacing(#""ageRating":"4+""#, with: #""ageRatings":{"pegi":"7","apple-2015":"9+"},"tags":["new","made-here"]"#)
        let food = Records.discountedFoodApp
            .replacing(#""priceBand":2"#, with: #""priceBand":2,"dietaryTags":["halal"],"timeZone":"Asia/Riyadh""#)
        let (text, file, items) = try Self.exported(illustrated, rated, food)
        #expect(file.rejects == [], "\(text)")
        #expect(file.items.map(\.record) == items, "\(text)")
        #expect(text.contains("2026-11-27T00:00:00.000000Z/2026-11-30T00:00:00.000000Z 299 USD 499"), "\(text)")
        #expect(text.contains("ios 16.2|linux"), "\(text)")
    }

    @Test("An item that is available nowhere is in one file with items that have periods")
    func availability() throws {
        let nowhere = Records.foodApp(#"{"de":[{"from":"2026-01-01T00:00:00Z"}]}"#, "{}")
            .replacing(#""source":"saffron-table""#, with: #""source":"closed""#)
        let (text, file, items) = try Self.exported(nowhere, Records.foodApp, Records.topApp)
        #expect(file.rejects == [] && file.items.map(\.record) == items, "\(text)")
        let clash = text.replacing(",nowhere,,", with: ",nowhere,2026-01-01T00:00:00Z/,")
        let rejects = ReadFile(clash, as: .csv).rejects
        #expect(rejects.map { "\($0.line) \($0.location) \($0.code.rawValue)" } == ["2 column(\"availability.de\") DUPLICATE"], "\(clash)")
    }

    @Test("The columns of a field are adjacent, and a value with a comma or a quotation mark is quoted")
    func layout() throws {
        let (text, file, items) = try Self.exported(
            Records.topApp(#""ar":"ملاحظات""#, #""de":"Hafen, \"\u0301klein\"""#), Records.foodApp)
        let header = try #require(text.split(separator: "\r\n").first)
        #expect(header.hasPrefix("kind,source,slug,title.de,title.en,subtitle.en,categories,"), "\(header)")
        #expect(header.contains("platforms,ageRatings.apple-2015,releaseDate,availability.de,deliveryFee.de.amountMinor"), "\(header)")
        #expect(text.contains(#","Hafen, ""\#u{301}klein""","#), "\(text)")
        #expect(file.items.map(\.record) == items)
    }

    @Test("A field without a form in CSV is an error that names the record and the field")
    func inexpressible() throws {
        #expect {
            try Self.exported(Records.foodApp, Records.illustratedApp)
        } throws: { error in
            (error as? CSVFile.InexpressibleField).map { "\($0.record) \($0.field)" } == "1 images.screenshot"
        }
        let categories: [JSONValue] = [.array([.string("a|b")]), .array([]), .object([.init(key: "x", value: .integer(1))]), .string("")]
        for value in categories {
            let record = JSONValue.object([.init(key: "kind", value: .string("topApp")), .init(key: "categories", value: value)])
            #expect(throws: CSVFile.InexpressibleField.self, "\(value)") { try CSVFile([record]) }
        }
    }
}

extension ReadFile {
    /// The records of the file, in their order.
    fileprivate var records: [CatalogRecord] {
        var records: [CatalogRecord] = []
        for event in events {
            switch event {
            case .item(let item): records.append(.item(item.record))
            case .storefront(let storefront, _): records.append(.storefront(storefront))
            case .category(let category, _): records.append(.category(category))
            case .chart(let chart, _): records.append(.chart(chart))
            case .unchanged, .wordChanges, .rejected: break
            }
        }
        return records
    }
}
