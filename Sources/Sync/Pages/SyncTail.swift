package import Feeds
internal import Items
internal import JSON

/// The last changes of a scope up to a head, ready to be sent.
///
/// It answers cursors from its start on, as the database would at its head. Entities have one version in a scope, so
/// the changes after a cursor are the last of the changes after an earlier one. A tail does not answer a cursor for
/// which this is not certain. Its size is bounded by the limits of a page: no page of it ends before the head because
/// of what the database would have to read.
package struct SyncTail: Sendable {
    private struct Entity: Hashable {
        let kind: PublishedKind
        let id: String

        init(_ row: SyncRow) { (kind, id) = (row.kind, row.id) }
    }

    private struct Change {
        let entity: Entity
        let version: Int
        /// The largest size that the database may count for the change.
        let storedBytes: Int
        let bytes: [UInt8]

        init(_ row: SyncRow, _ bytes: ArraySlice<UInt8>) {
            (entity, version) = (Entity(row), row.version)
            // An array of a whole slice would keep the spare capacity of its writer.
            self.bytes = bytes.withUnsafeBufferPointer { Array($0) }
            storedBytes = SyncReader.maxStoredBytes(of: row)
        }
    }

    /// The size of a tail without its changes, most of which is the storefront, and of a change without its bytes.
    private static let overhead = (tail: 4_000, change: 200)

    /// The budget with which all pages are read, except for their number of changes.
    private static let budget = SyncPage.Budget()

    package private(set) var head: SyncHead
    /// The version after which the tail has all changes.
    package private(set) var start: Int
    /// The cursor after which a reading continues the tail.
    package private(set) var end: SyncCursor
    private let storefront: Storefront
    private let limits: SyncReader.Limits
    private var changes: [Change]
    /// The approximate size in memory, in bytes.
    package private(set) var bytes = 0

    /// Creates a tail from a page and the rows that it was made from. Returns nil if these do not reach the head, or if
    /// tombstones were omitted for a first load.
    package init?(_ page: SyncPage, of reading: SyncReader.Reading, after cursor: SyncCursor, limits: SyncReader.Limits = .init()) {
        guard let storefront = reading.storefront, cursor.base == 0, !page.hasMore, page.changes.count == reading.rows.count else {
            return nil
        }
        self.storefront = storefront
        self.limits = limits
        (head, start, end) = (reading.head, cursor.version, page.cursor)
        changes = zip(reading.rows, page.changes).map { Change($0, $1) }
        trim()
    }

    package var count: Int { changes.count }

    package var publishedHead: PublishedHead { PublishedHead(head) }

    /// Whether the tail can answer a cursor, at its head or once it is extended.
    package func starts(before cursor: SyncCursor) -> Bool { cursor.base == 0 && cursor.version >= start }

    /// Returns the page after a cursor; nil if only the database knows it.
    package func page(after cursor: SyncCursor, in scope: SyncScope, within budget: SyncPage.Budget) throws -> SyncPage? {
        guard starts(before: cursor), budget.bytes >= Self.budget.bytes, SyncExpiry(of: cursor, in: scope, at: head) == nil else {
            return nil
        }
        return try SyncPage(
            changes.drop { $0.version <= cursor.version }, upTo: head.version, after: cursor, at: head, within: budget,
            version: { $0.version }, write: { $1.rendered($0.bytes) })
    }

    /// Returns the tail up to the head of a reading that was made after the end of this one. Returns nil if the reading
    /// does not reach its head, or if it belongs to another history or another form of the storefront.
    package func extended(
        by reading: SyncReader.Reading, within budget: SyncPage.Budget, write: (SyncRow) throws -> [UInt8]
    ) rethrows -> SyncTail? {
        guard reading.end == reading.head.version, reading.rows.count <= budget.changes, reading.head.version >= head.version,
            reading.head.history == head.history, reading.head.storefrontVersion == head.storefrontVersion,
            reading.storefront == storefront
        else { return nil }
        var tail = self
        tail.head = reading.head
        tail.end = SyncCursor(epoch: end.epoch, version: reading.head.version, storefrontVersion: end.storefrontVersion)
        let renewed = Set(reading.rows.map { Entity($0) })
        if !renewed.isEmpty { tail.changes.removeAll { renewed.contains($0.entity) } }
        for row in reading.rows { tail.changes.append(Change(row, try write(row)[...])) }
        tail.trim()
        return tail
    }

    /// Removes the first changes until the rest is within the limits of the reader. The database counts rows of other
    /// scopes as well, but has at most one for each version.
    private mutating func trim() {
        start = max(start, head.version - limits.passedRows + 1)
        let maxStored = SyncReader.storedBytes(of: Self.budget)
        var stored = 0
        var first = changes.count
        while first > 0, changes[first - 1].version > start, stored + changes[first - 1].storedBytes < maxStored {
            first -= 1
            stored += changes[first].storedBytes
        }
        if first > 0 { start = max(start, changes[first - 1].version) }
        changes.removeFirst(first)
        bytes = changes.reduce(Self.overhead.tail) { $0 + $1.bytes.capacity + Self.overhead.change }
    }
}

extension PublishedHead {
    package init(_ head: SyncHead) {
        self.init(
            epoch: head.history.current.map { Int(truncatingIfNeeded: $0.nonce) }, version: head.version, isComplete: head.isComplete)
    }
}
