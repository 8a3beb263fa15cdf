/// The reason why a cursor is no longer valid, and how its client resyncs.
package struct SyncExpiry: Error, Sendable, Equatable {
    package enum Reason: String, Sendable {
        case tombstonesPurged
        case historyForked
        case schemaChanged
        /// The storefront shows its documents in another form, for example with the labels of another rating scheme.
        case storefrontChanged
        case keyRetired
    }

    package enum ResyncKind: String, Sendable {
        /// The client gets all changes after the version, then finds its superfluous entities by digests.
        case upsertsThenReconcile
        /// The client finds differences by digests, because entities that it has may differ from this history.
        case reconcile
        /// The client loads everything again next to its local copy, and sweeps the copy at the end.
        case full
    }

    package let reason: Reason
    package let recipe: ResyncKind
    /// The cursor to continue from. Nil means the beginning.
    package let cursor: SyncCursor?

    package init(_ reason: Reason, _ recipe: ResyncKind, cursor: SyncCursor? = nil) {
        self.reason = reason
        self.recipe = recipe
        self.cursor = cursor
    }

    /// The version to which the client lowers all higher stored versions. It also forgets tombstones above it.
    ///
    /// Versions of another history would otherwise block new changes of this one. Nil if everything that the client has
    /// is from this history.
    package var version: Int? {
        switch recipe {
        case .upsertsThenReconcile: nil
        case .reconcile: cursor?.version
        case .full: 0
        }
    }

    /// Returns nil if the cursor is valid.
    package init?(of cursor: SyncCursor, in scope: SyncScope, at head: SyncHead) {
        guard let epoch = head.history.current else { return nil }
        switch head.history.validity(of: cursor, head: head.version) {
        case .unknown: self.init(.historyForked, .full)
        case .forked(let end):
            // It is unknown which changes an incomplete pass has skipped. A scope of feeds is small, so it is loaded
            // again. Digests do not show the form of a storefront, and one that was lost can have the same version.
            let isRepaired =
                cursor.received == 0 && scope.content == .catalog && end >= head.floor
                && cursor.storefrontVersion == head.storefrontVersion && head.storefrontVersion < end
            let repair = SyncCursor(epoch: epoch, version: end, storefrontVersion: head.storefrontVersion)
            self.init(.historyForked, isRepaired ? .reconcile : .full, cursor: isRepaired ? repair : nil)
        case .valid where cursor.storefrontVersion != head.storefrontVersion: self.init(.storefrontChanged, .full)
        case .valid:
            guard cursor.settled < head.floor else { return nil }
            // No tombstone after the floor is missing. Entities published in between have a higher version than the
            // cursor.
            self.init(
                .tombstonesPurged, .upsertsThenReconcile,
                cursor: SyncCursor(
                    epoch: epoch, version: cursor.version, base: max(cursor.base, head.floor), received: max(cursor.received, head.version),
                    storefrontVersion: head.storefrontVersion))
        }
    }
}
