extension ValueFormat where Value == Duration {
    /// A length of time as one whole number and a unit: `500ms`, `2s`, `1m`, `12h`, `7d`.
    package static var duration: ValueFormat { duration(in: .zero...(.milliseconds(Int64.max))) }

    /// A length of time within both bounds.
    package static func duration(in bounds: ClosedRange<Duration>) -> ValueFormat {
        ValueFormat(
            "DURATION",
            read: { text throws(InvalidValue) in
                guard let duration = parse(text) else { throw InvalidValue(expected: "a duration like 500ms, 2s, 1m, 12h or 7d") }
                guard bounds.contains(duration) else {
                    throw InvalidValue(expected: "a duration from \(spell(bounds.lowerBound)) to \(spell(bounds.upperBound))")
                }
                return duration
            },
            write: spell)
    }

    private static var units: [(name: String, milliseconds: Int64)] {
        [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)]
    }

    private static func parse(_ text: String) -> Duration? {
        let digits = text.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let rest = text.utf8[digits.endIndex...]
        guard let count = Int64(Substring(digits)), let unit = units.first(where: { $0.name.utf8.elementsEqual(rest) }) else { return nil }
        let (milliseconds, overflows) = count.multipliedReportingOverflow(by: unit.milliseconds)
        return overflows ? nil : .milliseconds(milliseconds)
    }

    @Sendable private static func spell(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000)
        let (milliseconds, carries) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        guard !overflows, !carries, milliseconds != 0 else { return duration == .zero ? "0s" : String(describing: duration) }
        let unit = units.first { milliseconds.isMultiple(of: $0.milliseconds) } ?? ("ms", 1)
        return "\(milliseconds / unit.milliseconds)\(unit.name)"
    }
}
