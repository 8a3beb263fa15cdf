internal import Access
internal import CatalogImport
internal import HTTP
internal import HTTPMessages

struct ChartResource: VocabularyResource {
    static let paths: (list: PathPattern, resource: PathPattern) = (
        "/admin/v1/storefronts/{storefront}/charts", "/admin/v1/storefronts/{storefront}/charts/{chart}"
    )
    static let scope = TokenScope.publish

    private let storefront: String
    private let chart: String
    var name: VocabularyName { .chart(chart, in: storefront) }

    init(_ request: AdminRequest) throws(Problem) {
        storefront = try request.key(of: .storefront)
        chart = try request.key(of: .chart)
    }

    static func list(_ request: AdminRequest) async throws -> Response {
        let storefront = try request.key(of: .storefront)
        return try await request.vocabularyList("charts", of: storefront) { transaction, after, limit in
            try await transaction.requireStorefront(storefront)
            return try await transaction.vocabulary.charts(in: storefront, after: after, limit: limit).map { (element: $0, key: $0.name) }
        }
    }

    /// The audit log has the IDs of the items, so that an entry remains valid if an item gets another slug.
    func state(in transaction: AdminTransaction, lock: VocabularyStore.Lock?) async throws -> VocabularyState? {
        try await transaction.requireStorefront(storefront)
        return try await transaction.vocabulary.chart(chart, in: storefront, lock: lock).map {
            try VocabularyState($0.record, audited: $0.recordWithIDs)
        }
    }
}

extension AdminTransaction {
    /// Throws if the storefront does not exist.
    fileprivate func requireStorefront(_ key: String) async throws {
        guard try await vocabulary.hasStorefront(key) else { throw Problem.unknown(VocabularyName(.storefront, key)) }
    }
}
