extension Duration {
    /// The microseconds, without a part of one. A quotient of durations is a floating-point number, which may be just below the whole one.
    package var wholeMicroseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
    }
}

extension Int {
    /// The quotient rounded down, also below zero; the divisor is positive.
    package func flooredQuotient(by divisor: Int) -> Int {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// The remainder of the floored quotient, which is never below zero; the divisor is positive.
    package func flooredRemainder(by divisor: Int) -> Int {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
