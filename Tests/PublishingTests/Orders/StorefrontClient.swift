import Feeds
import JSON
import Postgres
import Security
import Sync
import Values

/// A client that keeps a copy of the feeds of a storefront by pages of changes, each after the cursor of the one before.
struct StorefrontClient {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let maxPages = 1_000

    private let scope: SyncScope
    private let codec: CursorCodec
    /// The cursor as the client receives and sends it.
    private var cursor: String?
    /// The hash of each entity by its kind and ID.
    private var copy: [String: String] = [:]

    init(of storefront: String) throws {
        scope = SyncScope(storefront: storefront, feeds: OrderHistory.feeds, hasLists: true, locale: .english)
        guard let key = HMACKey(Array(0..<32)) else { throw Failure(description: "32 bytes are not enough for a key") }
        codec = CursorCodec([CursorCodec.Key(id: 1) { key.code(of: $0) }], areEqual: { HMACKey.areEqual($0, $1) })
    }

    /// The lines of the copy: kind, ID and hash.
    var content: Set<String> { Set(copy.map { "\($0.key) \($0.value)" }) }

    /// Reads pages until the copy is complete. Returns the feeds with changes, or nil if a change of the storefront has ended the cursor,
    /// so that the client has loaded everything again.
    mutating func update(_ session: PostgresSession, limit: Int) async throws -> Set<String>? {
        var changed: Set<String>? = []
        let (reader, budget) = (SyncReader(session), SyncPage.Budget(changes: limit))
        for _ in 0..<Self.maxPages {
            let start = try cursor.map { try codec.cursor(of: $0, in: scope) }
            let reading = try await reader.read(scope, after: start, within: budget)
            if let start, let expiry = SyncExpiry(of: start, in: scope, at: reading.head) {
                guard expiry.reason == .storefrontChanged else { throw Failure(description: "the cursor has ended: \(expiry.reason)") }
                (cursor, copy, changed) = (nil, [:], nil)
                continue
            }
            let page = try SyncPage(reading.rows, upTo: reading.end, after: start, at: reading.head, within: budget) { $1.null() }
            for row in reading.rows.prefix(page.changes.count) {
                copy["\(row.kind.rawValue) \(row.id)"] = row.content?.hash
                switch row.kind {
                case .feed, .section, .placement, .list, .entry: changed?.insert(String(row.id.prefix { $0 != "/" }))
                case .layout, .item, .membership: continue
                }
            }
            cursor = codec.text(of: page.cursor, in: scope)
            if page.isUpToDate { return changed }
        }
        throw Failure(description: "the changes do not end")
    }
}
