extension Duration {
    /// For people: `740 µs`, `12 ms`, `3.4 s`, `2 min 5 s`.
    var rounded: String {
        let microseconds = max(Int64(clamping: Int128(self / .microseconds(1))), 0)
        return switch microseconds {
        case ..<1_000: "\(microseconds) µs"
        case ..<1_000_000: "\(microseconds / 1_000) ms"
        case ..<60_000_000: "\(microseconds / 1_000_000).\(microseconds / 100_000 % 10) s"
        default: "\(microseconds / 60_000_000) min \(microseconds / 1_000_000 % 60) s"
        }
    }
}
