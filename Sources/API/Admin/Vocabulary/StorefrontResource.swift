internal import Access
internal import CatalogImport
internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import Publishing

struct StorefrontResource: VocabularyResource {
    static let paths: (list: PathPattern, resource: PathPattern) = ("/admin/v1/storefronts", "/admin/v1/storefronts/{storefront}")
    static let scope = TokenScope.admin
    static let bodyLimit = BodyLimit.bytes(1 << 16)

    private let key: String
    var name: VocabularyName { VocabularyName(.storefront, key) }

    init(_ request: AdminRequest) throws(Problem) { key = try request.key(of: .storefront) }

    static func list(_ request: AdminRequest) async throws -> Response {
        try await request.vocabularyList("storefronts") { try await $0.vocabulary.storefronts() }
    }

    func state(in transaction: AdminTransaction, lock: VocabularyStore.Lock?) async throws -> VocabularyState? {
        try await transaction.vocabulary.storefront(key, lock: lock).map { try VocabularyState($0) }
    }

    func checkSave(in store: VocabularyStore) async throws {
        guard try await store.storefront(key)?.closedAt == nil else { throw Problem.storefrontClosed }
    }

    func checkDeletion(in store: VocabularyStore) async throws {
        guard try await !store.wasStorefrontShown(key) else { throw Problem.storefrontShown }
        let uses = try await store.uses(ofStorefront: key)
        guard uses.items == 0, uses.charts == 0 else { throw Problem.storefrontNotEmpty(uses) }
    }

    func findings(in transaction: AdminTransaction) async throws -> [ReviewFinding] {
        try await transaction.feeds.findings(inNew: key)
    }

    static func closing(_ service: AdminService) -> Route {
        .admin(.post, "/admin/v1/storefronts/{storefront}:close", scope, service) { request in
            let storefront = try StorefrontResource(request)
            return try await request.change(storefront, as: .closeStorefront, lock: .record) { transaction in
                try await transaction.vocabulary.closeStorefront(storefront.key)
                return []
            }
        }
    }

    static func opening(_ service: AdminService) -> Route {
        .admin(.post, "/admin/v1/storefronts/{storefront}:open", scope, service) { request in
            let storefront = try StorefrontResource(request)
            return try await request.change(storefront, as: .openStorefront, lock: .record) { transaction in
                guard let closedAt = try await transaction.vocabulary.storefront(storefront.key)?.closedAt else { return [] }
                try await transaction.vocabulary.openStorefront(storefront.key)
                return try await transaction.feeds.findings(inNew: storefront.key, closedAt: closedAt)
            }
        }
    }
}

extension Problem {
    fileprivate static var storefrontClosed: Problem {
        Problem(.conflict, code: "storefrontClosed", detail: "The storefront is closed and cannot change. Open it first.")
    }

    fileprivate static var storefrontShown: Problem {
        Problem(
            .conflict, code: "storefrontShown",
            detail: "Clients saw feeds in the storefront, so it cannot be deleted. Close the storefront instead.")
    }

    fileprivate static func storefrontNotEmpty(_ uses: VocabularyStore.StorefrontUses) -> Problem {
        var problem = Problem(
            .conflict, code: "storefrontNotEmpty",
            detail: """
                The storefront is in use (items with prices or availability: \(uses.items), charts: \(uses.charts)). Delete its \
                charts and save the items without the storefront, or close it instead.
                """)
        problem.members = [
            Problem.Extension(name: "itemCount", json: Array("\(uses.items)".utf8)),
            Problem.Extension(name: "chartCount", json: Array("\(uses.charts)".utf8)),
        ]
        return problem
    }
}
