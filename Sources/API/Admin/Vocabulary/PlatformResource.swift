internal import Access
internal import CatalogImport
internal import HTTP
internal import HTTPMessages

struct PlatformResource: VocabularyResource {
    static let paths: (list: PathPattern, resource: PathPattern) = ("/admin/v1/platforms", "/admin/v1/platforms/{platform}")
    static let scope = TokenScope.publish
    static let bodyLimit = BodyLimit.bytes(1 << 16)

    private let key: String
    var name: VocabularyName { VocabularyName(.platform, key) }

    init(_ request: AdminRequest) throws(Problem) { key = try request.key(of: .platform) }

    static func list(_ request: AdminRequest) async throws -> Response {
        try await request.vocabularyList("platforms") { try await $0.vocabulary.platforms() }
    }

    func state(in transaction: AdminTransaction, lock: VocabularyStore.Lock?) async throws -> VocabularyState? {
        try await transaction.vocabulary.platform(key, lock: lock).map { try VocabularyState($0) }
    }

    func checkDeletion(in store: VocabularyStore) async throws {
        guard let uses = try await store.uses(ofPlatform: key) else { return }
        let users = [("platform", uses.platforms), ("feed", uses.feeds)]
        guard uses.items.all > 0 || users.contains(where: { !$1.isEmpty }) else { return }
        throw try Problem.inUse(
            "platformInUse", .platform, by: uses.items, users,
            remedy: "Save these items and platforms without it, and publish these feeds without it. Or set its field \"served\" to false.")
    }
}
