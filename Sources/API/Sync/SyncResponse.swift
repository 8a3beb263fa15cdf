internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import Sync

/// A sync document that is ready to be sent to all clients that request it.
final class SyncResponse: Sendable {
    /// The position of a page in the changes; nil if the response is not a page.
    struct Position: Sendable {
        let cursor: SyncCursor
        let text: String
        let head: PublishedHead
        let hasMore: Bool
        let isEmpty: Bool

        /// Whether a client that has this page and those before it has exactly one committed state.
        var isUpToDate: Bool { !hasMore && head.isComplete }
    }

    let document: [UInt8]
    let position: Position?
    let representation: Representation
    /// The path of the next page of a list; nil if the response is the last page or not a list.
    let next: String?
    /// The number of seconds for which caches may keep the response; nil if they must not.
    private let lifetime: Int?
    private let tag: String
    /// The cache fields of the responses to URLs with a locale, which most clients request.
    private let publicCacheFields: [ResponseField]

    /// Creates a response. The representation has no `Cache-Control` and no `Vary`: see `cacheFields(in:)`.
    init(_ document: [UInt8], tag: String, lifetime: Int?, position: Position? = nil, next: String? = nil) {
        self.document = document
        self.next = next
        self.position = position
        self.lifetime = lifetime
        self.tag = tag
        publicCacheFields = Self.cacheFields(in: .public, lifetime)
        representation = Representation(document, type: "application/json", version: tag, vary: nil, effort: .quick)
    }

    /// Returns the fields that tell caches of a scope whether they may store the response.
    func cacheFields(in scope: CacheScope) -> [ResponseField] {
        scope == .public ? publicCacheFields : Self.cacheFields(in: scope, lifetime)
    }

    private static func cacheFields(in scope: CacheScope, _ lifetime: Int?) -> [ResponseField] {
        [lifetime.map { scope.cacheControl(fresh: $0) } ?? ResponseField(.cacheControl, "no-store"), scope.vary]
    }

    /// The same response without a lifetime, for a client that waited without a change. If a cache served it to the
    /// next request, the client would poll without a pause.
    var forOneWhoWaited: SyncResponse { SyncResponse(document, tag: tag, lifetime: nil, position: position) }

    /// Returns whether this page confirms to a client with the earlier page that it has one committed state.
    func completes(_ previous: Position) -> Bool {
        guard let position else { return false }
        return position.isUpToDate && !previous.isUpToDate
    }
}
