package struct SyncCursor: Sendable, Hashable {
    package let epoch: EpochID
    /// The version up to which all changes were sent.
    package let version: Int
    /// The head when the client began, or 0 after it got there. The client never had entities that were deleted before.
    package let base: Int
    /// The highest head at which pages of the current pass were read, or 0 after the pass.
    package let received: Int
    /// The version of the published storefront in whose form all changes were sent.
    package let storefrontVersion: Int

    package init(epoch: EpochID, version: Int, base: Int = 0, received: Int = 0, storefrontVersion: Int = 0) {
        self.storefrontVersion = storefrontVersion
        self.epoch = epoch
        self.version = version
        self.base = base > version ? base : 0
        self.received = received > version ? received : 0
    }

    /// The version up to which the client needs no tombstones.
    package var settled: Int { max(version, base) }
}

/// The public identifier of an epoch. It is random, so a restored database never issues it again.
package struct EpochID: Sendable, Hashable {
    package let nonce: UInt64

    package init(nonce: UInt64) { self.nonce = nonce }
}

/// The epochs of a database. Each shares its history with the next one up to the start of that one.
package struct EpochHistory: Sendable, Equatable {
    package struct Epoch: Sendable, Equatable {
        package let id: EpochID
        /// The head when the epoch began.
        package let start: Int

        package init(_ id: EpochID, start: Int) {
            self.id = id
            self.start = start
        }
    }

    package enum Validity: Sendable, Equatable {
        case valid
        /// The changes that the cursor has seen after this version may not exist in this history.
        case forked(after: Int)
        /// The epoch is unknown, so nothing that the cursor has seen needs to exist.
        case unknown
    }

    /// The epochs in order. Not empty after the first publication.
    package let epochs: [Epoch]

    package init(_ epochs: [Epoch]) { self.epochs = epochs }

    /// The epoch of new cursors.
    package var current: EpochID? { epochs.last?.id }

    /// Returns whether a cursor belongs to this history.
    ///
    /// An incomplete pass has skipped entities that moved past its cursor, up to the head that it saw. The history up
    /// to that head must be shared as well.
    package func validity(of cursor: SyncCursor, head: Int) -> Validity {
        guard let index = epochs.firstIndex(where: { $0.id == cursor.epoch }) else { return .unknown }
        let end = min(head, index + 1 < epochs.count ? epochs[index + 1].start : head)
        return max(cursor.version, cursor.received) <= end ? .valid : .forked(after: end)
    }
}
