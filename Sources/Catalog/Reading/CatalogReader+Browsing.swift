package import Postgres
internal import Time

extension CatalogReader {
    /// A list of items, or of what is behind a place in it; at most 100 of them.
    ///
    /// A place is one that an earlier page of the same list ended at; a foreign one is refused by `CursorSeal`.
    package func browse(
        _ filter: ItemFilter, by order: ItemOrder, in storefront: Storefront, _ locales: ShownLocales, after place: [String]?, limit: Int
    ) async throws(PostgresError) -> ItemPage {
        let list = Listing(filter: filter, storefront: storefront, locales: locales, limit: min(max(limit, 1), Self.largestPage))
        let ids: PlacedIDs
        switch order {
        case .chart(let name): ids = try await chart(name, list, after: place)
        case .rating: ids = try await byRating(list, rare: try await rareQuery(list), after: place)
        case .newest: ids = try await byRelease(list, rare: try await rareQuery(list), after: place)
        case .title: ids = try await byTitle(list, rare: try await rareQuery(list), after: place)
        }
        return ItemPage(items: try await items(ids.ids, in: storefront), next: ids.next)
    }

    package static var largestPage: Int { 100 }

    struct Listing {
        let filter: ItemFilter
        let storefront: Storefront
        let locales: ShownLocales
        let limit: Int

        var facets: [String] { filter.facets(in: storefront) }
        var otherFacets: [String] { filter.otherFacets(in: storefront) }
    }

    /// The query of the search index for facets that are rare, as far as their counts tell; nil where they are not.
    private func rareQuery(_ list: Listing) async throws(PostgresError) -> String? {
        let facets = list.facets
        if facets.isEmpty { return nil }
        let rows = try await answer(PostgresQuery(queries.facetCounts, list.storefront.scopes, list.filter.kinds, facets))
            .rows(as: Int.self, [Int].self)
        guard let (items, counts) = rows.first, items > 0 else { return nil }
        let matches = counts.reduce(Double(items)) { $0 * Double($1) / Double(items) }
        guard matches < Double(rareMatches) else { return nil }
        return SearchQuery.facets(facets, kinds: list.filter.kinds, scopes: list.storefront.scopes)
    }

    private func byRating(_ list: Listing, rare: String?, after place: [String]?) async throws(PostgresError) -> PlacedIDs {
        let rating = place?[checked: 0] ?? "6"
        let count = place?[checked: 1].flatMap { Int($0) } ?? .max
        let serial = place?[checked: 2].flatMap { Int($0) } ?? .max
        let query =
            if let rare {
                PostgresQuery(
                    queries.rareByRating, list.storefront.scopes, list.filter.kinds, moment, list.facets, list.otherFacets,
                    list.filter.rating, list.limit + 1, rating, count, serial, rare)
            } else {
                PostgresQuery(
                    queries.byRating, list.storefront.scopes, list.filter.kinds, moment, list.facets, list.otherFacets,
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
                    queries.rareByRelease, list.storefront.scopes, list.filter.kinds, moment, list.facets, list.otherFacets,
                    list.filter.rating, list.limit + 1, day, serial, rare)
            } else {
                PostgresQuery(
                    queries.byRelease, list.storefront.scopes, list.filter.kinds, moment, list.facets, list.otherFacets,
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
                    queries.rareByTitle, list.storefront.scopes, list.filter.kinds, moment, list.facets, list.otherFacets,
                    list.filter.rating, list.limit + 1, title, id, locales, order.rawValue, rare)
            } else {
                PostgresQuery(
                    byTitle, list.storefront.scopes, list.filter.kinds, moment, list.facets, list.otherFacets, list.filter.rating,
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
