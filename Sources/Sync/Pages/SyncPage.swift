package import Feeds
package import JSON

package struct SyncPage: Sendable, Equatable {
    /// How much is sent at once, whatever is asked for.
    package struct Budget: Sendable {
        package var changes: Int
        package var bytes: Int

        package init(changes: Int = 200, bytes: Int = 256 * 1_024) {
            self.changes = changes
            self.bytes = bytes
        }

        package static let maxChanges = 1_000
    }

    /// As they are sent, with the comma between them left out.
    package let changes: [[UInt8]]
    package let cursor: SyncCursor
    package let head: Int
    private let isHeadComplete: Bool

    package var hasMore: Bool { cursor.version < head }
    /// Whether whoever has this page and those before it has exactly one committed state of the scope.
    package var isUpToDate: Bool { !hasMore && isHeadComplete }

    /// `rows` are those behind the cursor in order, one more than the budget has where there are so many; up to `end` there are no others.
    package init(
        _ rows: [SyncRow], upTo end: Int, after start: SyncCursor?, at head: SyncHead, within budget: Budget,
        write: (SyncRow) throws -> [UInt8]
    ) throws {
        guard let epoch = head.history.current else { preconditionFailure("nothing is published without an epoch") }
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
            last = row.version
        }
        self.changes = changes
        self.head = head.version
        isHeadComplete = head.isComplete
        cursor = SyncCursor(
            epoch: epoch, version: version, base: start?.base ?? head.version,
            seen: version < head.version ? max(start?.seen ?? 0, head.version) : 0)
    }
}

extension SyncPage {
    /// Returns the document of a response. `cursor` is the signed text of the page's cursor, which is valid for at least `lifetime`.
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
    /// Up to which it was forgotten what has gone.
    package let floor: Int
    /// Whether all of it is of one committed state: nothing waits to be published that was committed before.
    package internal(set) var isComplete = true
    package let history: EpochHistory
}

package struct SyncEntry: Sendable, Hashable {
    package let kind: PublishedKind
    package let id: String
    package let version: Int
    /// Of its document alone: lower than that of the entity where its membership came later.
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
    /// In the scope: where it came in later than it changed, that of its coming.
    package let version: Int
    /// Of the document itself.
    package let ownVersion: Int
    /// Nil of what is gone from the scope.
    package let content: Content?

    package struct Content: Sendable, Equatable {
        /// In hexadecimal digits.
        package let hash: String
        package let document: [UInt8]
    }
}
