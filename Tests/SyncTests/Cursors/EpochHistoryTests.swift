import Testing

@testable import Sync

@Suite("The history of epochs")
struct EpochHistoryTests {
    struct Case: Sendable {
        var epoch: UInt64
        var version: Int
        var received = 0
        let expected: EpochHistory.Validity
    }

    /// Epoch 1 starts at the beginning, epoch 2 after the loss of all versions above 90, epoch 3 after a restart at 200. The head is 250.
    private static let history = EpochHistory([
        .init(EpochID(nonce: 1), start: 0), .init(EpochID(nonce: 2), start: 90), .init(EpochID(nonce: 3), start: 200),
    ])

    @Test(
        "A cursor is valid in its epoch and up to the start of the next one, and forked after that",
        arguments: [
            Case(epoch: 1, version: 0, expected: .valid), Case(epoch: 1, version: 90, expected: .valid),
            Case(epoch: 1, version: 91, expected: .forked(after: 90)), Case(epoch: 1, version: 300, expected: .forked(after: 90)),
            Case(epoch: 1, version: 50, received: 90, expected: .valid),
            Case(epoch: 1, version: 50, received: 91, expected: .forked(after: 90)),
            Case(epoch: 2, version: 0, expected: .valid), Case(epoch: 2, version: 200, expected: .valid),
            Case(epoch: 2, version: 201, expected: .forked(after: 200)), Case(epoch: 3, version: 0, expected: .valid),
            Case(epoch: 3, version: 250, expected: .valid), Case(epoch: 3, version: 251, expected: .forked(after: 250)),
            Case(epoch: 3, version: 100, received: 250, expected: .valid), Case(epoch: 4, version: 0, expected: .unknown),
        ])
    func validity(given: Case) {
        let cursor = SyncCursor(epoch: EpochID(nonce: given.epoch), version: given.version, received: given.received)
        #expect(Self.history.validity(of: cursor, head: 250) == given.expected)
    }

    @Test("A cursor ahead of the head is forked, even if the loss has not started an epoch yet")
    func unnoticed() {
        let cursor = SyncCursor(epoch: EpochID(nonce: 1), version: 95)
        #expect(EpochHistory([.init(EpochID(nonce: 1), start: 0)]).validity(of: cursor, head: 90) == .forked(after: 90))
    }

    @Test("The resync of an expired cursor depends on its epoch, its version and the floor")
    func expiry() {
        let head = SyncHead(version: 250, floor: 100, history: Self.history)
        func expiry(_ epoch: UInt64, _ version: Int, base: Int = 0, received: Int = 0, _ scope: SyncScope = .testing()) -> SyncExpiry? {
            SyncExpiry(of: SyncCursor(epoch: EpochID(nonce: epoch), version: version, base: base, received: received), in: scope, at: head)
        }
        let now = EpochID(nonce: 3)
        #expect(expiry(3, 100) == nil && expiry(2, 150) == nil)
        #expect(
            expiry(2, 99)
                == SyncExpiry(
                    .tombstonesPurged, .upsertsThenReconcile, cursor: SyncCursor(epoch: now, version: 99, base: 100, received: 250)))
        // A client that started below the floor never received the purged entities.
        #expect(expiry(2, 10, base: 120, received: 130) == nil)
        #expect(expiry(2, 230) == SyncExpiry(.historyForked, .reconcile, cursor: SyncCursor(epoch: now, version: 200)))
        #expect(expiry(2, 230, .testing("us", ["today"])) == SyncExpiry(.historyForked, .full))
        #expect(expiry(2, 120, received: 230) == SyncExpiry(.historyForked, .full))
        #expect(expiry(9, 230) == SyncExpiry(.historyForked, .full))
        // Tombstones on the way back from the fork are purged, so the client would miss deletions.
        #expect(expiry(1, 95) == SyncExpiry(.historyForked, .full))
        for cursor in [expiry(2, 99)?.cursor, expiry(2, 230)?.cursor].compactMap(\.self) {
            #expect(SyncExpiry(of: cursor, in: .testing(), at: head) == nil)
        }
    }

    @Test("A cursor of another form of the storefront is loaded again, also after a fork that may have lost a change of the form")
    func storefront() {
        func expiry(_ epoch: UInt64, _ version: Int, storefront: Int, of current: Int, floor: Int = 0) -> SyncExpiry? {
            var head = SyncHead(version: 250, floor: floor, history: Self.history)
            head.storefrontVersion = current
            let cursor = SyncCursor(epoch: EpochID(nonce: epoch), version: version, storefrontVersion: storefront)
            return SyncExpiry(of: cursor, in: .testing(), at: head)
        }
        #expect(expiry(3, 240, storefront: 220, of: 220) == nil && expiry(3, 240, storefront: 0, of: 0) == nil)
        let changed = SyncExpiry(.storefrontChanged, .full)
        #expect(expiry(3, 240, storefront: 220, of: 245) == changed && expiry(3, 240, storefront: 0, of: 245) == changed)
        #expect(expiry(2, 150, storefront: 120, of: 210) == changed)
        #expect(changed.version == 0 && changed.cursor == nil)
        // The change is not noticed by digests, so upserts and a repair are not enough.
        #expect(expiry(3, 99, storefront: 0, of: 90, floor: 100) == changed)
        let purged = expiry(3, 99, storefront: 90, of: 90, floor: 100)
        #expect(purged?.recipe == .upsertsThenReconcile && purged?.cursor?.storefrontVersion == 90)
        // The history was lost after 200.
        let repaired = expiry(2, 230, storefront: 120, of: 120)
        #expect(repaired?.recipe == .reconcile && repaired?.cursor?.storefrontVersion == 120)
        for (storefront, current) in [(120, 240), (220, 120), (220, 220), (200, 200)] {
            #expect(expiry(2, 230, storefront: storefront, of: current) == SyncExpiry(.historyForked, .full), "\(storefront)")
        }
    }
}
