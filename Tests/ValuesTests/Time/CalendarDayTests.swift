import TestSupport
import Testing
import Values

@Suite("A calendar day") struct CalendarDayTests {
    @Test(
        "A day is parsed and printed in the form of RFC 3339",
        arguments: [("0001-01-01", -719_162), ("1970-01-01", 0), ("2024-02-29", 19_782), ("9999-12-31", 2_932_896)])
    func text(text: String, days: Int) throws {
        let day = try #require(CalendarDay(text))
        #expect(day.daysSince1970 == days)
        #expect(CalendarDay(daysSince1970: days) == day)
        #expect(day.description == text)
    }

    @Test(
        "Any other text is refused",
        arguments: ["2026-02-29", "2026-13-01", "2026-3-01", "2026-03-01T00:00:00Z", "0000-01-01", "20260301", " 2026-03-01", ""])
    func noDay(text: String) { #expect(CalendarDay(text) == nil) }

    @Test("A text is a day exactly if a timestamp starts with it", arguments: Seeds.fixed(1))
    func likeTimestamp(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let years = Timestamp.earliest.microseconds...Timestamp.latest.microseconds
        for _ in 0..<2_000 {
            let day = CalendarDay(Timestamp(clamping: Int64.random(in: years, using: &random)))
            var bytes = Array(day.description.utf8)
            #expect(CalendarDay(String(decoding: bytes, as: UTF8.self)) == day, "seed \(seed)")
            if Bool.random(using: &random) {
                bytes[Int.random(in: 0..<10, using: &random)] = UInt8.random(in: UInt8(ascii: "-")...UInt8(ascii: ":"), using: &random)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(CalendarDay(text) == Timestamp("\(text)T00:00:00Z").map { CalendarDay($0) }, "\(text), seed \(seed)")
        }
    }

    @Test("A day outside the years 1 to 9999 does not exist", arguments: [-719_163, 2_932_897, .min, .max])
    func outside(days: Int) { #expect(CalendarDay(daysSince1970: days) == nil) }

    @Test(
        "A day starts at midnight in UTC, also before 1970",
        arguments: [-86_400_000_001, -86_400_000_000, -1, 0, 86_399_999_999, 86_400_000_000])
    func timestamp(microseconds: Int) {
        let days = CalendarDay(Timestamp(clamping: microseconds)).daysSince1970
        #expect((days * 86_400_000_000..<(days + 1) * 86_400_000_000).contains(microseconds))
    }

    @Test("Days are ordered by time") func order() throws {
        let days = try ["1969-12-31", "1970-01-01", "1999-12-31", "2000-01-01"].map { try #require(CalendarDay($0)) }
        #expect(days == days.sorted() && days[0] < days[1])
    }
}

@Suite("A floored quotient") struct FlooringTests {
    @Test("A quotient is rounded down, with a remainder that is never negative", arguments: -7...7)
    func flooring(number: Int) {
        let (quotient, remainder) = (number.flooredQuotient(by: 3), number.flooredRemainder(by: 3))
        #expect((0..<3).contains(remainder) && quotient * 3 + remainder == number)
    }
}
