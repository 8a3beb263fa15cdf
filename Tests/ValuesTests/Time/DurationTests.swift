import TestSupport
import Testing
import Values

@Suite("A duration")
struct DurationTests {
    @Test("A duration has the microseconds from which it was made", arguments: Seeds.fixed(1))
    func microseconds(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<1_000 {
            let count = Int.random(in: -7_200_000_000...7_200_000_000, using: &random)
            #expect(Duration.microseconds(count).wholeMicroseconds == count, "seed \(seed)")
        }
    }
}
