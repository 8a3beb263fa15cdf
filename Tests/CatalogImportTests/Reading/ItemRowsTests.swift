import JSON
import Testing

@testable import CatalogImport

@Suite("The rows of an item") struct ItemRowsTests {
    @Test("Each table has its rows, and the row of items is the first one")
    func tables() throws {
        let cases: [(String, [ItemTable])] = [
            (
                Records.discountedApp,
                [.items, .topApps, .platforms, .platforms, .ageRatings, .texts, .texts, .categories, .prices, .pricePeriods, .pricePeriods]
            ),
            (Records.foodApp, [.items, .foodApps, .texts, .categories, .availability, .prices]),
        ]
        for (text, expected) in cases {
            let rows = try #require(ReadFile(text).items.first).rows
            #expect(rows.map { $0.table } == expected)
        }
    }

    @Test("A row has the columns of its table without the ID")
    func columns() throws {
        var category = CopyColumns()
        category.text("arabic")
        category.small(1)
        let rows = try #require(ReadFile(Records.foodApp).items.first).rows
        let categories = rows.filter { $0.table == .categories }
        #expect(categories.map { Array(rows.bytes[$0.columns]) } == [category.bytes])
    }

    @Test("The record of an item is that of its line, with the slug of the item")
    func record() throws {
        let line = Records.topApp(#""harbor-notes""#, #""Harbor notes","serialNumber":7"#)
        let item = try #require(ReadFile(line).items.first)
        guard case .item(var expected) = try CatalogRecord(parsing: Array(line.utf8)) else {
            Issue.record("the line is not an item")
            return
        }
        #expect(expected.slug == nil)
        expected.slug = item.slug
        #expect(item.record == expected)
        #expect(PreparedItem(expected) { _ in Array(repeating: 0, count: 32) }.record == expected)
    }
}
