internal import Access
internal import CatalogImport
internal import HTTP
internal import HTTPMessages
internal import Values

extension Route {
    static func categories(_ service: AdminService) -> [Route] {
        [
            admin(.get, "/admin/v1/categories", .read, service) { request in try await request.categories() },
            admin(.get, "/admin/v1/categories/{category}", .read, service) { request in
                try QueryParameters(request.context.head.target.query, known: []).finish()
                let key = try request.category()
                return try await request.reading { transaction in
                    guard let category = try await transaction.vocabulary.category(key) else { throw Problem.unknownCategory }
                    return AdminResponse(try VocabularyState(category).resource).response
                }
            },
            admin(.put, "/admin/v1/categories/{category}", .publish, bodyLimit: .bytes(1 << 20), service) { request in
                let key = try request.category()
                return try await request.saving(.category(key), as: .saveCategory) { _, record in
                    guard case .category(let category) = record else { throw Problem.recordMismatch("/kind", expected: "category") }
                    guard category.key == key else { throw Problem.recordMismatch("/key", expected: key) }
                }
            },
            admin(.delete, "/admin/v1/categories/{category}", .publish, service) { request in
                let key = try request.category()
                return try await request.changing(.category(key, andItems: true), as: .deleteCategory, unknown: .unknownCategory) {
                    transaction in
                    let items = try await transaction.vocabulary.items(inCategory: key)
                    guard items.all == 0 else { throw Problem.categoryNotEmpty(items) }
                    try await transaction.vocabulary.removeCategory(key)
                }
            },
        ]
    }
}

extension VocabularyEdit {
    fileprivate static func category(_ key: String, andItems: Bool = false) -> VocabularyEdit {
        VocabularyEdit(path: "categories/\(key)") { transaction in
            try await transaction.vocabulary.heldCategory(key, andItems: andItems).map { try VocabularyState($0) }
        }
    }
}

extension AdminRequest {
    fileprivate func category() throws(Problem) -> String {
        try context.parameters.value("category") { IdentifierFormat.slug.fits($0) ? $0 : nil }
    }

    fileprivate func categories() async throws -> Response {
        try await vocabularyList("categories") { transaction, after, limit in
            try await transaction.vocabulary.categories(after: after, limit: limit).map { (element: $0, key: $0.key) }
        }
    }
}

extension Problem {
    fileprivate static var unknownCategory: Problem {
        Problem(
            .notFound, code: "unknownCategory", detail: "The category does not exist. Use a key from the list of categories.",
            see: "/admin/v1/categories")
    }

    fileprivate static func categoryNotEmpty(_ items: VocabularyStore.ItemCount) -> Problem {
        let count = items.all == 1 ? "1 item" : "\(items.all) items"
        let withdrawn = items.withdrawn == 0 ? "" : ", \(items.withdrawn) of them withdrawn"
        var problem = Problem(
            .conflict, code: "categoryNotEmpty",
            detail: "The category has \(count)\(withdrawn). Save these items with other categories, then delete the category.")
        problem.members = [Problem.Extension(name: "itemCount", json: Array("\(items.all)".utf8))]
        return problem
    }
}
