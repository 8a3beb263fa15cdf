extension Duration {
    /// The microseconds, without a part of one. A quotient of durations is a floating-point number, which may be just below the whole one.
    package var wholeMicroseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
    }
}
