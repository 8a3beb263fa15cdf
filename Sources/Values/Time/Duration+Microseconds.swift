extension Duration {
    /// The whole microseconds, truncated. A quotient of durations is a floating-point number, which may be just below
    /// the whole one.
    package var wholeMicroseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
    }
}

extension Int {
    /// Returns the quotient rounded down, also for negative numbers. The divisor must be positive.
    package func flooredQuotient(by divisor: Int) -> Int {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// Returns the remainder of the floored quotient, which is never negative. The divisor must be positive.
    package func flooredRemainder(by divisor: Int) -> Int {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
