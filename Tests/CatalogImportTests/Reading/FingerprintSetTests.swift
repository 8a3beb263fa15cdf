import TestSupport
import Testing

@testable import CatalogImport

@Suite("The fingerprint set") struct FingerprintSetTests {
    @Test("A growing set keeps each fingerprint once", arguments: [3, 4, 6, 7, 100], Seeds.fixed(1))
    func growth(count: Int, seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var settings = DrawnSettings(seed: seed)
        var fingerprints = FingerprintSet(slots: settings.draw("slots", default: 4, or: [8, 64]))
        // The lowest bit is ignored.
        var all: Set<UInt64> = []
        while all.count < count { all.insert(UInt64.random(in: .min ... .max, using: &random) | 1) }
        let new = all.filter { fingerprints.insert($0) }
        #expect(new == all, "\(settings)")
        #expect(all.allSatisfy(fingerprints.contains), "\(settings)")
        let again = all.filter { fingerprints.insert($0) }
        #expect(again.isEmpty, "\(settings)")
        #expect(!fingerprints.contains(all.reduce(2) { $0 ^ $1 } &+ 0x1234_5678), "\(settings)")
    }

    @Test("Fingerprints with the same slot are distinct")
    func collisions() {
        var fingerprints = FingerprintSet(slots: 16)
        let numbers = (UInt64(1)...9).map { $0 << 32 }
        let new = numbers.filter { fingerprints.insert($0) }
        let again = numbers.filter { fingerprints.insert($0) }
        #expect(new == numbers && again.isEmpty)
        #expect(!fingerprints.contains(10 << 32))
    }
}
