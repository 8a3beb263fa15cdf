import JSON
import SQLFiles
import TestSupport
import Testing

@Suite("The sample catalog")
struct SampleCatalogTests {
    private let storefronts: [JSONNode]
    private let categories: [JSONNode]
    private let apps: [JSONNode]
    private let food: [JSONNode]
    private let charts: [JSONNode]
    private var items: [JSONNode] { apps + food }
    private static let locales: Set = ["en", "de", "ar", "ja"]
    /// The day for which the sample catalog was written.
    private static let today = "2026-11-21"

    init() throws {
        let files = try Dictionary(
            uniqueKeysWithValues: nonEmpty(SQLFiles.sample, "files of the sample").map { ($0.name, try Records($0.bytes).all) })
        storefronts = try #require(files["storefronts.jsonl"])
        categories = try #require(files["categories.jsonl"])
        apps = try #require(files["apps.jsonl"])
        food = try #require(files["food.jsonl"])
        charts = try #require(files["charts.jsonl"])
    }

    @Test("The sample catalog has six storefronts in four locales, one of them right to left, 120 apps and 80 kitchens")
    func size() {
        #expect(storefronts.count == 6 && Set(storefronts.flatMap { $0.texts("locales") }) == Self.locales)
        #expect(storefronts.allSatisfy { $0.texts("locales").contains($0.text("defaultLocale")) })
        #expect(Set(storefronts.map { $0.text("currency") }).count == 6)
        #expect(categories.count == 18 && categories.allSatisfy { Set($0.localized("title").keys) == Self.locales })
        #expect(apps.count == 120 && apps.allSatisfy { $0.text("kind") == "topApp" })
        #expect(food.count == 80 && food.allSatisfy { $0.text("kind") == "foodApp" })
        #expect(charts.count == 24)
        #expect(Set(items.flatMap { $0.texts("categories") }) == Set(categories.map { $0.text("key") }), "none is empty")
    }

    @Test("Titles are short and in the script of their language, and each title has a subtitle")
    func texts() {
        for item in items {
            let (titles, subtitles) = (item.localized("title"), item.localized("subtitle"))
            #expect(
                titles["en"] != nil && Set(titles.keys).isSubset(of: Self.locales) && titles.keys == subtitles.keys,
                "\(item.text("source"))")
            #expect(titles.values.allSatisfy { (1...30).contains($0.count) }, "\(titles)")
            #expect(subtitles.values.allSatisfy { (1...45).contains($0.count) }, "\(subtitles)")
            #expect(subtitles["ar"].map { $0.unicodeScalars.contains { (0x600...0x6FF).contains($0.value) } } ?? true)
            #expect(subtitles["ja"].map { $0.unicodeScalars.contains { (0x3040...0x9FFF).contains($0.value) } } ?? true)
        }
        for locale in ["de", "ar", "ja"] { #expect(items.count { $0.localized("title")[locale] != nil } > 120) }
    }

    @Test("Ratings, dates and sizes are plausible")
    func plausible() {
        for item in items {
            #expect((3.5...5).contains(item["rating"]?["average"]?.double ?? 0) && (item["rating"]?["count"]?.integer ?? 0) > 0)
            #expect("2018-01-01"..."2026-11-18" ~= item.text("releaseDate"), "\(item.text("source"))")
        }
        for app in apps { #expect((1_000_000...1_000_000_000).contains(app["sizeBytes"]?.integer ?? 0)) }
        #expect(Set(apps.map { $0.text("bundleId") }).count == apps.count && apps.count { $0["prices"] != nil } > 30)
        #expect(food.allSatisfy { $0["minimumOrder"] != nil && $0["deliveryFee"] != nil && $0["openingHours"] != nil })
        for item in items {
            for price in ["prices", "minimumOrder", "deliveryFee"].flatMap({ key in item[key].map { Array($0.members) } ?? [] }) {
                #expect((0...100_000).contains(price.value["amountMinor"]?.integer ?? -1), "\(item.text("source"))")
            }
        }
    }

    @Test("A chart lists each item once, only items that its storefront has on the day, and free or paid ones by its name")
    func chartsList() throws {
        let byName = Dictionary(items.map { ("\($0.text("kind").lowercased()):\($0.text("source"))", $0) }) { first, _ in first }
        for chart in charts {
            let (storefront, name, names) = (chart.text("storefront"), chart.text("name"), chart.texts("items"))
            #expect(names.count >= 18 && Set(names).count == names.count)
            for item in names {
                let record = try #require(byName[item], "\(item) in \(name) of \(storefront)")
                #expect(Self.isAvailable(record, storefront), "\(item) in \(name) of \(storefront)")
                let isPaid = record["prices"]?[storefront] != nil
                switch name {
                case "top-free": #expect(record.text("kind") == "topApp" && !isPaid)
                case "top-paid": #expect(isPaid)
                case "top-food": #expect(record.text("kind") == "foodApp")
                default: #expect(name == "trending")
                }
            }
        }
        #expect(Set(charts.map { "\($0.text("storefront")) \($0.text("name"))" }).count == 24)
    }

    private static func isAvailable(_ item: JSONNode, _ storefront: String) -> Bool {
        guard let availability = item["availability"] else { return true }
        return availability[storefront]?.elements.contains { window in
            (window["from"]?.string ?? "") <= today && today < (window["until"]?.string ?? "9")
        } ?? false
    }

    @Test("Some items are limited to few storefronts or to a period, and each storefront has many items")
    func availability() {
        #expect(items.count { $0["availability"] != nil } > 40)
        let timed = items.count { item in
            item["availability"]?.members.contains { $0.value.elements.contains { $0.count > 0 } } ?? false
        }
        #expect(timed >= 6)
        for storefront in storefronts {
            #expect(apps.count { Self.isAvailable($0, storefront.text("key")) } > 100)
            #expect(food.count { Self.isAvailable($0, storefront.text("key")) } > 20)
        }
    }

    @Test("The catalog contains the items that the documentation mentions")
    func mentioned() throws {
        let harbor = try #require(apps.first { $0.text("source") == "harbor-notes" })
        #expect(harbor.text("id") == "0d0f8a3e-7f6c-4a43-9a51-6f1f6c2f7a10" && harbor["serialNumber"]?.integer == 1017)
        #expect(apps.contains { $0.text("source") == "trailhead" } && food.contains { $0.text("source") == "saffron-table" })
        #expect(["pizza", "levantine"].allSatisfy { cuisine in food.count { $0.texts("cuisines").contains(cuisine) } > 3 })
    }
}
