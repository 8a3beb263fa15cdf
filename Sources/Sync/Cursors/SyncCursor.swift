/// Up to where a client has got.
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
