package import Items
package import Postgres
package import Values

/// Reads the catalog for one request, at one time.
package struct CatalogReader {
    package let time: Timestamp
    /// The cost of finding a row, as `IndexScan.costOfFinding` describes it.
    package var costOfFinding = IndexScan.costOfFinding
    let session: PostgresSession

    package init(at time: Timestamp, _ session: PostgresSession) {
        self.time = time
        self.session = session
    }

    /// Returns the secret of 32 bytes that signs cursors.
    package func cursorKey() async throws(PostgresError) -> [UInt8] {
        guard let key = try await session.rows(of: PostgresQuery(CatalogQueries.cursorKey), as: Bytes.self).first else {
            throw PostgresError(.undecodable, "the cursor key is missing", query: CatalogQueries.cursorKey.name.description)
        }
        return key.bytes
    }

    /// Returns all storefronts, sorted by key.
    package func storefronts() async throws(PostgresError) -> [Storefront] { try await storefronts(nil) }

    /// Returns the storefront, or nil if it does not exist.
    package func storefront(_ key: String) async throws(PostgresError) -> Storefront? {
        try await storefronts(key).first
    }

    private func storefronts(_ key: String?) async throws(PostgresError) -> [Storefront] {
        let query = PostgresQuery(CatalogQueries.storefronts, key)
        let rows = try await session.rows(
            of: query, as: String.self, String.self, String.self, String.self, [String].self, String.self, JSONBytes.self)
        var storefronts: [Storefront] = []
        for (key, currency, timeZone, defaultLocale, locales, ratingScheme, ratingSchemes) in rows {
            guard let defaultLocale = LocaleTag(defaultLocale) else { continue }
            storefronts.append(
                Storefront(
                    key: key, currency: currency, timeZone: timeZone, locales: locales.compactMap { LocaleTag($0) },
                    defaultLocale: defaultLocale, ratingScheme: ratingScheme,
                    ratingSchemes: try ratingSchemes.decoded(query: query.name)))
        }
        return storefronts
    }

    /// Returns the platforms that clients can have, sorted by key.
    package func platforms() async throws(PostgresError) -> [String] {
        try await session.rows(of: PostgresQuery(CatalogQueries.platforms), as: String.self, Bool.self).map(\.0)
    }

    /// Returns the items in the order of the IDs, without those that are unavailable in the storefront now.
    package func items(_ ids: [UUID], in storefront: Storefront) async throws(PostgresError) -> [Item] {
        if ids.isEmpty { return [] }
        let query = PostgresQuery(CatalogQueries.items, ids)
        return try await session.rows(of: query, as: Int.self, JSONBytes.self)
            .map { version, document throws(PostgresError) in try Item(version: version, document, query: query.name) }
            .filter { $0.availability.isAvailable(in: storefront.key, at: time) }
    }

    /// Returns the item with an ID, or the one that has a slug, or else the one that had the slug last. It may be
    /// unavailable, withdrawn, or not published yet.
    package func item(_ reference: ItemReference) async throws(PostgresError) -> NamedItem? {
        let query =
            switch reference {
            case .id(let id): PostgresQuery(CatalogQueries.itemNamed, id, String?.none, String?.none)
            case .slug(let kind, let slug): PostgresQuery(CatalogQueries.itemNamed, UUID?.none, kind.rawValue, slug)
            }
        let rows = try await session.rows(of: query, as: UUID.self, String.self, String.self, Bool.self)
        return rows.first.flatMap { id, kind, slug, isWithdrawn in
            ItemKind(rawValue: kind).map { NamedItem(id: id, reference: .slug($0, slug), isWithdrawn: isWithdrawn) }
        }
    }

    /// Returns the categories, sorted by key. With a kind, returns only those that its items can have.
    package func categories(of kind: ItemKind?, in storefront: Storefront) async throws(PostgresError) -> [Category] {
        let query = PostgresQuery(CatalogQueries.categories, storefront.scopes, time, kind?.rawValue)
        let rows = try await session.rows(of: query, as: String.self, String?.self, JSONBytes.self, Int.self, Timestamp?.self)
        return try rows.map { key, kind, titles, items, nextChange throws(PostgresError) in
            Category(
                key: key, itemKind: kind.flatMap(ItemKind.init), titles: try titles.localized(query: query.name), items: items,
                nextChange: nextChange)
        }
    }

    package func hasCategory(_ key: String) async throws(PostgresError) -> Bool {
        try await session.rows(of: PostgresQuery(CatalogQueries.hasCategory, key), as: Bool.self).first ?? false
    }

    package func hasChart(_ name: String, in storefront: Storefront) async throws(PostgresError) -> Bool {
        try await session.rows(of: PostgresQuery(CatalogQueries.hasChart, storefront.key, name), as: Bool.self).first ?? false
    }
}

extension CatalogReader {
    /// Returns a page of at most 100 matches, the best first, optionally after a position. All pages together have some
    /// hundreds.
    ///
    /// Only the last word of the text may be the beginning of a word, or any of them if nothing else matches. If nothing matches then,
    /// unknown words are replaced with the most similar known words.
    package func search(
        _ text: String, _ filter: ItemFilter, in storefront: Storefront, after position: [String]?, limit: Int
    ) async throws(PostgresError) -> ItemPage {
        let limit = min(max(limit, 1), Self.largestPage)
        // A later page uses the corrected text of the first page.
        let corrected = position?[checked: 3]
        guard let terms = try await read(corrected ?? text, in: storefront) else { return ItemPage(items: []) }
        var found = try await find(terms, filter, in: storefront, after: position, limit: limit)
        if position == nil, found.ids.isEmpty, let better = try await correct(terms, in: storefront) {
            found = try await find(better, filter, in: storefront, after: nil, limit: limit)
            guard !found.ids.isEmpty else { return ItemPage(items: []) }
            return ItemPage(
                items: try await items(found.ids, in: storefront), next: found.next.map { $0 + [better.whole] },
                correctedSearch: better.whole)
        }
        return ItemPage(
            items: try await items(found.ids, in: storefront), next: found.next.map { $0 + (corrected.map { [$0] } ?? []) },
            correctedSearch: corrected)
    }

