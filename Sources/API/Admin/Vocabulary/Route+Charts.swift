internal import Access
internal import Catalog
internal import CatalogImport
internal import HTTP
internal import HTTPMessages
internal import Values

extension Route {
    static func charts(_ service: AdminService) -> [Route] {
        [
            admin(.get, "/admin/v1/storefronts/{storefront}/charts", .read, service) { request in
                let storefront = try request.storefront()
                return try await request.vocabularyList("charts", of: storefront) { transaction, after, limit in
                    try await transaction.requireStorefront(storefront)
                    return try await transaction.vocabulary.charts(in: storefront, after: after, limit: limit)
                        .map { (element: $0, key: $0.name) }
                }
            },
            admin(.get, "/admin/v1/storefronts/{storefront}/charts/{chart}", .read, service) { request in
                try QueryParameters(request.context.head.target.query, known: []).finish()
                let (storefront, name) = (try request.storefront(), try request.chart())
                return try await request.reading { transaction in
                    try await transaction.requireStorefront(storefront)
                    guard let chart = try await transaction.vocabulary.chart(name, in: storefront) else {
                        throw Problem.unknownChart(in: storefront)
                    }
                    return AdminResponse(try VocabularyState(chart).resource).response
                }
            },
            admin(.put, "/admin/v1/storefronts/{storefront}/charts/{chart}", .publish, bodyLimit: .bytes(1 << 20), service) { request in
                let (storefront, name) = (try request.storefront(), try request.chart())
                return try await request.saving(.chart(name, in: storefront), as: .saveChart) { _, record in
                    guard case .chart(let chart) = record else { throw Problem.recordMismatch("/kind", expected: "chart") }
                    guard chart.storefront == storefront else { throw Problem.recordMismatch("/storefront", expected: storefront) }
                    guard chart.name == name else { throw Problem.recordMismatch("/name", expected: name) }
                }
            },
            admin(.delete, "/admin/v1/storefronts/{storefront}/charts/{chart}", .publish, service) { request in
                let (storefront, name) = (try request.storefront(), try request.chart())
                return try await request.changing(.chart(name, in: storefront), as: .deleteChart, unknown: .unknownChart(in: storefront)) {
                    transaction in
                    try await transaction.vocabulary.removeChart(name, in: storefront)
                }
            },
        ]
    }
}

extension VocabularyEdit {
    fileprivate static func chart(_ name: String, in storefront: String) -> VocabularyEdit {
        VocabularyEdit(path: "storefronts/\(storefront)/charts/\(name)") { transaction in
            try await transaction.requireStorefront(storefront)
            return try await transaction.vocabulary.heldChart(name, in: storefront).map { try VocabularyState($0) }
        }
    }
}

extension VocabularyState {
    /// The audit log has the IDs of the items, so that an entry remains valid if an item gets another slug.
    fileprivate init(_ chart: VocabularyStore.StoredChart) throws { try self.init(chart.record, audited: chart.recordWithIDs) }
}

extension AdminTransaction {
    /// Throws if the storefront does not exist.
    fileprivate func requireStorefront(_ key: String) async throws {
        guard try await vocabulary.hasStorefront(key) else { throw Problem.unknownAdminStorefront }
    }
}

extension AdminRequest {
    func storefront() throws(Problem) -> String {
        try context.parameters.value("storefront") { IdentifierFormat.storefront.fits($0) ? $0 : nil }
    }

    fileprivate func chart() throws(Problem) -> String {
        try context.parameters.value("chart") { IdentifierFormat.slug.fits($0) ? $0 : nil }
    }
}

extension Problem {
    fileprivate static func unknownChart(in storefront: String) -> Problem {
        Problem(
            .notFound, code: "unknownChart", detail: "The chart does not exist in this storefront. Use a name from the list of charts.",
            see: "/admin/v1/storefronts/\(storefront)/charts")
    }
}
