package struct SyncCursor: Sendable, Hashable {
    package let epoch: EpochID
    /// Everything up to it was sent.
    package let version: Int
    /// The head when the client began, as long as it has not got there: what was gone by then it never had. Else 0.
    package let base: Int
    /// The highest head that pages of this pass were read at, as long as the pass is not complete. Else 0.
    package let seen: Int

    package init(epoch: EpochID, version: Int, base: Int = 0, seen: Int = 0) {
        self.epoch = epoch
        self.version = version
        self.base = base > version ? base : 0
        self.seen = seen > version ? seen : 0
    }

    /// Up to where it does not matter to the client what else has gone.
    package var settled: Int { max(version, base) }
}

/// What an epoch is known by outside: drawn at random, so that no restored database hands it out again.
package struct EpochID: Sendable, Hashable {
    package let nonce: UInt64

    package init(nonce: UInt64) { self.nonce = nonce }
}

/// The histories of versions that the database went through, each common with the next up to where that starts.
package struct EpochHistory: Sendable, Equatable {
    package struct Epoch: Sendable, Equatable {
        package let id: EpochID
        /// The head when it began.
        package let start: Int

        package init(_ id: EpochID, start: Int) {
            self.id = id
            self.start = start
        }
    }

    package enum Validity: Sendable, Equatable {
        case valid
        /// What the cursor has seen behind this version never was, as far as the database knows.
        case forked(after: Int)
        /// Nobody here knows the epoch, so nothing of what the cursor has seen needs to be.
        case unknown
    }

    /// In order; never empty once anything was published.
    package let epochs: [Epoch]

    package init(_ epochs: [Epoch]) { self.epochs = epochs }

    /// Of whatever is handed out now.
    package var current: EpochID? { epochs.last?.id }

    /// A cursor whose pass is not complete has passed by what had moved behind it, up to the head that it saw: that has to be common as well.
    package func validity(of cursor: SyncCursor, head: Int) -> Validity {
        guard let place = epochs.firstIndex(where: { $0.id == cursor.epoch }) else { return .unknown }
        let end = min(head, place + 1 < epochs.count ? epochs[place + 1].start : head)
        return max(cursor.version, cursor.seen) <= end ? .valid : .forked(after: end)
    }
}
