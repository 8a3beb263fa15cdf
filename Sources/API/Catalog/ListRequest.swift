internal import Catalog
internal import HTTPMessages
internal import Items
internal import Values

/// A request for `/v1/{storefront}/items`.
struct ListRequest {
    enum Sort: String, CaseIterable {
        case chart, title
        case rating = "-rating"
        case releaseDate = "-releaseDate"
    }

    enum Content {
        case ids([UUID])
        case search(String)
        case list(ItemOrder)
    }

    static let names = [
        "kind", "category", "cuisine", "dietaryTag", "platform", "price", "priceBand", "minRating", "q", "sort", "chart", "ids", "cursor",
        "limit",
        "locale",
    ]
    static let usualLimit = 50

    let filter: ItemFilter
    let content: Content
    let limit: Int
    let cursor: String?
    /// The parameters that identify the list, sorted by name. They exclude the locale and the parameters that select a
    /// page of the list.
    let parameters: ListParameters

    init(_ query: Query) throws(Problem) {
        var parameters = QueryParameters(query, known: Self.names)
        var filter = ItemFilter()
        filter.kind = parameters.choice("kind")
        filter.category = parameters.slug("category")
        filter.cuisine = parameters.slug("cuisine")
        filter.dietaryTag = parameters.slug("dietaryTag")
        filter.platform = parameters.slug("platform")
        filter.price = parameters.choice("price")
        filter.priceBand = parameters.integer("priceBand", in: 1...4)
        filter.minimumRating = parameters.hundredths("minRating", upTo: 5) ?? 0
        let limit = parameters.integer("limit", in: 1...CatalogReader.largestPage, clamps: true)
        let search = parameters.text("q", upTo: 200)
        let sort: Sort? = parameters.choice("sort")
        let chart = parameters.slug("chart")
        let ids = Self.ids(&parameters)
        if parameters.isGiven("ids") {
            for name in Self.names where !["ids", "locale"].contains(name) && parameters.isGiven(name) {
                parameters.refuse(name, "cannot be combined with ids")
            }
        }
        if parameters.isGiven("q") {
            for name in ["sort", "chart"] where parameters.isGiven(name) {
                parameters.refuse(name, "cannot be combined with q: search results are sorted by relevance")
            }
        }
        if chart != nil, let sort, sort != .chart { parameters.refuse("chart", "requires sort=chart") }
        try parameters.finish()
        self.filter = filter
        self.limit = limit ?? Self.usualLimit
        cursor = parameters["cursor"]
        self.parameters = query.items
            .filter { !["cursor", "limit", "locale"].contains($0.name) }
            .map { (name: $0.name, value: $0.value) }
            .sorted { $0.name < $1.name }
        content =
            if let ids {
                .ids(ids)
            } else if let search {
                .search(search)
            } else {
                .list(Self.order(sort, chart, filter.kind))
            }
    }

    private static func order(_ sort: Sort?, _ chart: String?, _ kind: ItemKind?) -> ItemOrder {
        switch sort ?? (chart == nil ? .rating : .chart) {
        case .rating: .rating
        case .releaseDate: .newest
        case .title: .title
        case .chart: .chart(chart ?? (kind == .foodApp ? "top-food" : kind == .topApp ? "top-free" : "trending"))
        }
    }

    /// Parses item IDs and keeps the order of their first occurrences.
    private static func ids(_ parameters: inout QueryParameters) -> [UUID]? {
        guard let text = parameters["ids"] else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard parts.count <= CatalogReader.largestPage else {
            parameters.refuse("ids", "expected up to \(CatalogReader.largestPage) IDs")
            return []
        }
        var ids: [UUID] = []
        var known: Set<UUID> = []
        for part in parts {
            guard let id = UUID(String(Substring(part))) else {
                parameters.refuse("ids", "expected UUIDs separated by commas")
                return []
            }
            if known.insert(id).inserted { ids.append(id) }
        }
        return ids
    }
}
