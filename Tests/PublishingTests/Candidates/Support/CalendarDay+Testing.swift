import Values

extension CalendarDay {
    /// Returns the day with the given ISO 8601 date.
    static func of(_ text: String) -> CalendarDay {
        guard let day = CalendarDay(text) else { preconditionFailure("\(text) is no day") }
        return day
    }
}
