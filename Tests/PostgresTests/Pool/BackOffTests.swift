import Postgres
import TestSupport
import Testing

@Suite("Back-off")
struct BackOffTests {
    let backOff = BackOff(first: .milliseconds(100), longest: .seconds(2))

    @Test(
        "The pause doubles up to the longest one, and at least half of it is certain",
        arguments: zip([0, 1, 2, 5, 6, 31, Int.max], [100, 100, 200, 1_600, 2_000, 2_000, 2_000]))
    func pauses(failures: Int, milliseconds: Int) {
        var random = SeededRandom(seed: 1)
        let full = Duration.milliseconds(milliseconds)
        for _ in 0..<100 {
            let pause = backOff.pause(afterFailures: failures, random: &random)
            #expect(pause >= full / 2 && pause < full)
        }
    }

    @Test("The pause differs between clients that fail at the same time")
    func jitter() {
        var random = SeededRandom(seed: 2)
        let pauses = Set((0..<100).map { _ in backOff.pause(afterFailures: 3, random: &random) })
        #expect(pauses.count == 100)
    }
}
