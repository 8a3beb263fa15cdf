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
    private let tag: String

    /// `lifetime` is in seconds; nil if the response must not be cached. The sender adds the `vary`.
    init(_ document: [UInt8], tag: String, lifetime: Int?, position: Position? = nil) {
        self.document = document
        self.position = position
        self.tag = tag
        let control = ResponseField(.cacheControl, lifetime.map { "public, max-age=\($0)" } ?? "no-store")
        representation = Representation(
            document, type: "application/json", version: tag, fields: [control], vary: nil, effort: .quick)
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
