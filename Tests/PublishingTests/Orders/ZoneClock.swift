import Foundation
import Values

/// The clock of a zone for the model: its offset at any time, and a search for the time that it shows.
final class ZoneClock {
    let name: String
    private let zone: Values.TimeZone
    private var found: [Int: Int] = [:]

    init(_ name: String) throws {
        let file = try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\(name)"))
        guard let zone = Values.TimeZone(name: name, parsing: Array(file)) else { throw CocoaError(.fileReadCorruptFile) }
        (self.name, self.zone) = (name, zone)
    }

    /// Returns the seconds since 1970 of a clock in UTC that shows what this clock shows at a time.
    func reading(at time: Int) -> Int { time + offset(at: time) }

    func offset(at time: Int) -> Int { zone.offset(at: Timestamp(clamping: time * 1_000_000)) }

    /// Returns the first midnight in UTC after a time before a day on which the clock goes back, in seconds since 1970.
    func midnightBeforeGoingBack(after time: Int) -> Int {
        let day = 86_400
        var midnight = (time / day + 1) * day
        while offset(at: midnight) <= offset(at: midnight + day) { midnight += day }
        return midnight
    }

    /// Returns the first time at which the clock shows a reading or a later one, by a search minute by minute.
    func firstTime(showing reading: Int) -> Int {
        if let time = found[reading] { return time }
        // No clock of the zone shows the reading before this.
        var time = reading - [-100_000, 0, 100_000].map { offset(at: reading + $0) }.reduce(Int.min, max)
        while self.reading(at: time) < reading { time += 60 }
        found[reading] = time
        return time
    }
}