    /// Returns nil if the text has no letter or digit.
    private func read(_ text: String, in storefront: Storefront) async throws(PostgresError) -> SearchTerms? {
        let rows = try await session.rows(
            of: PostgresQuery(CatalogQueries.readSearch, text, storefront.scopes),
            as: String.self, [String].self, [String].self, [String].self, [String].self, Bool.self)
        guard let (text, words, letters, spaced, unspaced, isWide) = rows.first, !words.isEmpty else { return nil }
        return SearchTerms(text: text, words: words, letters: letters, spaced: spaced, unspaced: unspaced, isWide: isWide)
    }

    private func find(
        _ terms: SearchTerms, _ filter: ItemFilter, in storefront: Storefront, after position: [String]?, limit: Int
    ) async throws(PostgresError) -> IDPage {
        let conditions = SearchQuery.conditions(filter, kinds: filter.kinds, in: storefront)
        let searches = terms.searches
        let matchClass = position?[checked: 0].flatMap { Int32($0) } ?? .max
        let count = position?[checked: 1].flatMap { Int($0) } ?? .max
        let id = position?[checked: 2].flatMap { UUID($0) } ?? UUID(high: .max, low: .max)
        let query = PostgresQuery(
            CatalogQueries.search, searches.map { ([$0.query] + conditions).joined(separator: " & ") }, searches.map(\.limit),
            storefront.scopes, time, filter.rating, terms.text, terms.spaced, terms.unspaced, matchClass, count, id, limit + 1,
            searches.map(\.enough), terms.isWide, SearchQuery.anyOf(storefront.scopes))
        let rows = try await session.rows(of: query, as: UUID.self, Int32.self, Int.self)
        return IDPage(rows, limit: limit, id: \.0, position: { ["\($0.1)", "\($0.2)", $0.0.description] })
    }

    /// Returns the corrected terms. Returns nil if each word is a prefix of a word in the storefront, or no similar word
    /// exists.
    private func correct(_ terms: SearchTerms, in storefront: Storefront) async throws(PostgresError) -> SearchTerms? {
        // Short words and numbers have no similar words to compare with.
        let uncertain = terms.typed.map(\.text).filter { $0.unicodeScalars.count > 2 && !$0.utf8.allSatisfy(\.isDigit) }
        if uncertain.isEmpty { return nil }
        let bounds = SearchQuery.filter(ItemFilter(), in: storefront)
        let query = PostgresQuery(
            CatalogQueries.similarWords, uncertain,
            uncertain.map { "\(SearchQuery.words([(text: $0, isPrefix: true)])) & \(bounds)" }, bounds)
        let rows = try await session.rows(of: query, as: Int32.self, String.self)
        var whole = terms.whole
        for (number, word) in uncertain.enumerated() {
            let similar = rows.filter { Int($0.0) == number + 1 }.map(\.1)
            if let near = word.nearest(among: similar) { whole.replace(word: word, with: near) }
        }
        // Later pages read the text in the same way.
        return whole == terms.whole ? nil : try await read(whole, in: storefront)
    }
}

extension String {
    /// Replaces a word of a folded text. The word is either between blanks, or part of a text in a script that does not
    /// separate words.
    fileprivate mutating func replace(word: String, with other: String) {
        var parts = split(separator: " ").map(String.init)
        if let index = parts.firstIndex(of: word) {
            parts[index] = other
        } else if let index = parts.firstIndex(where: { $0.contains(word) }) {
            parts[index] = parts[index].replacing(word, with: other, maxReplacements: 1)
        }
        self = parts.joined(separator: " ")
    }
}

/// An item of the catalog, whether clients see it or not.
package struct NamedItem: Sendable {
    package let id: UUID
    /// The kind and the present slug.
    package let reference: ItemReference
    package let isWithdrawn: Bool
}

enum CatalogQueries {
    static let cursorKey = NamedQuery("catalog.cursor_key")
    static let storefronts = NamedQuery("catalog.storefronts")
    static let platforms = NamedQuery("catalog.platforms")
    static let items = NamedQuery("catalog.items")
    static let itemNamed = NamedQuery("catalog.item_named")
    static let categories = NamedQuery("catalog.categories")
    static let facetCounts = NamedQuery("catalog.facet_counts")
    static let titleLocales = NamedQuery("catalog.title_locales")
    static let hasCategory = NamedQuery("catalog.has_category")
    static let hasChart = NamedQuery("catalog.has_chart")
    static let chartPage = NamedQuery("catalog.chart_page")
    static let byRating = NamedQuery("catalog.browse_by_rating")
    static let byRelease = NamedQuery("catalog.browse_by_release")
    static let byTitle: [TitleOrder: NamedQuery] = [
        .und: NamedQuery("catalog.browse_by_title_und"), .ar: NamedQuery("catalog.browse_by_title_ar"),
        .es: NamedQuery("catalog.browse_by_title_es"), .ja: NamedQuery("catalog.browse_by_title_ja"),
    ]
    static let readSearch = NamedQuery("catalog.read_search")
    static let search = NamedQuery("catalog.search")
    static let similarWords = NamedQuery("catalog.similar_words")
}
