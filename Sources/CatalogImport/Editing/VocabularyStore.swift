internal import Items
package import JSON
package import Postgres
package import Values

/// The names that items and feeds use, in the form in which curators edit them: storefronts, categories, charts, platforms and
/// rating schemes.
package struct VocabularyStore {
    let session: PostgresSession

    package init(_ session: PostgresSession) {
        self.session = session
    }

    /// Waits until no other edit of the resource runs. The lock lasts until the transaction ends, and the resource may
    /// not exist yet.
    package func takeTurn(_ name: VocabularyName) async throws {
        try await session.run(PostgresQuery(VocabularyQueries.takeTurn, name.turn))
    }

    /// The writes that a lock excludes until the transaction ends.
    package enum Lock: Sendable {
        /// Changes of the record.
        case record
        /// Changes of the record, and new references to it, such as items in a category.
        case uses
    }

    /// Locks a record whose table has these queries, if it exists.
    func hold(_ key: String, _ lock: Lock?, _ queries: VocabularyQueries.OfTable) async throws {
        guard let lock else { return }
        try await session.run(PostgresQuery(lock == .uses ? queries.holdUses : queries.hold, key))
    }

    /// Removes a resource that nothing uses.
    package func remove(_ name: VocabularyName) async throws {
        let query =
            switch name.kind {
            case .storefront: PostgresQuery(VocabularyQueries.ofStorefronts.remove, name.text)
            case .category: PostgresQuery(VocabularyQueries.ofCategories.remove, name.text)
            case .chart: PostgresQuery(VocabularyQueries.removeChart, name.fields[0].value, name.text)
            case .platform: PostgresQuery(VocabularyQueries.ofPlatforms.remove, name.text)
            case .ratingScheme: PostgresQuery(VocabularyQueries.ofRatingSchemes.remove, name.text)
            }
        try await session.run(query)
    }

    /// The result of a change.
    package enum Change: Sendable {
        case created, changed, unchanged
        /// The record is invalid, for these reasons.
        case rejected([Reject])
    }

    /// Writes a record in a transaction that the caller has started.
    package func write(_ record: VocabularyRecord) async throws -> Change {
        switch record {
        case .catalog(let record): try await write(record)
        case .platform(let record): try await write(record)
        case .ratingScheme(let record): try await write(record)
        }
    }

    /// Writes a record by the rules of an import.
    private func write(_ record: CatalogRecord) async throws -> Change {
        var vocabulary = try await Importer.vocabulary(session)
        var chunk = FileChunk()
        switch record {
        case .storefront(let storefront):
            vocabulary.timeZones = try await Importer.timeZones(session)
            chunk.storefronts = [(storefront, 1)]
        case .category(let category): chunk.categories = [(category, 1)]
        case .chart(let chart): chunk.charts = [(chart, 1)]
        case .item: preconditionFailure("an item is not part of the vocabulary")
        }
        let issues = vocabulary.issues(in: record)
        guard issues.isEmpty else { return Change(issues) }
        var writing = ChunkWriter(session, vocabulary)
        let result = try await writing.write(chunk, maxRejects: 1)
        guard result.rejects.isEmpty else { return .rejected(result.rejects.flatMap(\.self)) }
        return result.counts.new > 0 ? .created : result.counts.changed > 0 ? .changed : .unchanged
    }
}

extension VocabularyStore.Change {
    init(_ issues: [Vocabulary.Issue]) {
        self = .rejected(issues.map { Reject($0, line: 1) })
    }
}

// MARK: Storefronts

extension VocabularyStore {
    /// A storefront with the time at which it was closed.
    package struct StoredStorefront: Sendable {
        package let record: StorefrontRecord
        /// The time at which the storefront was closed; nil if the storefront is open.
        package let closedAt: Timestamp?
    }

    /// Returns all storefronts, open or closed, in the order of their keys.
    package func storefronts() async throws -> [StoredStorefront] { try await storefronts(nil) }

    /// Returns the storefront, or nil if it does not exist. A lock of its uses waits for publications, which refer to storefronts.
    package func storefront(_ key: String, lock: Lock? = nil) async throws -> StoredStorefront? {
        if lock == .uses { try await session.run(PostgresQuery(ImportStatements.holdStorefronts, key, String?.none)) }
        try await hold(key, lock, VocabularyQueries.ofStorefronts)
        return try await storefronts(key).first
    }

