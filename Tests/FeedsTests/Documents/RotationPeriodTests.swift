import Feeds
import Testing

@Suite("The period of a rotation")
struct RotationPeriodTests {
    @Test(
        "Whole weeks, days, hours and minutes are parsed, and printed in the largest unit",
        arguments: [
            ("P1D", 1_440, "P1D"), ("P1W", 10_080, "P1W"), ("P7D", 10_080, "P1W"), ("PT6H", 360, "PT6H"), ("PT24H", 1_440, "P1D"),
            ("PT30M", 30, "PT30M"), ("PT90M", 90, "PT90M"), ("PT1M", 1, "PT1M"), ("P999W", 10_069_920, "P999W"),
        ])
    func reading(text: String, minutes: Int, written: String) throws {
        let period = try #require(RotationPeriod(text))
        #expect(period.minutes == minutes)
        #expect(period.description == written)
        #expect(RotationPeriod(written) == period)
    }

    @Test(
        "Any other text is rejected",
        arguments: [
            "", "P", "PT", "P1", "1D", "P0D", "PT0M", "P01D", "P1DT6H", "PT1H30M", "P1M", "P1Y", "PT30S", "PT1.5H", "P-1D", "P1000D", "p1d",
            "P1D ", "PT1D", "P1H", "P１D",
        ])
    func refusing(text: String) {
        #expect(RotationPeriod(text) == nil)
    }
}
