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

    /// The changes as the elements of one JSON array.
    package struct Changes: RandomAccessCollection, Sendable, Equatable {
        /// The array with its brackets.
        fileprivate let text: [UInt8]
        /// The end of each change in the text. A comma or a bracket follows.
        private let ends: [Int]

        fileprivate init(_ text: [UInt8], ends: [Int]) {
            self.text = text
            self.ends = ends
        }

        package var startIndex: Int { 0 }
        package var endIndex: Int { ends.count }

        package subscript(index: Int) -> ArraySlice<UInt8> { text[(index == 0 ? 1 : ends[index - 1] + 1)..<ends[index]] }
    }

    package let changes: Changes
    package let cursor: SyncCursor
    package let head: Int
    package let isHeadComplete: Bool

    package var hasMore: Bool { cursor.version < head }
    /// Whether a client with this page and all earlier ones has exactly one committed state of the scope.
    package var isUpToDate: Bool { !hasMore && isHeadComplete }

    /// Creates a page from the rows after the cursor, in order. If there are more rows than the budget allows, `rows`
    /// has one extra. There are no other rows up to `end`. `write` writes the one value of a row.
    package init(
        _ rows: [SyncRow], upTo end: Int, after start: SyncCursor?, at head: SyncHead, within budget: Budget,
        write: (SyncRow, inout JSONWriter) throws -> Void
    ) throws {
        try self.init(rows, upTo: end, after: start, at: head, within: budget, version: { $0.version }, write: write)
    }

    /// The usual size of a change, for which memory is reserved.
    private static let changeSize = 1_200

    /// Creates a page from any number of rows of any type.
    init<Row>(
        _ rows: some Collection<Row>, upTo end: Int, after start: SyncCursor?, at head: SyncHead, within budget: Budget,
        version versionOf: (Row) -> Int, write: (Row, inout JSONWriter) throws -> Void
    ) throws {
        guard let epoch = head.history.current else { preconditionFailure("a published head has an epoch") }
        // All changes are written into one buffer. One that exceeds the budget is removed from its end.
        var json = JSONWriter(capacity: min(rows.count * Self.changeSize, budget.bytes) + Self.changeSize)
        json.startArray()
        var ends: [Int] = []
        ends.reserveCapacity(min(rows.count, budget.changes))
        var bytes = 0
        var version = end
        var last = start?.version ?? 0
        for row in rows {
            guard ends.count < budget.changes else {
                version = last
                break
            }
            let before = json.bytes.count
            try write(row, &json)
            bytes += json.bytes.count - before - (ends.isEmpty ? 0 : 1)
            guard ends.isEmpty || bytes <= budget.bytes else {
                version = last
                break
            }
            ends.append(json.bytes.count)
            last = versionOf(row)
        }
        json.endArray()
        var text = try json.finish()
        if let end = ends.last { text.removeSubrange(end..<text.count - 1) }
        changes = Changes(text, ends: ends)
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
        var json = JSONWriter(capacity: 256 + changes.text.count)
        json.object { json in
            json.member("cursor", cursor)
            json.member("hasMore", hasMore)
            json.member("upToDate", isUpToDate)
            json.member("version", self.cursor.version)
            json.member("head", head)
            json.member("expiresAfter", lifetime.isoText)
            json.member("changes", rendered: changes.text)
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
    /// Whether the head is a committed state, with no earlier committed transaction left to publish, and no section left to compose.
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