    private func storefronts(_ key: String?) async throws -> [StoredStorefront] {
        let query = PostgresQuery(VocabularyQueries.storefronts, key)
        let rows = try await session.rows(
            of: query, as: String.self, String.self, String.self, String.self, [String].self, String.self, Timestamp?.self)
        return rows.map { key, currency, timeZone, defaultLocale, locales, ratingScheme, closedAt in
            let record = StorefrontRecord(
                key: key, currency: currency, timeZone: timeZone, locales: locales, defaultLocale: defaultLocale, ratingScheme: ratingScheme
            )
            return StoredStorefront(record: record, closedAt: closedAt)
        }
    }

    package func closeStorefront(_ key: String) async throws {
        try await session.run(PostgresQuery(VocabularyQueries.closeStorefront, key))
    }

    /// Opens a closed storefront. It gets the publications for all storefronts that were made while it was closed.
    package func openStorefront(_ key: String) async throws {
        try await session.run(PostgresQuery(VocabularyQueries.openStorefront, key))
    }

    /// The rows that refer to a storefront and would prevent its deletion.
    package struct StorefrontUses: Sendable, Equatable {
        /// The number of items with prices or availability in the storefront.
        package let items: Int
        package let charts: Int
    }

    package func uses(ofStorefront key: String) async throws -> StorefrontUses {
        let rows = try await session.rows(of: PostgresQuery(VocabularyQueries.usesOfStorefront, key), as: Int.self, Int.self)
        return StorefrontUses(items: rows.first?.0 ?? 0, charts: rows.first?.1 ?? 0)
    }

    /// Whether clients could ever see a feed in the storefront.
    package func wasStorefrontShown(_ key: String) async throws -> Bool {
        try await session.rows(of: PostgresQuery(VocabularyQueries.wasStorefrontShown, key), as: Bool.self).first ?? true
    }

    package func hasStorefront(_ key: String) async throws -> Bool {
        try await session.rows(of: PostgresQuery(VocabularyQueries.hasStorefront, key), as: Bool.self).first ?? false
    }
}

// MARK: Categories

extension VocabularyStore {
    /// Returns categories in the order of their keys, after one.
    package func categories(after key: String, limit: Int) async throws -> [CategoryRecord] {
        try await categories(PostgresQuery(VocabularyQueries.categories, String?.none, key, limit))
    }

    /// Returns the category, or nil if it does not exist.
    package func category(_ key: String, lock: Lock? = nil) async throws -> CategoryRecord? {
        try await hold(key, lock, VocabularyQueries.ofCategories)
        return try await categories(PostgresQuery(VocabularyQueries.categories, key, "", 1)).first
    }

    private func categories(_ query: PostgresQuery) async throws -> [CategoryRecord] {
        let rows = try await session.rows(of: query, as: String.self, String?.self, [String].self, [String].self)
        return rows.map { key, kind, locales, titles in
            let texts = zip(locales, titles).compactMap { locale, title in LocaleTag(locale).map { LocaleText(locale: $0, text: title) } }
            return CategoryRecord(key: key, itemKind: kind.flatMap { ItemKind(rawValue: $0) }, titles: texts)
        }
    }

    /// The number of items that use a resource, and the number of withdrawn ones among them.
    package struct ItemCount: Sendable, Equatable {
        package let all: Int
        package let withdrawn: Int
    }

    package func items(inCategory key: String) async throws -> ItemCount {
        let rows = try await session.rows(of: PostgresQuery(VocabularyQueries.itemsInCategory, key), as: Int.self, Int.self)
        return ItemCount(all: rows.first?.0 ?? 0, withdrawn: rows.first?.1 ?? 0)
    }
}

// MARK: Charts

extension VocabularyStore {
    /// A chart of a list.
    package struct ChartSummary: Sendable {
        package let storefront: String
        package let name: String
        /// The number of its items, available or not.
        package let itemCount: Int
    }

    /// A chart in two forms of its record.
    package struct StoredChart: Sendable {
        /// The record with the slugs of the items, which people can read.
        package let record: ChartRecord
        /// The record with the IDs of the items, which never change.
        package let recordWithIDs: ChartRecord
    }

    /// Returns charts of a storefront in the order of their names, after one.
    package func charts(in storefront: String, after name: String, limit: Int) async throws -> [ChartSummary] {
        let query = PostgresQuery(VocabularyQueries.charts, storefront, name, limit)
        return try await session.rows(of: query, as: String.self, Int.self).map {
            ChartSummary(storefront: storefront, name: $0, itemCount: $1)
        }
    }

