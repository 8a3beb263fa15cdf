import Catalog
import CatalogImport
import Items
import JSON
import Security
import TestSupport

/// The result of parsing a catalog file in pieces.
struct ReadFile {
    private(set) var events: [FileEvent] = []

    /// The vocabulary of the tests' catalog.
    static let vocabulary = {
        var vocabulary = Vocabulary(
            categories: ["productivity": nil, "games": .topApp, "arabic": .foodApp], storefronts: ["us": "USD", "de": "EUR"])
        vocabulary.platforms = ["android", "ios", "ipados", "linux"]
        vocabulary.timeZones = ["Asia/Riyadh", "Asia/Tokyo", "Europe/Paris", "UTC"]
        vocabulary.ratingLabels = ["apple-2015": ["4+", "9+", "12+", "17+"], "pegi": ["3", "7", "12"]]
        return vocabulary
    }()

    init(
        _ text: some Sequence<UInt8>, as format: FileFormat = .jsonl, vocabulary: Vocabulary = ReadFile.vocabulary,
        limits: FileLimits = FileLimits(),
        pieces: (Int) -> Int = { $0 }
    ) {
        var reader = CatalogFileReader(format, vocabulary: vocabulary, limits: limits, digest: Digest.sha256)
        var rest = Array(text)[...]
        var events: [FileEvent] = []
        while !rest.isEmpty {
            let piece = rest.prefix(max(1, pieces(rest.count)))
            rest = rest.dropFirst(piece.count)
            reader.consume(piece) { events.append($0) }
        }
        reader.end { events.append($0) }
        self.events = events
    }

    init(_ text: String, as format: FileFormat = .jsonl, vocabulary: Vocabulary = ReadFile.vocabulary, limits: FileLimits = FileLimits()) {
        self.init(text.utf8, as: format, vocabulary: vocabulary, limits: limits)
    }

    var items: [PreparedItem] { events.compactMap { if case .item(let item) = $0 { item } else { nil } } }

    var rejects: [Reject] { events.flatMap { if case .rejected(let rejects) = $0 { rejects } else { [Reject]() } } }

    /// One line for each event.
    var lines: [String] {
        events.flatMap { event in
            switch event {
            case .item(let item):
                ["\(item.line) \(item.record.kind) \(item.record.source) \(item.slug) \(item.id) \(item.contentHash.prefix(4))"]
            case .unchanged(let line): ["\(line.line) unchanged"]
            case .storefront(let storefront, let line): ["\(line) storefront \(storefront.key)"]
            case .category(let category, let line): ["\(line) category \(category.key)"]
            case .chart(let chart, let line): ["\(line) chart \(chart.name) \(chart.items.count)"]
            case .rejected(let rejects): rejects.map(\.description)
            case .wordChanges: [String]()
            }
        }
    }
}

enum Records {
    static let topApp = """
        {"kind":"topApp","source":"harbor-notes","title":{"en":"Harbor Notes","ar":"ملاحظات"},"subtitle":"Write by the sea",\
        "categories":["productivity"],"rating":{"average":4.256,"count":12},"bundleId":"org.example.harbor","developer":"Harbor","appVersion":"1.2",\
        "sizeBytes":1024,"platforms":["ios","ipados"],"ageRating":"4+","releaseDate":"2024-02-29",\
        "prices":{"us":{"amountMinor":499,"currency":"USD"}}}
        """
    static let foodApp = """
        {"kind":"foodApp","source":"saffron-table","title":"Saffron Table","categories":["arabic"],"brand":"Saffron","cuisines":["persian"],\
        "deliveryMinutes":{"from":20,"to":35},"priceBand":2,"openingHours":[{"days":["mon","sun"],"opens":"18:00","closes":"02:00"}],\
        "availability":{"de":[{"from":"2026-01-01T00:00:00Z"}]},"deliveryFee":{"de":{"amountMinor":199,"currency":"EUR"}}}
        """

    /// The fields of the images of an item, in every role and form.
    static let images = """
        "image":{"template":"https://cdn.example/{w}x{h}.png","color":"#1F6F8B","width":1024,"height":1024,"sizes":[[120,120],[1024,1024]],\
        "alt":{"ar":"منارة","en":"A lighthouse"},"dark":{"template":"/dark/{w}x{h}.png"}},\
        "images":{"banner":[{"template":"/banner.png","width":8,"height":2,"sizes":[[8,2]]}],\
        "hero":{"template":"/hero/{w}/{h}","blurhash":"L6Pj0^i_","width":1920,"height":1080,"alt":{"de":"Hafen","en":"A harbor"},\
        "locales":{"ar":{"template":"/ar/{w}/{h}","dark":{"template":"/ar-dark/{w}/{h}"}},"de":{"template":"/de/{w}/{h}"}}},\
        "screenshot":[{"template":"/1/{w}/{h}","width":390,"height":844},{"template":"/0/{w}/{h}","width":390,"height":844}]}
        """
    static let illustratedApp = topApp.replacing("\"rating\"", with: "\(images),\"rating\"")

    static let sale = #"{"from":"2026-11-27T00:00:00Z","until":"2026-11-30T00:00:00Z","amountMinor":299,"currency":"USD","former":499}"#
    /// A TopApp with two price periods, and a FoodApp with one for each of its prices.
    static let discountedApp = topApp(
        #""prices":"#,
        #""pricePeriods":{"us":[{"from":"2026-11-30T00:00:00Z","until":"2026-12-01T00:00:00Z","amountMinor":0,"currency":"USD"},\#(sale)]},"prices":"#
    )
    static let discountedFoodApp = foodApp(
        #""deliveryFee":"#,
        #""minimumOrderPeriods":{"de":[\#(euroSale)]},"deliveryFeePeriods":{"de":[\#(euroSale)],"us":[\#(sale)]},"deliveryFee":"#)
    private static let euroSale = sale.replacing("USD", with: "EUR")

    /// Returns a TopApp with price periods in which a part of its text is replaced.
    static func discounted(_ part: String, _ other: String) -> String {
        precondition(discountedApp.contains(part), "no \(part)")
        return discountedApp.replacing(part, with: other)
    }

    /// Returns a TopApp with a part of its text replaced. Without that part, the text is that of another item.
    static func topApp(_ part: String, _ other: String) -> String {
        precondition(topApp.contains(part), "no \(part)")
        return topApp.replacing(part, with: other)
    }

    /// Returns a TopApp with images in which a part of its text is replaced.
    static func illustrated(_ part: String, _ other: String) -> String {
        precondition(illustratedApp.contains(part), "no \(part)")
        return illustratedApp.replacing(part, with: other)
    }

    static func foodApp(_ part: String, _ other: String) -> String {
        precondition(foodApp.contains(part), "no \(part)")
        return foodApp.replacing(part, with: other)
    }
}
