internal import Access
internal import CatalogImport
internal import HTTP
internal import HTTPMessages

struct RatingSchemeResource: VocabularyResource {
    static let paths: (list: PathPattern, resource: PathPattern) = ("/admin/v1/rating-schemes", "/admin/v1/rating-schemes/{ratingScheme}")
    static let scope = TokenScope.publish
    static let bodyLimit = BodyLimit.bytes(1 << 16)

    private let key: String
    var name: VocabularyName { VocabularyName(.ratingScheme, key) }

    init(_ request: AdminRequest) throws(Problem) { key = try request.key(of: .ratingScheme) }

    static func list(_ request: AdminRequest) async throws -> Response {
        try await request.vocabularyList("ratingSchemes") { try await $0.vocabulary.ratingSchemes() }
    }

    func state(in transaction: AdminTransaction, lock: VocabularyStore.Lock?) async throws -> VocabularyState? {
        try await transaction.vocabulary.ratingScheme(key, lock: lock).map { try VocabularyState($0) }
    }

    func checkDeletion(in store: VocabularyStore) async throws {
        guard let uses = try await store.uses(ofRatingScheme: key), uses.items.all > 0 || !uses.storefronts.isEmpty else { return }
        throw try Problem.inUse(
            "ratingSchemeInUse", .ratingScheme, by: uses.items, [("storefront", uses.storefronts)],
            remedy: "Save these items and storefronts with other schemes, then delete the scheme.")
    }
}
