/// How often a transaction that met another one is run again, and after what pause.
package struct RetryPolicy: Sendable {
    /// At least 1: the first run counts.
    package let attempts: Int
    /// The pause after the first attempt at most; it doubles with each.
    package let pause: Duration

    /// For a body that must not run twice.
    package static let never = RetryPolicy(attempts: 1, pause: .zero)

    package init(attempts: Int, pause: Duration = .milliseconds(10)) {
        precondition(attempts > 0, "a transaction is attempted at least once")
        self.attempts = attempts
        self.pause = pause
    }

    /// A random part of the longest pause after an attempt, which is a second at most, so that two that met do not meet again.
    func delay(after attempt: Int, using random: inout some RandomNumberGenerator) -> Duration {
        let longest = min(pause * (1 << min(max(attempt - 1, 0), 10)), .seconds(1))
        return longest * Double.random(in: 0...1, using: &random)
    }
}
