internal import Access
internal import CatalogImport
internal import HTTP
internal import HTTPMessages

struct CategoryResource: VocabularyResource {
    static let paths: (list: PathPattern, resource: PathPattern) = ("/admin/v1/categories", "/admin/v1/categories/{category}")
    static let scope = TokenScope.publish

    private let key: String
    var name: VocabularyName { VocabularyName(.category, key) }

    init(_ request: AdminRequest) throws(Problem) { key = try request.key(of: .category) }

    static func list(_ request: AdminRequest) async throws -> Response {
        try await request.vocabularyList("categories") { transaction, after, limit in
            try await transaction.vocabulary.categories(after: after, limit: limit).map { (element: $0, key: $0.key) }
        }
    }

    func state(in transaction: AdminTransaction, lock: VocabularyStore.Lock?) async throws -> VocabularyState? {
        try await transaction.vocabulary.category(key, lock: lock).map { try VocabularyState($0) }
    }

    func checkDeletion(in store: VocabularyStore) async throws {
        let items = try await store.items(inCategory: key)
        guard items.all == 0 else { throw Problem.categoryNotEmpty(items) }
    }
}

extension Problem {
    fileprivate static func categoryNotEmpty(_ items: VocabularyStore.ItemCount) -> Problem {
        var problem = Problem(
            .conflict, code: "categoryNotEmpty",
            detail: "The category has \(items). Save these items with other categories, then delete the category.")
        problem.members = [Problem.Extension(name: "itemCount", json: Array("\(items.all)".utf8))]
        return problem
    }
}
