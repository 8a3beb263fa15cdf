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

    @Test(
        "The instant of a local time is the first one at which the clocks show it or a later one",
        arguments: [
            ("America/New_York", "2027-03-14 02:30", "2027-03-14T07:00:00Z"),
            ("America/New_York", "2027-11-07 01:30", "2027-11-07T05:30:00Z"),
            ("America/New_York", "2067-03-13 02:00:01", "2067-03-13T07:00:00Z"),
            ("Pacific/Apia", "2011-12-30 12:00", "2011-12-30T10:00:00Z"),
            ("Asia/Riyadh", "2027-02-08 18:00", "2027-02-08T15:00:00Z"),
        ])
    func instants(name: String, local: String, instant: String) throws {
        #expect(try zone(name).instant(of: try #require(LocalTime(local))) == Timestamp(instant))
    }

    @Test(
        "The instant of every local time around a change equals a search minute by minute",
        arguments: [
            ("Europe/Berlin", "2026-03-29T01:00:00Z"), ("Europe/Berlin", "2026-10-25T01:00:00Z"),
            ("Australia/Lord_Howe", "2027-04-03T15:00:00Z"),
            ("Australia/Lord_Howe", "2027-10-02T15:30:00Z"), ("Africa/Casablanca", "2026-02-15T02:00:00Z"),
            ("Antarctica/Troll", "2028-03-26T01:00:00Z"), ("Antarctica/Troll", "2028-10-29T01:00:00Z"),
            ("Pacific/Apia", "2011-12-30T10:00:00Z"),
        ])
    func search(name: String, change: String) throws {
        let zone = try zone(name)
        let change = try #require(Timestamp(change))
        func shown(after minutes: Int) throws -> LocalTime {
            // The text is the local time to the second.
            try #require(LocalTime(zone.localTime(at: change.advanced(by: .seconds(minutes * 60))).description))
        }
        let readings = try (-400...400).map { ($0, try shown(after: $0)) }
        for minutes in -180...180 {
            let start = try #require(Timestamp("\(try shown(after: 0).inUTCText)Z")).advanced(by: .seconds(minutes * 60))
            let local = try #require(LocalTime(String(start.toTheSecond.dropLast())))
            let expected = try #require(readings.first { $0.1.inUTCText >= local.inUTCText }).0
            #expect(zone.instant(of: local) == change.advanced(by: .seconds(expected * 60)), "\(local)")
        }
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

extension LocalTime {
    /// The time in a form whose order is the order of times.
    fileprivate var inUTCText: String {
        let text = description.replacing(" ", with: "T")
        return text.count == 16 ? text + ":00" : text
    }
}
