import Testing

@testable import Settings

@Suite("A time of day")
struct TimeOfDayTests {
    @Test("A time of day is parsed strictly and printed as it was", arguments: ["00:00", "03:30", "23:59"])
    func read(text: String) { #expect(TimeOfDay(text)?.description == text) }

    @Test("An invalid time of day is refused", arguments: ["", "3:30", "24:00", "12:60", "12-30", "12:30:00", "+1:30", "１２:30"])
    func refused(text: String) { #expect(TimeOfDay(text) == nil) }

    @Test("The next occurrence is once a day, and never the current time")
    func next() throws {
        let (time, hour) = (try #require(TimeOfDay("03:30")), 3_600_000_000)
        #expect(time.next(after: 0) == hour * 7 / 2)
        #expect(time.next(after: hour * 7 / 2) == hour * 24 + hour * 7 / 2)
        #expect(time.next(after: hour * 4) == hour * 24 + hour * 7 / 2)
        #expect(time.next(after: -hour) == hour * 7 / 2)
    }

    @Test("A daily timer follows the clock, even if it is set back by years")
    func wait() throws {
        let (time, hour, year) = (try #require(TimeOfDay("03:30")), 3_600_000_000, 8_760 * 3_600_000_000)
        var wait = TimeOfDay.DailyTimer(for: time, from: 10 * year)
        #expect(wait.left(at: 10 * year + hour) == hour * 5 / 2)
        #expect(wait.left(at: hour) == hour * 5 / 2)
        #expect(wait.left(at: hour * 2) == hour * 3 / 2)
        #expect(wait.left(at: hour * 7 / 2) == 0)
        #expect(wait.left(at: year) < 0)
    }
}
