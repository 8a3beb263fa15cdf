/// The changes that a client gets at once, and where it goes on.
package struct SyncPage: Sendable, Equatable {
    /// How much is sent at once, whatever is asked for.
    package struct Budget: Sendable {
        package var changes: Int
        package var bytes: Int

        package init(changes: Int = 200, bytes: Int = 256 * 1_024) {
            self.changes = changes
            self.bytes = bytes
        }

        package static let mostChanges = 1_000
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
        _ rows: [SyncRow], upTo end: Int, behind start: SyncCursor?, at head: SyncHead, within budget: Budget,
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
