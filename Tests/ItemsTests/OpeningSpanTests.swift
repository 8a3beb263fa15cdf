import Testing

@testable import Items

@Suite("The spans of opening hours") struct OpeningSpanTests {
    @Test("A span is cut at midnight only if it is longer than a day")
    func cuts() {
        let day = OpeningHours(spans: [600..<2_040]).entries
        #expect(day.map(\.days) == [[.mon]] && day.map(\.opens) == [600] && day.map(\.closes) == [600])
        let longer = OpeningHours(spans: [600..<2_041]).entries
        #expect(longer.map(\.days) == [[.mon], [.tue]] && longer.map(\.opens) == [600, 0] && longer.map(\.closes) == [0, 601])
    }

    @Test("Days with the same hours share an entry, the night of Sunday included")
    func days() {
        let week = OpeningHours(spans: (0..<7).map { $0 * 1_440 + 1_320..<$0 * 1_440 + 1_560 }).entries
        #expect(week == OpeningHours(spans: [1_320..<1_560] + (1..<7).map { $0 * 1_440 + 1_320..<$0 * 1_440 + 1_560 }).entries)
        #expect(week.count == 1 && week.first?.days == OpeningHours.Day.allCases)
        #expect(week.first?.opens == 1_320 && week.first?.closes == 120)
    }
}
