/// Pauses between attempts: each up to twice the one before, until the longest.
package struct BackOff: Sendable, Equatable {
    package let first: Duration
    package let longest: Duration

    package init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = longest
    }

    /// The pause after so many failures in a row. Half of it is certain and chance decides on the other, so that many who failed together
    /// do not return together.
    package func pause(afterFailures failures: Int, random: inout some RandomNumberGenerator) -> Duration {
        let doublings = min(max(failures - 1, 0), 30)
        let pause = min(first * (1 << doublings), longest)
        return pause / 2 + pause / 2 * Double.random(in: 0..<1, using: &random)
    }
}
