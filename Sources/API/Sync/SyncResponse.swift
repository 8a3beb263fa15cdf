internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import Sync

/// A document of sync, ready to be sent to all who ask for it.
final class SyncResponse: Sendable {
    /// What a page is beside its document; nil of other answers.
    struct Place: Sendable {
        let cursor: SyncCursor
        let text: String
        let head: PublishedHead
        let hasMore: Bool
        let isEmpty: Bool

        /// Whether a client that has this page and those before it has exactly one committed state.
        var isUpToDate: Bool { !hasMore && head.isComplete }
    }

    let document: [UInt8]
    let place: Place?
    let representation: Representation
    private let tag: String

    /// `lifetime` is in seconds; nil if it is kept by no cache. The sender adds the `vary`.
    init(_ document: [UInt8], tag: String, lifetime: Int?, place: Place? = nil) {
        self.document = document
        self.place = place
        self.tag = tag
        let control = ResponseField(.cacheControl, lifetime.map { "public, max-age=\($0)" } ?? "no-store")
        representation = Representation(
            document, type: "application/json", version: tag, fields: [control], vary: nil, effort: .quick)
    }

    /// The same for one who has waited in vain: a cache that answered the next of them at once would have all of them ask without a pause.
    var forOneWhoWaited: SyncResponse { SyncResponse(document, tag: tag, lifetime: nil, place: place) }

    /// Whether a client that had the other page learns by this one that it has one committed state.
    func completes(_ earlier: Place) -> Bool {
        guard let place else { return false }
        return place.isUpToDate && !earlier.isUpToDate
    }
}
