internal import Items
internal import Postgres
internal import Values

/// Writes the storefronts, categories and charts that differ from the catalog.
struct VocabularyWriter {
    enum Outcome { case new, changed, unchanged }

    let session: PostgresSession

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

    /// Returns the IDs of the items of a chart. An ID is nil if the catalog does not have the item.
    func items(of chart: ChartRecord) async throws -> [UUID?] {
        let ids: [UUID?] = chart.items.map { if case .id(let id) = $0 { id } else { nil } }
        let kinds: [String?] = chart.items.map { if case .slug(let kind, _) = $0 { kind.rawValue } else { nil } }
        let slugs: [String?] = chart.items.map { if case .slug(_, let slug) = $0 { slug } else { nil } }
        return try await session.rows(of: PostgresQuery(ImportStatements.chartItems, ids, kinds, slugs), as: Int.self, UUID?.self).map(
            \.1)
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
