extension Int {
    /// The quotient rounded down, also below zero; the divisor is positive.
    package func flooredQuotient(by divisor: Int) -> Int {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// What the floored quotient leaves: never below zero; the divisor is positive.
    package func flooredRemainder(by divisor: Int) -> Int { self - flooredQuotient(by: divisor) * divisor }
}
