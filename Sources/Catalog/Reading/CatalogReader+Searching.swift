package import Postgres
internal import Spelling

extension CatalogReader {
    /// The items that are found best, or those behind a place; at most 100 of them, and in all its pages some hundreds.
    ///
    /// Where nothing is found, words that no item has are replaced by those that were probably meant.
    package func search(
        _ text: String, _ filter: ItemFilter, in storefront: Storefront, after place: [String]?, limit: Int
    ) async throws(PostgresError) -> ItemPage {
        let limit = min(max(limit, 1), Self.largestPage)
        // A page behind another searches for what that one did.
        let corrected = place?[checked: 3]
        guard let wanted = try await read(corrected ?? text) else { return ItemPage(items: []) }
        var found = try await find(wanted, filter, in: storefront, after: place, limit: limit)
        if place == nil, found.ids.isEmpty, let better = try await correct(wanted) {
            found = try await find(better, filter, in: storefront, after: nil, limit: limit)
            guard !found.ids.isEmpty else { return ItemPage(items: []) }
            return ItemPage(
                items: try await items(found.ids, in: storefront), next: found.next.map { $0 + [better.text] }, correctedSearch: better.text
            )
        }
        return ItemPage(
            items: try await items(found.ids, in: storefront), next: found.next.map { $0 + (corrected.map { [$0] } ?? []) },
            correctedSearch: corrected)
    }

    /// What was typed as it is compared.
    private struct Wanted {
        let text: String
        let words: [String]
    }

    /// More words than anybody types make nothing clearer.
    private static var mostWords: Int { 16 }

    /// Nil where there is no letter and no digit.
    private func read(_ text: String) async throws(PostgresError) -> Wanted? {
        let rows = try await answer(PostgresQuery(queries.readSearch, text)).rows(as: String.self, [String].self)
        guard let (text, words) = rows.first, !words.isEmpty else { return nil }
        return Wanted(text: Self.cut(text), words: words.prefix(Self.mostWords).map(Self.cut))
    }

    /// To what the index has of a word.
    private static func cut(_ text: String) -> String { String(String.UnicodeScalarView(text.unicodeScalars.prefix(100))) }

    private func find(
        _ wanted: Wanted, _ filter: ItemFilter, in storefront: Storefront, after place: [String]?, limit: Int
    ) async throws(PostgresError) -> PlacedIDs {
        let bounds = SearchQuery.facets(
            filter.facets(in: storefront), without: filter.otherFacets(in: storefront), kinds: filter.kinds, scopes: storefront.scopes)
        let words = "\(SearchQuery.words(wanted.words)) & \(bounds)"
        let title = "\(SearchQuery.title(wanted.text)) & \(bounds)"
        let category = place?[checked: 0].flatMap { Int32($0) } ?? .max
        let count = place?[checked: 1].flatMap { Int($0) } ?? .max
        let id = place?[checked: 2].flatMap { UUID($0) } ?? UUID(high: .max, low: .max)
        let query = PostgresQuery(
            queries.search, words, title, wanted.text, wanted.words, storefront.scopes, moment, filter.rating, limit + 1, category, count,
            id)
        let rows = try await answer(query).rows(as: UUID.self, Int32.self, Int.self)
        return PlacedIDs(rows, limit: limit, id: \.0, place: { ["\($0.1)", "\($0.2)", $0.0.description] })
    }

    /// Nil where each word begins one that an item has, or no other is near.
    private func correct(_ wanted: Wanted) async throws(PostgresError) -> Wanted? {
        let rows = try await answer(PostgresQuery(queries.similarWords, wanted.words)).rows(as: Int32.self, String.self)
        var words = wanted.words
        for place in words.indices {
            let similar = rows.filter { Int($0.0) == place + 1 }.map(\.1)
            if let near = words[place].nearest(among: similar) { words[place] = near }
        }
        return words == wanted.words ? nil : Wanted(text: words.joined(separator: " "), words: words)
    }
}
