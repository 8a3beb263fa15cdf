/// The yearly start and end of daylight saving time, in POSIX form: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct DaylightSavingRule {
    private struct Day {
        let month: Int
        /// The week of the month, in which 5 is the last.
        let week: Int
        /// The day of the week, from Sunday.
        let weekday: Int
        /// The seconds after midnight, on the clock before the change.
        let time: Int
    }

    private let standard: Int
    private let summer: (offset: Int, start: Day, end: Day)?

    /// Returns nil if the form is another, such as one that counts days of the year.
    init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        guard Self.skipName(&rest), let west = Self.seconds(&rest) else { return nil }
        standard = -west
        guard !rest.isEmpty else {
            summer = nil
            return
        }
        guard Self.skipName(&rest) else { return nil }
        let offset = rest.first == UInt8(ascii: ",") ? standard + 3_600 : Self.seconds(&rest).map { -$0 }
        guard let offset, let start = Self.day(&rest), let end = Self.day(&rest), rest.isEmpty else { return nil }
        summer = (offset, start, end)
    }

    /// Returns the offset in seconds east at a time in seconds since 1970.
    func offset(at second: Int) -> Int {
        guard let summer else { return standard }
        let year = CivilTime(Timestamp(clamping: (second + standard) * 1_000_000)).year
        let start = Self.second(of: summer.start, in: year) - standard
        let end = Self.second(of: summer.end, in: year) - summer.offset
        let isSummer = start < end ? start <= second && second < end : !(end <= second && second < start)
        return isSummer ? summer.offset : standard
    }

    /// Returns the seconds since 1970 of a clock in UTC.
    private static func second(of day: Day, in year: Int) -> Int {
        func days(_ month: Int) -> Int {
            CivilTime(
                year: month > 12 ? year + 1 : year, month: month > 12 ? 1 : month, day: 1, hour: 0, minute: 0, second: 0, microsecond: 0
            )
            .microseconds / CivilTime.microsecondsPerDay
        }
        let first = days(day.month)
        // 1970 began with a Thursday.
        let ahead = (day.weekday - (first + 4) % 7 + 7) % 7
        var found = first + ahead + (day.week - 1) * 7
        while found >= days(day.month + 1) { found -= 7 }
        return found * 86_400 + day.time
    }

    // MARK: Reading

    private static func skipName(_ rest: inout ArraySlice<UInt8>) -> Bool {
        let isQuoted = rest.first == UInt8(ascii: "<")
        let name = isQuoted ? rest.prefix { $0 != UInt8(ascii: ">") } : rest.prefix { 0x61...0x7A ~= $0 | 0x20 }
        rest = rest.dropFirst(name.count + (isQuoted ? 1 : 0))
        return name.count >= 3
    }

    /// Parses `-1`, `5:30` or `-3:30:15`.
    private static func seconds(_ rest: inout ArraySlice<UInt8>) -> Int? {
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        guard let hours = number(&rest) else { return nil }
        var total = hours * 3_600
        for unit in [60, 1] where rest.first == UInt8(ascii: ":") {
            rest.removeFirst()
            guard let part = number(&rest) else { return nil }
            total += part * unit
        }
        return isNegative ? -total : total
    }

    /// Parses `,M10.5.0/3`.
    private static func day(_ rest: inout ArraySlice<UInt8>) -> Day? {
        guard rest.starts(with: ",M".utf8) else { return nil }
        rest = rest.dropFirst(2)
        guard let month = number(&rest), 1...12 ~= month, skip(".", &rest), let week = number(&rest), 1...5 ~= week, skip(".", &rest),
            let weekday = number(&rest), 0...6 ~= weekday
        else { return nil }
        guard skip("/", &rest) else { return Day(month: month, week: week, weekday: weekday, time: 7_200) }
        return seconds(&rest).map { Day(month: month, week: week, weekday: weekday, time: $0) }
    }

    private static func skip(_ sign: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.first == UInt8(ascii: sign) else { return false }
        rest.removeFirst()
        return true
    }

    private static func number(_ rest: inout ArraySlice<UInt8>) -> Int? {
        let digits = rest.prefix { 0x30...0x39 ~= $0 }
        guard 1...3 ~= digits.count else { return nil }
        rest = rest.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