    /// Returns the chart, or nil if it does not exist.
    package func chart(_ name: String, in storefront: String, lock: Lock? = nil) async throws -> StoredChart? {
        if lock != nil { try await session.run(PostgresQuery(ImportStatements.holdChart, storefront, name)) }
        let query = PostgresQuery(VocabularyQueries.chart, storefront, name)
        let rows = try await session.rows(of: query, as: [UUID].self, [String].self, [String].self)
        return rows.first.map { ids, kinds, slugs in
            let references = zip(ids, zip(kinds, slugs)).map { id, item in
                ItemKind(rawValue: item.0).map { ItemReference.slug($0, item.1) } ?? .id(id)
            }
            return StoredChart(
                record: ChartRecord(storefront: storefront, name: name, items: references),
                recordWithIDs: ChartRecord(storefront: storefront, name: name, items: ids.map { .id($0) }))
        }
    }
}

extension VocabularyStore.StoredStorefront: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("closedAt", closedAt?.description)
        json.member("record", record)
    }
}

extension VocabularyStore.ChartSummary: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("storefront", storefront)
        json.member("name", name)
        json.member("itemCount", itemCount)
    }
}

extension VocabularyStore.ItemCount: CustomStringConvertible {
    /// The count in a sentence, such as `9 items, 2 of them withdrawn`.
    package var description: String {
        (all == 1 ? "1 item" : "\(all) items") + (withdrawn == 0 ? "" : ", \(withdrawn) of them withdrawn")
    }
}

/// The SQL statements of edits, from `sql/queries/vocabulary.sql`.
enum VocabularyQueries {
    /// The statements of a table of keys.
    struct OfTable {
        let hold: NamedQuery
        let holdUses: NamedQuery
        let remove: NamedQuery
    }

    static let ofStorefronts = OfTable(
        hold: NamedQuery("vocabulary.hold_storefronts"), holdUses: NamedQuery("vocabulary.hold_uses_of_storefronts"),
        remove: NamedQuery("vocabulary.remove_storefronts"))
    static let ofCategories = OfTable(
        hold: NamedQuery("vocabulary.hold_categories"), holdUses: NamedQuery("vocabulary.hold_uses_of_categories"),
        remove: NamedQuery("vocabulary.remove_categories"))
    static let ofPlatforms = OfTable(
        hold: NamedQuery("vocabulary.hold_platforms"), holdUses: NamedQuery("vocabulary.hold_uses_of_platforms"),
        remove: NamedQuery("vocabulary.remove_platforms"))
    static let ofRatingSchemes = OfTable(
        hold: NamedQuery("vocabulary.hold_rating_schemes"), holdUses: NamedQuery("vocabulary.hold_uses_of_rating_schemes"),
        remove: NamedQuery("vocabulary.remove_rating_schemes"))
    static let takeTurn = NamedQuery("vocabulary.take_turn")
    static let storefronts = NamedQuery("vocabulary.storefronts")
    static let closeStorefront = NamedQuery("vocabulary.close_storefront")
    static let openStorefront = NamedQuery("vocabulary.open_storefront")
    static let usesOfStorefront = NamedQuery("vocabulary.uses_of_storefront")
    static let wasStorefrontShown = NamedQuery("vocabulary.was_storefront_shown")
    static let hasStorefront = NamedQuery("vocabulary.has_storefront")
    static let categories = NamedQuery("vocabulary.categories")
    static let itemsInCategory = NamedQuery("vocabulary.items_in_category")
    static let charts = NamedQuery("vocabulary.charts")
    static let chart = NamedQuery("vocabulary.chart")
    static let removeChart = NamedQuery("vocabulary.remove_chart")
    static let platforms = NamedQuery("vocabulary.platforms")
    static let addPlatform = NamedQuery("vocabulary.add_platform")
    static let setRuns = NamedQuery("vocabulary.set_runs")
    static let setServed = NamedQuery("vocabulary.set_served")
    static let usesOfPlatform = NamedQuery("vocabulary.uses_of_platform")
    static let ratingSchemes = NamedQuery("vocabulary.rating_schemes")
    static let holdRatingLabels = NamedQuery("vocabulary.hold_rating_labels")
    static let addRatingScheme = NamedQuery("vocabulary.add_rating_scheme")
    static let addRatingLabels = NamedQuery("vocabulary.add_rating_labels")
    static let changeRatingLabels = NamedQuery("vocabulary.change_rating_labels")
    static let removeRatingLabels = NamedQuery("vocabulary.remove_rating_labels")
    static let usesOfRatingScheme = NamedQuery("vocabulary.uses_of_rating_scheme")
    static let usesOfRatingLabels = NamedQuery("vocabulary.uses_of_rating_labels")
}
