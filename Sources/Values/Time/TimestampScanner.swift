/// Takes the parts of an RFC 3339 text from its front, each nil where the text has something else there.
struct TimestampScanner {
    /// `2026-03-01T09:30:00.123456789+00:00`
    static let longestText = 35

    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = text[...].utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// A day and time that exist.
    mutating func scanDateAndTime() -> CivilTime? {
        guard let year = scanNumber(4), skip("-"), let month = scanNumber(2), skip("-"), let day = scanNumber(2),
            skip("T") || skip("t"),
            let hour = scanNumber(2), skip(":"), let minute = scanNumber(2), skip(":"), let second = scanNumber(2),
            let microsecond = scanFraction()
        else { return nil }
        let time = CivilTime(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second, microsecond: microsecond)
        return time.exists ? time : nil
    }

    /// Minutes east of UTC.
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
        let digits = rest.prefix { $0.isDigit }
        guard (1...9).contains(digits.count) else { return nil }
        rest = rest[digits.endIndex...]
        var microseconds = 0
        for digit in Array(digits.prefix(6)) + Array(repeating: UInt8(ascii: "0"), count: max(0, 6 - digits.count)) {
            microseconds = microseconds * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return microseconds
    }

    private mutating func scanNumber(_ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(\.isDigit) else { return nil }
        rest = rest[digits.endIndex...]
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }
}
