/// A scanner of the parts of an RFC 3339 text. Each method returns nil if the text does not continue with its part.
struct TimestampScanner {
    /// The length of `2026-03-01T09:30:00.123456789+00:00`.
    static let longestText = 35

    private var rest: String.UTF8View.Iterator
    private var next: UInt8?

    init(_ text: String) {
        rest = text.utf8.makeIterator()
        next = rest.next()
    }

    var isAtEnd: Bool { next == nil }

    /// Returns the midnight of a day that exists.
    mutating func scanDate() -> CivilTime? {
        guard let year = scanNumber(4), skip("-"), let month = scanNumber(2), skip("-"), let day = scanNumber(2) else { return nil }
        let midnight = CivilTime(year: year, month: month, day: day, hour: 0, minute: 0, second: 0, microsecond: 0)
        return midnight.exists ? midnight : nil
    }

    /// Returns a date and time that exist.
    mutating func scanDateAndTime() -> CivilTime? {
        guard var time = scanDate(), skip("T") || skip("t"),
            let hour = scanNumber(2), skip(":"), let minute = scanNumber(2), skip(":"), let second = scanNumber(2),
            let microsecond = scanFraction()
        else { return nil }
        (time.hour, time.minute, time.second, time.microsecond) = (hour, minute, second, microsecond)
        return time.exists ? time : nil
    }

    /// Returns the offset in minutes east of UTC.
    mutating func scanOffset() -> Int? {
        if skip("Z") || skip("z") { return 0 }
        let isWest = skip("-")
        guard isWest || skip("+"), let hours = scanNumber(2), skip(":"), let minutes = scanNumber(2), hours < 24, minutes < 60 else {
            return nil
        }
        return (hours * 60 + minutes) * (isWest ? -1 : 1)
    }

    private mutating func scanFraction() -> Int? {
        guard skip(".") else { return 0 }
        var microseconds = 0
        var unit = 100_000
        var digits = 0
        while let digit = scanNumber(1) {
            microseconds += digit * unit
            unit /= 10
            digits += 1
        }
        return (1...9).contains(digits) ? microseconds : nil
    }

    private mutating func scanNumber(_ count: Int) -> Int? {
        var number = 0
        for _ in 0..<count {
            guard let digit = next, digit.isDigit else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
            next = rest.next()
        }
        return number
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        next = rest.next()
        return true
    }
}
