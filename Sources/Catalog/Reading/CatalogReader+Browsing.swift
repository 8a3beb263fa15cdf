package import Items
package import Postgres
internal import Values

extension CatalogReader {
    /// Returns a page of at most 100 items, optionally after the position at which an earlier page ended.
    ///
    /// `CursorSigner` rejects a position of another list.
    package func browse(
        _ filter: ItemFilter, by order: ItemOrder, in storefront: Storefront, _ locales: LocaleFallback, after position: [String]?,
        limit: Int
    ) async throws(PostgresError) -> ItemPage {
        let list = Listing(filter: filter, storefront: storefront, locales: locales, limit: min(max(limit, 1), Self.largestPage))
        let ids: IDPage
        switch order {
        case .chart(let name): ids = try await chart(name, list, after: position)
        case .rating: ids = try await page(list, after: position, byRating)
        case .newest: ids = try await page(list, after: position, byRelease)
        case .title: ids = try await byTitle(list, after: position)
        }
        return ItemPage(items: try await items(ids.ids, in: storefront), next: ids.next)
    }

    package static var largestPage: Int { 100 }

    /// Returns a page from index scans. A scan that was cut resumes for a few turns to fill the page, and for more
    /// turns to find any item. The page may then be short. If few items can match, the search index finds all of them
    /// instead.
    private func page(
        _ list: Listing, after position: [String]?, _ read: (Listing, Listing.AccessPath, [String]?) async throws(PostgresError) -> IDPage
    ) async throws(PostgresError) -> IDPage {
        let size = try size(try await session.run(counts(list)))
        if size.parts.isEmpty { return IDPage() }
        let search = Listing.AccessPath(search: SearchQuery.filter(list.filter, in: list.storefront, parts: size.parts))
        if isRare(size.found, among: size.listings) { return try await read(list, search, position) }
        var (rest, page) = (list, IDPage())
        page.next = position
        for turn in 1...IndexScan.maxTurns {
            let part = try await read(rest, Listing.AccessPath(walked: size.parts), page.next)
            page.ids += part.ids
            page.next = part.next
            let isFilled = page.ids.count >= list.limit || !page.ids.isEmpty && turn >= IndexScan.turnsToFill
            if !part.isCut || isFilled { break }
            if size.found <= IndexScan.maxFound { return try await read(list, search, position) }
            rest.limit = list.limit - page.ids.count
        }
        return page
    }

    private func isRare(_ matches: Double, among passed: Double) -> Bool {
        IndexScan.isLonger(toPageOf: Self.largestPage, matches: matches, among: passed, costOfFinding: costOfFinding)
    }

    private func isRare(titles matches: Double, among passed: Double) -> Bool {
        IndexScan.isLonger(
            toPageOf: Self.largestPage, matches: matches, among: passed, costOfFinding: costOfFinding * IndexScan.quicknessOfTitles,
            longest: IndexScan.longestOfTitles)
    }

    private func counts(_ list: Listing) -> PostgresQuery {
        PostgresQuery(CatalogQueries.facetCounts, list.storefront.scopes, list.filter.kinds, ["all"] + list.facets)
    }

    /// Returns the estimated number of listings that match the facets. It assumes that facets are independent of each
    /// other.
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

    private func byRating(_ list: Listing, _ way: Listing.AccessPath, after position: [String]?) async throws(PostgresError) -> IDPage {
        let query = query(
            CatalogQueries.byRating, list, way, position?[checked: 0] ?? "6", position?[checked: 1].flatMap { Int($0) } ?? .max,
            position?[checked: 2].flatMap { Int($0) } ?? .max)
        let rows = try await session.rows(of: query, as: UUID?.self, String.self, Int.self, Int.self)
        return IDPage(upToCut: rows, limit: list.limit, id: \.0, position: { [$0.1, "\($0.2)", "\($0.3)"] })
    }

    private func byRelease(_ list: Listing, _ way: Listing.AccessPath, after position: [String]?) async throws(PostgresError) -> IDPage {
        let day = position?[checked: 0].flatMap { Int($0) }.flatMap(CalendarDay.init(daysSince1970:))
        let query = query(
            CatalogQueries.byRelease, list, way, day ?? CalendarDay(daysSince1970: 100_000),
            position?[checked: 1].flatMap { Int($0) } ?? .max)
        let rows = try await session.rows(of: query, as: UUID?.self, CalendarDay.self, Int.self)
        return IDPage(upToCut: rows, limit: list.limit, id: \.0, position: { ["\($0.1.daysSince1970)", "\($0.2)"] })
    }

