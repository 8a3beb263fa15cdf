import Foundation
import Testing
import Values

@Suite("A time zone")
struct TimeZoneTests {
    private typealias Zone = Values.TimeZone

    private func zone(_ name: String) throws -> Zone {
        let file = try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\(name)"))
        return try #require(Zone(name: name, parsing: Array(file)))
    }

    @Test(
        "A local time is converted to UTC, also beyond the years of the zone file",
        arguments: [
            ("Europe/Stockholm", "2026-12-24 18:00", "2026-12-24T17:00:00Z"),
            ("Europe/Stockholm", "2026-06-24T18:00", "2026-06-24T16:00:00Z"),
            ("America/New_York", "2026-07-04 00:00:01", "2026-07-04T04:00:01Z"), ("Asia/Riyadh", "2026-12-24", "2026-12-23T21:00:00Z"),
            ("Australia/Sydney", "2077-01-15 12:00", "2077-01-15T01:00:00Z"),
            ("Australia/Sydney", "2077-07-15 12:00", "2077-07-15T02:00:00Z"),
            ("Asia/Kathmandu", "2090-02-28 05:45", "2090-02-28T00:00:00Z"),
            ("America/St_Johns", "1955-07-01 00:00", "1955-07-01T02:30:00Z"),
        ])
    func times(name: String, local: String, instant: String) throws {
        let zone = try zone(name)
        let time = try #require(LocalTime(local))
        #expect(zone.times(showing: time) == [try #require(Timestamp(instant))])
        #expect(zone.localTime(at: try #require(Timestamp(instant))) == time)
    }

    @Test("A local time that clocks skip has no time in UTC, and one that they show twice has two", arguments: [2026, 2061])
    func jumps(year: Int) throws {
        let zone = try zone("Europe/Berlin")
        let days = [2026: ("03-29", "10-25"), 2061: ("03-27", "10-30")][year] ?? ("", "")
        #expect(zone.times(showing: try #require(LocalTime("\(year)-\(days.0) 02:30"))).isEmpty)
        let twice = zone.times(showing: try #require(LocalTime("\(year)-\(days.1) 02:30")))
        #expect(twice == [Timestamp("\(year)-\(days.1)T00:30:00Z"), Timestamp("\(year)-\(days.1)T01:30:00Z")])
    }

    @Test("An invalid file is not parsed", arguments: ["", "TZif", "TZif2" + String(repeating: "\u{1}", count: 39), "not a zone"])
    func damaged(text: String) {
        let zone = Zone(name: "x", parsing: Array(text.utf8))
        #expect(zone == nil)
    }

    @Test("A file that is cut anywhere causes no crash")
    func truncated() throws {
        let file = Array(try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Europe/Berlin")))
        for length in stride(from: 0, to: file.count, by: 7) {
            _ = Zone(name: "x", parsing: Array(file.prefix(length)))?.offset(at: .epoch)
        }
    }
}

@Suite("A local time")
struct LocalTimeTests {
    @Test("A local time is a day, or a day and a time of day", arguments: ["2026-12-24 18:00", "2026-12-24 18:00:05"])
    func text(text: String) throws {
        #expect(try #require(LocalTime(text)).description == text)
        #expect(try #require(LocalTime("2026-12-24")).description == "2026-12-24 00:00")
    }

    @Test(
        "An invalid local time is refused",
        arguments: ["", "tomorrow", "2026-02-30", "2026-12-24 25:00", "2026-12-24 18", "2026-12-24 18:00Z", "24.12.2026"])
    func others(text: String) { #expect(LocalTime(text) == nil) }
}
