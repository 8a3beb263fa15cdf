import Values

extension CalendarDay {
    /// The day that a test names.
    static func of(_ text: String) -> CalendarDay {
        guard let day = CalendarDay(text) else { preconditionFailure("\(text) is no day") }
        return day
    }
}
