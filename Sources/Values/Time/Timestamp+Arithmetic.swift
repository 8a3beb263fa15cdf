extension Timestamp {
    /// The moment that much later, or earlier for a negative duration; stops at the first and the last one that can be told.
    ///
    /// Parts of a microsecond are dropped.
    package func advanced(by duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        let (whole, isTooFar) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (span, spanOverflows) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        let (sum, sumOverflows) = microseconds.addingReportingOverflow(span)
        guard !isTooFar, !spanOverflows, !sumOverflows else { return seconds < 0 ? .earliest : .latest }
        return Timestamp(clamping: sum)
    }

    /// How long it is until another moment; negative where that one lies before.
    package func duration(to other: Timestamp) -> Duration {
        .microseconds(other.microseconds - microseconds)
    }
}
