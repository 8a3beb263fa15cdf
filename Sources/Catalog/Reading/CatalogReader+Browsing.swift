package import Items
package import Postgres
internal import Values

extension CatalogReader {
    /// A list of items, or of what is behind a place in it; at most 100 of them.
    ///
    /// A place is one that an earlier page of the same list ended at; a foreign one is refused by `CursorSigner`.
    package func browse(
        _ filter: ItemFilter, by order: ItemOrder, in storefront: Storefront, _ locales: LocaleFallback, after place: [String]?, limit: Int
    ) async throws(PostgresError) -> ItemPage {
        let list = Listing(filter: filter, storefront: storefront, locales: locales, limit: min(max(limit, 1), Self.largestPage))
        let ids: IDPage
        switch order {
        case .chart(let name): ids = try await chart(name, list, after: place)
        case .rating: ids = try await page(list, after: place, byRating)
        case .newest: ids = try await page(list, after: place, byRelease)
        case .title: ids = try await byTitle(list, after: place)
        }
        return ItemPage(items: try await items(ids.ids, in: storefront), next: ids.next)
    }

    package static var largestPage: Int { 100 }

    /// A walk that was cut goes on where it ended, for a few turns to fill its page and for more to find anything; then what there is of the page
    /// is one. Only where little is to be found at most, all of that is found instead.
    private func page(
        _ list: Listing, after place: [String]?, _ read: (Listing, Listing.AccessPath, [String]?) async throws(PostgresError) -> IDPage
    ) async throws(PostgresError) -> IDPage {
        let size = try size(try await session.run(counts(list)))
        if size.parts.isEmpty { return IDPage() }
        let search = Listing.AccessPath(search: SearchQuery.filter(list.filter, in: list.storefront, parts: size.parts))
        if isRare(size.found, among: size.listings) { return try await read(list, search, place) }
        var (rest, page) = (list, IDPage())
        page.next = place
        for turn in 1...IndexScan.maxTurns {
            let part = try await read(rest, Listing.AccessPath(walked: size.parts), page.next)
            page.ids += part.ids
            page.next = part.next
            let isFilled = page.ids.count >= list.limit || !page.ids.isEmpty && turn >= IndexScan.turnsToFill
            if !part.isCut || isFilled { break }
            if size.found <= IndexScan.maxFound { return try await read(list, search, place) }
            rest.limit = list.limit - page.ids.count
        }
        return page
    }

    private func isRare(_ wanted: Double, among passed: Double) -> Bool {
        IndexScan.isLonger(toPageOf: Self.largestPage, wanted: wanted, among: passed, costOfFinding: costOfFinding)
    }

    private func isRare(titles wanted: Double, among passed: Double) -> Bool {
        IndexScan.isLonger(
            toPageOf: Self.largestPage, wanted: wanted, among: passed, costOfFinding: costOfFinding * IndexScan.quicknessOfTitles,
            longest: IndexScan.longestOfTitles)
    }

    private func counts(_ list: Listing) -> PostgresQuery {
        PostgresQuery(CatalogQueries.facetCounts, list.storefront.scopes, list.filter.kinds, ["all"] + list.facets)
    }

    /// How many listings have the facets of a list, as far as counts tell: as if facets did not depend on each other.
    private func size(_ counts: PostgresResult) throws(PostgresError) -> Listing.Size {
        var size = Listing.Size()
        for (scope, kind, counts) in try counts.rows(as: String.self, String.self, [Int].self)
        where counts.allSatisfy({ $0 > 0 }) {
            let all = Double(counts[0])
            size.parts.append((scope: scope, kind: kind))
            size.listings += all
            size.found += counts.dropFirst().reduce(all) { $0 * Double($1) / all }
        }
        return size
    }

    private func byRating(_ list: Listing, _ way: Listing.AccessPath, after place: [String]?) async throws(PostgresError) -> IDPage {
        let query = query(
            CatalogQueries.byRating, list, way, place?[checked: 0] ?? "6", place?[checked: 1].flatMap { Int($0) } ?? .max,
            place?[checked: 2].flatMap { Int($0) } ?? .max)
        let rows = try await session.rows(of: query, as: UUID?.self, String.self, Int.self, Int.self)
        return IDPage(upToCut: rows, limit: list.limit, id: \.0, place: { [$0.1, "\($0.2)", "\($0.3)"] })
    }

    private func byRelease(_ list: Listing, _ way: Listing.AccessPath, after place: [String]?) async throws(PostgresError) -> IDPage {
        let day = place?[checked: 0].flatMap { Int($0) }.flatMap(CalendarDay.init(daysSince1970:))
        let query = query(
            CatalogQueries.byRelease, list, way, day ?? CalendarDay(daysSince1970: 100_000), place?[checked: 1].flatMap { Int($0) } ?? .max)
        let rows = try await session.rows(of: query, as: UUID?.self, CalendarDay.self, Int.self)
        return IDPage(upToCut: rows, limit: list.limit, id: \.0, place: { ["\($0.1.daysSince1970)", "\($0.2)"] })
    }

