/// The limits of a pool: the number and lifetime of its connections, and the number of waiters.
package struct PoolLimits: Sendable, Equatable {
    /// The number of connections that stay open without demand.
    package let minimum: Int
    /// The limit of all connections, including those that are opening or closing.
    package let maximum: Int
    /// The idle time after which a connection above the minimum is closed.
    package var idleTime = Duration.seconds(60)
    /// The age at which a connection is closed as soon as it is not leased.
    package var lifeTime = Duration.seconds(1_800)
    /// The random fraction of the lifetime, from 0 to 1, by which it is shortened. It prevents connections opened
    /// together from closing together.
    package var lifeTimeJitter = 0.2
    /// The maximum number of waiters. Further requests fail immediately.
    package var maxWaiting = 1_000
    /// The time limit of an attempt to connect, over all addresses of the server.
    package var attemptTime = Duration.seconds(8)
    /// The time limit of a check, after which the connection is closed.
    package var checkTime = Duration.seconds(2)
    package var backOff = BackOff(first: .milliseconds(100), longest: .seconds(2))

    package init(minimum: Int, maximum: Int) {
        precondition(minimum >= 0 && maximum >= max(minimum, 1), "expected 0 ≤ minimum ≤ maximum and a maximum of at least 1")
        self.minimum = minimum
        self.maximum = maximum
    }
}

/// A backoff in which each pause is up to twice the previous one, up to a maximum.
package struct BackOff: Sendable, Equatable {
    package let first: Duration
    package let longest: Duration

    package init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = longest
    }

    /// Returns the pause after a number of consecutive failures. Half of it is fixed and the other half random, so that
    /// clients that failed together do not retry together.
    package func pause(afterFailures failures: Int, random: inout some RandomNumberGenerator) -> Duration {
        let doublings = min(max(failures - 1, 0), 30)
        let pause = min(first * (1 << doublings), longest)
        return pause / 2 + pause / 2 * Double.random(in: 0..<1, using: &random)
    }
}
