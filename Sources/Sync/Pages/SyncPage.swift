package import Feeds
package import JSON

package struct SyncPage: Sendable, Equatable {
    /// The maximum size of a page, whatever limit the client requests.
    package struct Budget: Sendable {
        package var changes: Int
        package var bytes: Int

        package init(changes: Int = 200, bytes: Int = 256 * 1_024) {
            self.changes = changes
            self.bytes = bytes
        }

        package static let maxChanges = 1_000
    }

    /// The changes as JSON, without the commas between them.
    package let changes: [[UInt8]]
    package let cursor: SyncCursor
    package let head: Int
    package let isHeadComplete: Bool

    package var hasMore: Bool { cursor.version < head }
    /// Whether a client with this page and all earlier ones has exactly one committed state of the scope.
    package var isUpToDate: Bool { !hasMore && isHeadComplete }

    /// Creates a page from the rows after the cursor, in order. If there are more rows than the budget allows, `rows`
    /// has one extra. There are no other rows up to `end`.
    package init(
        _ rows: [SyncRow], upTo end: Int, after start: SyncCursor?, at head: SyncHead, within budget: Budget,
        write: (SyncRow) throws -> [UInt8]
    ) throws {
        try self.init(rows, upTo: end, after: start, at: head, within: budget, version: { $0.version }, write: write)
    }

    /// Creates a page from rows of any type. There may be any number of them.
    init<Row>(
        _ rows: some Sequence<Row>, upTo end: Int, after start: SyncCursor?, at head: SyncHead, within budget: Budget,
        version versionOf: (Row) -> Int, write: (Row) throws -> [UInt8]
    ) rethrows {
        guard let epoch = head.history.current else { preconditionFailure("a published head has an epoch") }
        var changes: [[UInt8]] = []
        var bytes = 0
        var version = end
        var last = start?.version ?? 0
        for row in rows {
            let change = changes.count < budget.changes ? try write(row) : []
            guard changes.count < budget.changes, changes.isEmpty || bytes + change.count <= budget.bytes else {
                version = last
                break
            }
            changes.append(change)
            bytes += change.count
            last = versionOf(row)
        }
        self.changes = changes
        self.head = head.version
        isHeadComplete = head.isComplete
        cursor = SyncCursor(
            epoch: epoch, version: version, base: start?.base ?? head.version,
            received: version < head.version ? max(start?.received ?? 0, head.version) : 0, storefrontVersion: head.storefrontVersion)
    }
}

extension SyncPage {
    /// Returns the response document. `cursor` is the encoded cursor of this page, `lifetime` its minimum lifetime in
    /// days.
    package func document(cursor: String, lifetime: Duration) throws(JSONError) -> [UInt8] {
        var json = JSONWriter(capacity: changes.reduce(256) { $0 + $1.count + 1 })
        json.object { json in
            json.member("cursor", cursor)
            json.member("hasMore", hasMore)
            json.member("upToDate", isUpToDate)
            json.member("version", self.cursor.version)
            json.member("head", head)
            json.member("expiresAfter", lifetime.isoText)
            json.member("changes", each: changes) { json, change in json.rendered(change) }
        }
        return try json.finish()
    }
}

extension Duration {
    /// The duration in ISO 8601, in whole seconds: `P60D`, or `PT129600S` if it is not a number of days.
    package var isoText: String {
        let seconds = components.seconds
        return seconds.isMultiple(of: 86_400) ? "P\(seconds / 86_400)D" : "PT\(seconds)S"
    }
}

package struct SyncHead: Sendable, Equatable {
    package let version: Int
    /// The version up to which tombstones are purged.
    package let floor: Int
    /// Whether the head is a committed state, with no earlier committed transaction left to publish.
    package internal(set) var isComplete = true
    package let history: EpochHistory
    /// The version of the published storefront.
    package internal(set) var storefrontVersion = 0
}

package struct SyncEntry: Sendable, Hashable {
    package let kind: PublishedKind
    package let id: String
    package let version: Int
    /// The version of the document itself. It is lower than the entity's version if the entity joined the scope after
    /// its last change.
    package let ownVersion: Int
    package let hash: String

    package init(kind: PublishedKind, id: String, version: Int, ownVersion: Int? = nil, hash: String) {
        self.kind = kind
        self.id = id
        self.version = version
        self.ownVersion = ownVersion ?? version
        self.hash = hash
    }
}

package struct SyncRow: Sendable, Equatable {
    package let kind: PublishedKind
    package let id: String
    /// The version within the scope: of the last change, or of joining the scope if that is later.
    package let version: Int
    /// The version of the document itself.
    package let ownVersion: Int
    /// The content, or nil if the entity left the scope.
    package let content: Content?

    package struct Content: Sendable, Equatable {
        /// The hash in hexadecimal digits.
        package let hash: String
        package let document: [UInt8]
    }
}
