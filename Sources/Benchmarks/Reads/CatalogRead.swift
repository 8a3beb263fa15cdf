import Catalog
import Items

/// A read of the catalog with random parameters, as clients or the composer request it.
struct CatalogRead: Sendable {
    typealias Call = @Sendable (MeasuredReader, Storefront, LocaleFallback, inout ReadChance) async throws -> Void

    let name: String
    /// The maximum time of the slowest calls, as a multiple of that in a small catalog.
    var maxGrowth = 3.0
    let run: Call

    /// The lists, searches and items of clients.
    static let ofClients: [CatalogRead] = [
        CatalogRead(name: "an item", run: items(1)),
        CatalogRead(name: "100 items", run: items(100)),
        CatalogRead(name: "categories") { reader, storefront, _, _ in
            _ = try await reader.catalog.categories(of: nil, in: storefront)
        },
        CatalogRead(name: "three pages by rating", run: pages(.rating)),
        CatalogRead(name: "three pages by release date", run: pages(.newest)),
        CatalogRead(name: "three pages by title", run: pages(.title)),
        CatalogRead(name: "three pages of a category, by rating", run: pages(.rating) { $0.category = $1.category() }),
        CatalogRead(name: "three pages of a category, by title", run: pages(.title) { $0.category = $1.category() }),
        CatalogRead(
            name: "three pages of the best rated, by release date", run: pages(.newest) { filter, _ in filter.minimumRating = 490 }),
        CatalogRead(name: "three pages of food, by rating", run: pages(.rating) { filter, _ in filter.kind = .foodApp }),
        CatalogRead(
            name: "three pages of a cuisine, by rating",
            run: pages(.rating) { filter, chance in filter.cuisine = chance.pick(["pizza", "thai", "ramen", "egyptian", "ethiopian"]) }),
        CatalogRead(
            name: "three pages of paid items, by release date",
            run: pages(.newest) { filter, _ in filter.price = .paid }),
        CatalogRead(
            name: "three pages of a price band, by title", run: pages(.title) { $0.priceBand = $1.pick([1, 2, 3, 4]) }),
        CatalogRead(name: "three pages of a chart", run: pages(.chart("top-free"))),
        CatalogRead(name: "a search for one word", run: search { $0.words(1) }),
        adjacentWords,
        separateWords,
        CatalogRead(name: "a search for three letters", run: search { $0.beginning(3) }),
        CatalogRead(name: "a search for one letter", run: search { $0.beginning(1) }),
        CatalogRead(name: "a search for a misspelled word", run: search { $0.misspelt() }),
    ]

    /// A search for a pair that is a word of the index.
    static let adjacentWords = CatalogRead(name: "a search for two adjacent words", maxGrowth: 1.5, run: search { $0.words(2) })

    /// A search that compares the lists of two words.
    static let separateWords = CatalogRead(
        name: "a search for two words that are not adjacent", maxGrowth: 1.5, run: search { $0.separateWords() })

    private static func items(_ count: Int) -> Call {
        { reader, storefront, _, chance in _ = try await reader.catalog.items(chance.someIDs(count), in: storefront) }
    }

    private static func pages(
        _ order: ItemOrder, _ change: @escaping @Sendable (inout ItemFilter, inout ReadChance) -> Void = { _, _ in }
    ) -> Call {
        { reader, storefront, locales, chance in
            var filter = ItemFilter()
            change(&filter, &chance)
            var position: [String]?
            for _ in 1...3 {
                position = try await reader.catalog.browse(filter, by: order, in: storefront, locales, after: position, limit: 50).next
                if position == nil { return }
            }
        }
    }

    private static func search(_ text: @escaping @Sendable (inout ReadChance) -> String) -> Call {
        { reader, storefront, _, chance in
            _ = try await reader.catalog.search(text(&chance), ItemFilter(), in: storefront, after: nil, limit: 50)
        }
    }
}
