package import Postgres
internal import Time

extension CatalogReader {
    /// A list of items, or of what is behind a place in it; at most 100 of them.
    ///
    /// A place is one that an earlier page of the same list ended at; a foreign one is refused by `CursorSeal`.
    package func browse(
        _ filter: ItemFilter, by order: ItemOrder, in storefront: Storefront, _ locales: ShownLocales, after place: [String]?, limit: Int
    ) async throws(PostgresError) -> ItemPage {
        var list = Listing(filter: filter, storefront: storefront, locales: locales, limit: min(max(limit, 1), Self.largestPage))
        let ids: PlacedIDs
        if case .chart(let name) = order {
            ids = try await chart(name, list, after: place)
        } else {
            guard let way = try await way(through: list) else { return ItemPage(items: []) }
            list.parts = way.parts
            switch order {
            case .newest: ids = try await byRelease(list, rare: way.rare, after: place)
            case .title: ids = try await byTitle(list, rare: way.rare, after: place)
            case .rating, .chart: ids = try await byRating(list, rare: way.rare, after: place)
            }
        }
        return ItemPage(items: try await items(ids.ids, in: storefront), next: ids.next)
    }

    package static var largestPage: Int { 100 }

    struct Listing {
        let filter: ItemFilter
        let storefront: Storefront
        let locales: ShownLocales
        let limit: Int
        /// A scope and a kind each, of those where there may be something.
        var parts: [(scope: String, kind: String)] = []

        var facets: [String] { filter.facets(in: storefront) }
        var otherFacets: [String] { filter.otherFacets(in: storefront) }
        var scopes: [String] { parts.map(\.scope) }
        var kinds: [String] { parts.map(\.kind) }
    }

    /// Which parts a list has, and the query of the search index that finds all of it where that is quicker than to walk it in its order.
    private struct Way {
        var parts: [(scope: String, kind: String)] = []
        var rare: String?
    }

    /// By how many have its facets, as far as counts tell; nil where nothing has them all.
    private func way(through list: Listing) async throws(PostgresError) -> Way? {
        let facets = list.facets
        let all = list.storefront.scopes.flatMap { scope in list.filter.kinds.map { (scope: scope, kind: $0) } }
        if facets.isEmpty { return Way(parts: all) }
        let rows = try await answer(PostgresQuery(queries.facetCounts, list.storefront.scopes, list.filter.kinds, ["all"] + facets))
            .rows(as: String.self, String.self, [Int].self)
        var way = Way()
        var (found, passed) = (0.0, 0.0)
        for (scope, kind, counts) in rows where counts.allSatisfy({ $0 > 0 }) {
            let size = Double(counts[0])
            let matches = counts.dropFirst().reduce(size) { $0 * Double($1) / size }
            way.parts.append((scope: scope, kind: kind))
            found += matches
            passed += min(size, Double(Self.largestPage) * size / matches)
        }
        if way.parts.isEmpty { return nil }
        if found * costOfFinding < passed {
            way.rare = SearchQuery.facets(facets, kinds: list.filter.kinds, scopes: list.storefront.scopes)
        }
        return way
    }

    private func byRating(_ list: Listing, rare: String?, after place: [String]?) async throws(PostgresError) -> PlacedIDs {
        let rating = place?[checked: 0] ?? "6"
        let count = place?[checked: 1].flatMap { Int($0) } ?? .max
        let serial = place?[checked: 2].flatMap { Int($0) } ?? .max
        let query =
            if let rare {
                PostgresQuery(
                    queries.rareByRating, list.scopes, list.kinds, moment, list.facets, list.otherFacets,
                    list.filter.rating, list.limit + 1, rating, count, serial, rare)
            } else {
                PostgresQuery(
                    queries.byRating, list.scopes, list.kinds, moment, list.facets, list.otherFacets,
                    list.filter.rating, list.limit + 1, rating, count, serial)
            }
        let rows = try await answer(query).rows(as: UUID.self, String.self, Int.self, Int.self)
        return PlacedIDs(rows, limit: list.limit, id: \.0, place: { [$0.1, "\($0.2)", "\($0.3)"] })
    }

    private func byRelease(_ list: Listing, rare: String?, after place: [String]?) async throws(PostgresError) -> PlacedIDs {
        let day = place?[checked: 0].flatMap { Int($0) }.flatMap(CalendarDate.init(daysSince1970:)) ?? Self.afterAllReleases
        let serial = place?[checked: 1].flatMap { Int($0) } ?? .max
        let query =
            if let rare {
                PostgresQuery(
                    queries.rareByRelease, list.scopes, list.kinds, moment, list.facets, list.otherFacets,
                    list.filter.rating, list.limit + 1, day, serial, rare)
            } else {
                PostgresQuery(
                    queries.byRelease, list.scopes, list.kinds, moment, list.facets, list.otherFacets,
                    list.filter.rating, list.limit + 1, day, serial)
            }
        let rows = try await answer(query).rows(as: UUID.self, CalendarDate.self, Int.self)
        return PlacedIDs(rows, limit: list.limit, id: \.0, place: { ["\($0.1.daysSince1970)", "\($0.2)"] })
    }

    private static var afterAllReleases: CalendarDate? { CalendarDate(daysSince1970: 100_000) }

    private func byTitle(_ list: Listing, rare: String?, after place: [String]?) async throws(PostgresError) -> PlacedIDs {
        let title = place?[checked: 0] ?? ""
        let id = place?[checked: 1].flatMap { UUID($0) } ?? UUID(high: 0, low: 0)
        let order = TitleOrder(list.locales.wanted)
        let locales = list.locales.order.map(\.text)
        guard let byTitle = queries.byTitle[order] else { throw PostgresError(.misuse, "there is no order of titles \(order)") }
        let query =
            if let rare {
                PostgresQuery(
                    queries.rareByTitle, list.scopes, list.kinds, moment, list.facets, list.otherFacets,
                    list.filter.rating, list.limit + 1, title, id, locales, order.rawValue, rare)
            } else {
                PostgresQuery(
                    byTitle, list.scopes, list.kinds, moment, list.facets, list.otherFacets, list.filter.rating,
                    list.limit + 1, title, id, locales)
            }
        let rows = try await answer(query).rows(as: UUID.self, String.self)
        return PlacedIDs(rows, limit: list.limit, id: \.0, place: { [$0.1, $0.0.description] })
    }

    private func chart(_ name: String, _ list: Listing, after place: [String]?) async throws(PostgresError) -> PlacedIDs {
        let rank = place?[checked: 0].flatMap { Int32($0) } ?? 0
        let query = PostgresQuery(
            queries.chartPage, list.storefront.key, name, rank, moment, list.facets, list.otherFacets, list.filter.rating,
            list.filter.kinds, list.limit + 1)
        let rows = try await answer(query).rows(as: Int32.self, UUID.self)
        return PlacedIDs(rows, limit: list.limit, id: \.1, place: { ["\($0.0)"] })
    }
}

extension [String] {
    /// Nil where there is none.
    subscript(checked place: Int) -> String? { indices.contains(place) ? self[place] : nil }
}
