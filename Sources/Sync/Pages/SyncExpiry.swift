/// Why a cursor is of no use any more, and where its client goes on.
package struct SyncExpiry: Error, Sendable, Equatable {
    package enum Reason: String, Sendable {
        case tombstonesPurged
        case historyForked
        case schemaChanged
        case keyRetired
    }

    package enum ResyncKind: String, Sendable {
        /// What was put behind the version is sent as ever; then what the client has too much is found out by digests.
        case upsertsThenReconcile
        /// What the client has may be another than it should be: found out by digests as well.
        case reconcile
        /// From the beginning, beside what is there, which is swept at the end.
        case full
    }

    package let reason: Reason
    package let recipe: ResyncKind
    /// Where to go on from; nil for the beginning.
    package let cursor: SyncCursor?

    package init(_ reason: Reason, _ recipe: ResyncKind, cursor: SyncCursor? = nil) {
        self.reason = reason
        self.recipe = recipe
        self.cursor = cursor
    }

    /// What the client has stored with a higher version counts as of this one from now on, and what it knows to have gone behind it is forgotten: the
    /// versions of another history would keep out what is new in this one. Nil where all that it has is of this one.
    package var version: Int? {
        switch recipe {
        case .upsertsThenReconcile: nil
        case .reconcile: cursor?.version
        case .full: 0
        }
    }

    /// Nil of a cursor that is good.
    package init?(of cursor: SyncCursor, in scope: SyncScope, at head: SyncHead) {
        guard let epoch = head.history.current else { return nil }
        switch head.history.validity(of: cursor, head: head.version) {
        case .unknown: self.init(.historyForked, .full)
        case .forked(let end):
            // Within a pass nobody knows what it has passed by. The parts of feeds are few, and hang together.
            let isRepaired = cursor.seen == 0 && scope.content == .catalog && end >= head.floor
            self.init(
                .historyForked, isRepaired ? .reconcile : .full, cursor: isRepaired ? SyncCursor(epoch: epoch, version: end) : nil)
        case .valid:
            guard cursor.settled < head.floor else { return nil }
            // From the floor on nothing is missing; what was put between is behind the version of the cursor.
            self.init(
                .tombstonesPurged, .upsertsThenReconcile,
                cursor: SyncCursor(epoch: epoch, version: cursor.version, base: max(cursor.base, head.floor), seen: cursor.seen))
        }
    }
}