    /// Returns a page in the order of titles. A title is shown in the first locale of the order that the item has. Each
    /// locale is therefore its own list, of which only some titles are shown. If most of them are shown, the list is
    /// scanned. If few are, the search index finds them by the locales that their items have and lack.
    private func byTitle(_ list: Listing, after position: [String]?) async throws(PostgresError) -> IDPage {
        let order = TitleOrder(list.locales.requested)
        guard let byTitle = CatalogQueries.byTitle[order] else { throw PostgresError(.misuse, "no query sorts titles by \(order)") }
        let titles = TitleCollation.query(
            CatalogQueries.titleLocales, in: list.locales, scopes: list.storefront.scopes, kinds: list.filter.kinds)
        let results = try await session.run([counts(list), titles])
        let size = try size(results[0])
        if size.parts.isEmpty { return IDPage() }
        let share = size.found / size.listings
        var locales = try TitleCollation.all(of: results[1], in: list.locales).map { locale in
            (
                locale: locale.locale, search: locale.search,
                isRare: locale.locale == nil || isRare(titles: locale.items * share, among: locale.titles)
            )
        }
        // The second turn does not repeat scans that found nothing.
        for _ in 1...2 {
            let found = locales.filter(\.isRare).map(\.search).joined(separator: " | ")
            let search = found.isEmpty ? nil : "\(SearchQuery.filter(list.filter, in: list.storefront, parts: size.parts)) & (\(found))"
            let query = query(
                byTitle, list, Listing.AccessPath(walked: size.parts, search: search), position?[checked: 0] ?? "",
                position?[checked: 1].flatMap { UUID($0) } ?? UUID(high: 0, low: 0), list.locales.order.map(\.text),
                locales.filter { !$0.isRare }.compactMap(\.locale?.text))
            let rows = try await session.rows(of: query, as: UUID?.self, String.self)
            if let ids = IDPage(walked: rows, limit: list.limit, id: \.0, position: { [$0.1, $0.0?.description ?? ""] }) { return ids }
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
            list.filter.rating, list.limit + 1, way.search, repeat each place, list.storefront.key)
    }

    private func chart(_ name: String, _ list: Listing, after position: [String]?) async throws(PostgresError) -> IDPage {
        let rank = position?[checked: 0].flatMap { Int32($0) } ?? 0
        let query = PostgresQuery(
            CatalogQueries.chartPage, list.storefront.key, name, rank, time, list.facets, list.otherFacets, list.filter.rating,
            list.filter.kinds, list.limit + 1)
        let rows = try await session.rows(of: query, as: Int32.self, UUID.self)
        return IDPage(rows, limit: list.limit, id: \.1, position: { ["\($0.0)"] })
    }
}

extension [String] {
    /// The element at the index, or nil if it is out of bounds.
    subscript(checked index: Int) -> String? { indices.contains(index) ? self[index] : nil }
}

/// The limits and costs of an index scan, which reads a page in its order and skips rows that do not match.
package enum IndexScan {
    /// The number of rows after which a query of a list ends a scan. The query of a rule ends after twice as many.
    package static let longest = 5_000.0
    /// The number of scans by rating or release to fill a page that has an item. The maximum to find any item is
    /// `maxTurns`.
    static let turnsToFill = 3
    static let maxTurns = 6
    /// The number of matches up to which all of them are found and sorted. With a million items, that takes about as
    /// long as one turn: 0.13 s.
    static let maxFound = 20_000.0
    /// The number of skipped rows that cost as much as finding one row by its facets and sorting it.
    package static let costOfFinding = 5.0
    /// The limit for titles. They are skipped in an index-only scan, which is cheaper by `quicknessOfTitles`.
    static let longestOfTitles = 50_000.0
    static let quicknessOfTitles = 10.0

    /// Whether a scan takes longer than finding and sorting all matches.
    package static func isLonger(
        toPageOf size: Int, matches: Double, among passed: Double, costOfFinding: Double = Self.costOfFinding,
        longest: Double = Self.longest
    ) -> Bool {
        let walk = min(passed, Double(size) * passed / matches)
        return matches * costOfFinding < walk || walk > longest
    }
}
