/// How many connections a pool keeps, for how long, and how many may wait for them.
package struct PoolLimits: Sendable, Equatable {
    /// Kept open also while nobody asks.
    package let minimum: Int
    /// Never exceeded, not even by a connection that is only just opening or still closing.
    package let maximum: Int
    /// Unused for this long, a connection above the minimum is closed.
    package var idleTime = Duration.seconds(60)
    /// At this age a connection is closed as soon as it is not leased.
    package var lifeTime = Duration.seconds(1_800)
    /// The part of the life time, from 0 to 1, that chance may take off, so that connections opened together do not end together.
    package var lifeTimeJitter = 0.2
    /// With this many waiting, the next is turned away at once.
    package var maxWaiting = 1_000
    /// An attempt to connect that takes longer has failed, however many addresses the server has.
    package var attemptTime = Duration.seconds(8)
    /// A connection that takes longer to tell whether it can be used again is closed.
    package var checkTime = Duration.seconds(2)
    package var backOff = BackOff(first: .milliseconds(100), longest: .seconds(2))

    package init(minimum: Int, maximum: Int) {
        precondition(minimum >= 0 && maximum >= max(minimum, 1), "a pool has 0 ≤ minimum ≤ maximum and room for a connection")
        self.minimum = minimum
        self.maximum = maximum
    }
}

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
