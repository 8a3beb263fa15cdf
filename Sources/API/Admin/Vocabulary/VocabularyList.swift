internal import Catalog
internal import CatalogImport
internal import HTTP
internal import HTTPMessages
internal import JSON

extension AdminRequest {
    /// Returns a list of few elements, without pages.
    func vocabularyList<Element: JSONEncodable & Sendable>(
        _ name: String, _ read: @Sendable (AdminTransaction) async throws -> [Element]
    ) async throws -> Response {
        try QueryParameters(context.head.target.query, known: []).finish()
        return try await reading { transaction in
            try AdminListPage(name, try await read(transaction), next: nil, of: context).response
        }
    }

    /// Returns a page of a list in the order of its keys.
    func vocabularyList<Element: JSONEncodable & Sendable>(
        _ name: String, of owner: String = "",
        _ read: @Sendable (_ transaction: AdminTransaction, _ after: String, _ limit: Int) async throws -> [(element: Element, key: String)]
    ) async throws -> Response {
        var parameters = QueryParameters(context.head.target.query, known: ["cursor", "limit"])
        let limit = parameters.integer("limit", in: 1...200, clamps: true) ?? 50
        let cursor = parameters["cursor"]
        try parameters.finish()
        return try await reading { transaction in
            let signer = try await service.catalog.signer(transaction.catalog)
            let list = [name, owner].joined(separator: "\n")
            let position = try cursor.map { text throws(Problem) in try signer.read(text, of: list, in: context) }
            let found = try await read(transaction, position?.first ?? "", limit + 1)
            let page = AdminListPage(
                name, found.prefix(limit).map(\.element),
                next: found.count > limit ? signer.cursor(at: [found[limit - 1].key], in: list) : nil, of: context)
            return try page.response
        }
    }
}