    /// A title is shown in the first locale of an order that the item has. So each locale is a list of its own, of which a part is shown: where
    /// most of it is, it is walked; where little is, what is shown in it is found by the locales that its items have, and have not.
    private func byTitle(_ list: Listing, after place: [String]?) async throws(PostgresError) -> IDPage {
        let order = TitleOrder(list.locales.wanted)
        guard let byTitle = CatalogQueries.byTitle[order] else { throw PostgresError(.misuse, "there is no order of titles \(order)") }
        let titles = TitleCollation.query(
            CatalogQueries.titleLocales, in: list.locales, scopes: list.storefront.scopes, kinds: list.filter.kinds)
        let answers = try await session.run([counts(list), titles])
        let size = try size(answers[0])
        if size.parts.isEmpty { return IDPage() }
        let share = size.found / size.listings
        var locales = try TitleCollation.all(of: answers[1], in: list.locales).map { locale in
            (
                locale: locale.locale, search: locale.search,
                isRare: locale.locale == nil || isRare(titles: locale.items * share, among: locale.titles)
            )
        }
        // In the second turn, none that was walked in vain is walked again.
        for _ in 1...2 {
            let found = locales.filter(\.isRare).map(\.search).joined(separator: " | ")
            let search = found.isEmpty ? nil : "\(SearchQuery.filter(list.filter, in: list.storefront, parts: size.parts)) & (\(found))"
            let query = query(
                byTitle, list, Listing.AccessPath(walked: size.parts, search: search), place?[checked: 0] ?? "",
                place?[checked: 1].flatMap { UUID($0) } ?? UUID(high: 0, low: 0), list.locales.order.map(\.text),
                locales.filter { !$0.isRare }.compactMap(\.locale?.text))
            let rows = try await session.rows(of: query, as: UUID?.self, String.self)
            if let ids = IDPage(walked: rows, limit: list.limit, id: \.0, place: { [$0.1, $0.0?.description ?? ""] }) { return ids }
            let cut = Set(rows.filter { $0.0 == nil }.map(\.1))
            for number in locales.indices where locales[number].locale.map({ cut.contains($0.text) }) == true {
                locales[number].isRare = true
            }
        }
        return IDPage()
    }

    private func query<each Value: PostgresEncodable>(
        _ query: NamedQuery, _ list: Listing, _ way: Listing.AccessPath, _ place: repeat each Value
    ) -> PostgresQuery {
        PostgresQuery(
            query, way.walked.map(\.scope), way.walked.map(\.kind), list.storefront.scopes, time, list.facets, list.otherFacets,
            list.filter.rating, list.limit + 1, way.search, repeat each place)
    }

    private func chart(_ name: String, _ list: Listing, after place: [String]?) async throws(PostgresError) -> IDPage {
        let rank = place?[checked: 0].flatMap { Int32($0) } ?? 0
        let query = PostgresQuery(
            CatalogQueries.chartPage, list.storefront.key, name, rank, time, list.facets, list.otherFacets, list.filter.rating,
            list.filter.kinds, list.limit + 1)
        let rows = try await session.rows(of: query, as: Int32.self, UUID.self)
        return IDPage(rows, limit: list.limit, id: \.1, place: { ["\($0.0)"] })
    }
}

extension [String] {
    /// Nil where there is none.
    subscript(checked place: Int) -> String? { indices.contains(place) ? self[place] : nil }
}

/// A way to a page through an index in the order of the page, past what is not wanted.
package enum IndexScan {
    /// How many rows the queries look at before they end one.
    package static let longest = 5_000.0
    /// Of walks by rating and release: to fill a page that has something, and to find anything at all.
    static let turnsToFill = 3
    static let maxTurns = 6
    /// Of so many, all are found and sorted in about the time of a turn among a million, 0.13 s.
    static let maxFound = 20_000.0
    /// How many rows that are passed by cost as much as one that is found by its facets, and sorted.
    package static let costOfFinding = 5.0
    /// Titles are passed by in an index alone, which is so much cheaper.
    static let longestOfTitles = 50_000.0
    static let quicknessOfTitles = 10.0

    /// Whether it takes longer than to find all of what is wanted, and sort it.
    package static func isLonger(
        toPageOf size: Int, wanted: Double, among passed: Double, costOfFinding: Double = Self.costOfFinding, longest: Double = Self.longest
    ) -> Bool {
        let walk = min(passed, Double(size) * passed / wanted)
        return wanted * costOfFinding < walk || walk > longest
    }
}
