/// A time as Gregorian calendar and clock fields in UTC.
struct CivilTime: Equatable {
    var year: Int
    var month: Int
    var day: Int
    var hour: Int
    var minute: Int
    var second: Int
    var microsecond: Int

    static let microsecondsPerDay = 86_400_000_000

    init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, microsecond: Int) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.microsecond = microsecond
    }

    init(_ timestamp: Timestamp) {
        let total = Int(timestamp.microseconds)
        let days = total.flooredQuotient(by: Self.microsecondsPerDay)
        let time = total - days * Self.microsecondsPerDay
        // Days are counted from 1 March of year 0, so that a leap day ends its year: Hinnant, "chrono-compatible
        // low-level date algorithms".
        let shifted = days + 719_468
        let era = shifted.flooredQuotient(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        hour = time / 3_600_000_000
        minute = time / 60_000_000 % 60
        second = time / 1_000_000 % 60
        microsecond = time % 1_000_000
    }

    /// Whether the date and the time exist. There is no second 60.
    var exists: Bool {
        (1...9_999).contains(year) && (1...12).contains(month) && (1...daysInMonth).contains(day) && (0...23).contains(hour)
            && (0...59).contains(minute) && (0...59).contains(second) && (0...999_999).contains(microsecond)
    }

    /// Microseconds since 1970. Valid only if the time exists.
    var microseconds: Int {
        let yearFromMarch = month <= 2 ? year - 1 : year
        let era = yearFromMarch.flooredQuotient(by: 400)
        let yearOfEra = yearFromMarch - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        return days * Self.microsecondsPerDay + ((hour * 60 + minute) * 60 + second) * 1_000_000 + microsecond
    }

    private var daysInMonth: Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
