internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import Host
internal import Sync

/// A document of sync, ready to be sent to all who ask for it.
final class SyncAnswer: Sendable {
    /// What a page is beside its document; nil of other answers.
    struct Place: Sendable {
        let cursor: SyncCursor
        let text: String
        let head: PublishedHead
        let hasMore: Bool
        let isEmpty: Bool
    }

    let document: [UInt8]
    let place: Place?
    private let tag: String
    /// In seconds; nil where it is kept by nobody.
    private let lifetime: Int?
    private let plain: Representation
    private let compressed = Locked<Representation?>(nil)

    init(_ document: [UInt8], tag: String, lifetime: Int?, place: Place? = nil) {
        self.document = document
        self.place = place
        self.tag = tag
        self.lifetime = lifetime
        plain = Representation(document, type: "application/json", version: tag, fields: Self.fields(lifetime), effort: nil)
    }

    private static func fields(_ lifetime: Int?) -> [ResponseField] {
        [ResponseField(.cacheControl, lifetime.map { "public, max-age=\($0)" } ?? "no-store")]
    }

    /// The same for one who has waited in vain: a cache that answered the next of them at once would have all of them ask without a pause.
    var forOneWhoWaited: SyncAnswer { SyncAnswer(document, tag: tag, lifetime: nil, place: place) }

    /// Compressed for the first who likes that.
    func response(to head: RequestHead) -> Response {
        guard AcceptedCodings(head.fields).preferred(among: { _ in true }) != .identity else { return plain.response(to: head) }
        if let made = compressed.withLock({ $0 }) { return made.response(to: head) }
        let made = Representation(document, type: "application/json", version: tag, fields: Self.fields(lifetime), effort: .quick)
        compressed.withLock { $0 = made }
        return made.response(to: head)
    }
}
