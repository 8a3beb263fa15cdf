internal import Items
internal import JSON
internal import Postgres
internal import Values

/// Writes the storefronts, categories and charts that differ from the catalog.
struct VocabularyWriter {
    enum Outcome { case new, changed, unchanged }

    /// The maximum number of items to look up in one query. The database does not hash larger sets.
    private static let referencesOfQuery = 10_000
    /// The maximum number of charts whose items are looked up in one round trip. A result takes more memory than a chart with one item.
    private static let chartsOfRoundTrip = 100

    let session: PostgresSession

    /// Returns the keys of the storefronts and categories that the catalog has as they are, and keeps them from being deleted until the
    /// transaction ends. A chunk takes one round trip for all of them, and not four for each.
    func unchanged(
        _ storefronts: [StorefrontRecord], _ categories: [CategoryRecord]
    ) async throws -> (storefronts: Set<String>, categories: Set<String>) {
        guard !storefronts.isEmpty || !categories.isEmpty else { return ([], []) }
        let results = try await session.run([
            PostgresQuery(
                ImportStatements.sameStorefronts, storefronts.map(\.key), storefronts.map(\.currency), storefronts.map(\.timeZone),
                storefronts.map(\.defaultLocale), storefronts.map(\.ratingScheme),
                storefronts.map { "{\($0.locales.map { "\"\($0)\"" }.joined(separator: ","))}" }),
            PostgresQuery(
                ImportStatements.sameCategories, categories.map(\.key), categories.map(\.itemKind?.rawValue), categories.map(Self.titles)),
        ])
        return (Set(try results[0].rows(as: String.self)), Set(try results[1].rows(as: String.self)))
    }

    /// Returns the titles as a JSON object from locales to texts.
    private static func titles(_ category: CategoryRecord) -> String {
        var json = JSONWriter()
        json.object { for title in category.titles { $0.member(title.locale.text, title.text) } }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// Returns the indexes of the charts that the catalog has with these items.
    func unchanged(_ charts: [(record: ChartRecord, items: [UUID])]) async throws -> Set<Int> {
        guard !charts.isEmpty else { return [] }
        let query = PostgresQuery(
            ImportStatements.sameCharts, charts.map(\.record.storefront), charts.map(\.record.name),
            charts.map { "{\($0.items.map(\.description).joined(separator: ","))}" })
        return Set(try await session.rows(of: query, as: Int.self).map { $0 - 1 })
    }

    func write(_ storefront: StorefrontRecord) async throws -> Outcome {
        let results = try await session.run([
            PostgresQuery(ImportStatements.holdStorefronts, storefront.key, storefront.currency),
            PostgresQuery(
                ImportStatements.putStorefront, storefront.key, storefront.currency, storefront.timeZone, storefront.defaultLocale,
                storefront.ratingScheme, AgeRating.defaultScheme),
            PostgresQuery(ImportStatements.removeStorefrontLocales, storefront.key, storefront.locales),
            PostgresQuery(ImportStatements.putStorefrontLocales, storefront.key, storefront.locales),
        ])
        return try outcome(Array(results.dropFirst()))
    }

    /// Whether an item has a price in the storefront.
    func hasPrices(_ storefront: StorefrontRecord) async throws -> Bool {
        try await session.rows(of: PostgresQuery(ImportStatements.hasPrices, storefront.key), as: Bool.self).first ?? false
    }

    func write(_ category: CategoryRecord) async throws -> Outcome {
        let locales = category.titles.map(\.locale.text)
        let results = try await session.run([
            PostgresQuery(ImportStatements.putCategory, category.key, category.itemKind?.rawValue),
            PostgresQuery(ImportStatements.removeCategoryTexts, category.key, locales),
            PostgresQuery(ImportStatements.putCategoryTexts, category.key, locales, category.titles.map(\.text)),
        ])
        return try outcome(results)
    }

    private func outcome(_ results: [PostgresResult]) throws -> Outcome {
        guard let first = results.first else { return .unchanged }
        if try first.rows(as: Bool.self).first == true { return .new }
        return first.rowCount + results.dropFirst().reduce(0) { $0 + $1.affectedRows } > 0 ? .changed : .unchanged
    }

    /// Returns the IDs of the items of each chart. An ID is nil if the catalog does not have the item.
    func items(of charts: [ChartRecord], isLoading: Bool) async throws -> [[UUID?]] {
        guard !charts.isEmpty else { return [] }
        guard isLoading else {
            var items: [[UUID?]] = []
            for start in stride(from: 0, to: charts.count, by: Self.chartsOfRoundTrip) {
                let part = charts[start..<min(start + Self.chartsOfRoundTrip, charts.count)]
                // The planner would read all items for the references of many charts together.
                for result in try await session.run(part.map { query(of: $0.items) }) {
                    items.append(try result.rows(as: Int.self, UUID?.self).map(\.1))
                }
            }
            return items
        }
        let loaded = try await loadedItems(Set(charts.flatMap(\.items)))
        return charts.map { chart in chart.items.map { loaded[$0] } }
    }

    private func query(of references: [ItemReference]) -> PostgresQuery {
        let slugs = references.map(\.kindAndSlug)
        return PostgresQuery(
            ImportStatements.chartItems, references.map(\.id), slugs.map(\.?.kind.rawValue), slugs.map(\.?.slug))
    }

    /// Returns the items that the catalog has. Items have no keys during a load, so each query reads all of them.
    private func loadedItems(_ references: Set<ItemReference>) async throws -> [ItemReference: UUID] {
        var items: [ItemReference: UUID] = [:]
        var rest = Array(references)[...]
        while !rest.isEmpty {
            let part = rest.prefix(Self.referencesOfQuery)
            rest = rest.dropFirst(Self.referencesOfQuery)
            let slugs = part.compactMap(\.kindAndSlug)
            let query = PostgresQuery(
                ImportStatements.loadedChartItems, part.compactMap(\.id), slugs.map(\.kind.rawValue), slugs.map(\.slug))
            for (id, kind, slug) in try await session.rows(of: query, as: UUID.self, String.self, String.self) {
                items[.id(id)] = id
                if let kind = ItemKind(rawValue: kind) { items[.slug(kind, slug)] = id }
            }
        }
        return items
    }

    func write(_ chart: ChartRecord, _ items: [UUID]) async throws -> Outcome {
        let results = try await session.run([
            PostgresQuery(ImportStatements.holdChart, chart.storefront, chart.name),
            PostgresQuery(ImportStatements.chart, chart.storefront, chart.name),
        ])
        if let (isAvailable, found) = try results[1].rows(as: Bool.self, [UUID].self).first, isAvailable, found == items {
            return .unchanged
        }
        let written = try await session.run([
            PostgresQuery(ImportStatements.putChart, chart.storefront, chart.name),
            PostgresQuery(ImportStatements.clearChart, chart.storefront, chart.name),
            PostgresQuery(ImportStatements.fillChart, chart.storefront, chart.name, items),
        ])
        return written[0].affectedRows > 0 ? .new : .changed
    }
}

extension ItemReference {
    fileprivate var id: UUID? { if case .id(let id) = self { id } else { nil } }

    fileprivate var kindAndSlug: (kind: ItemKind, slug: String)? { if case .slug(let kind, let slug) = self { (kind, slug) } else { nil } }
}
