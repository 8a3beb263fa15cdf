package import Values

/// Days of release: from one on, before another, or both; the first lies before the second.
package enum ReleaseSpan: Sendable, Hashable {
    case from(CalendarDay)
    case before(CalendarDay)
    case within(Range<CalendarDay>)
}
