extension Duration {
    /// Three to six digits and a unit: `850µs`, `12.5ms`, `2.041s`.
    var short: String {
        let (seconds, attoseconds) = components
        let sum = Double(seconds) * 1e6 + Double(attoseconds) / 1e12
        let microseconds = sum.magnitude
        let (number, unit) =
            if microseconds < 1_000 { (sum, "µs") } else if microseconds < 1e6 { (sum / 1e3, "ms") } else { (sum / 1e6, "s") }
        let rounded = (number * 1_000).rounded() / 1_000
        return (Int(exactly: rounded).map(String.init) ?? String(rounded)) + unit
    }
}
