package import Values

/// Every item has its turn: step k shows so many from k times as many on, modulo how many there are, in an order that the seed decides. So over as many
/// steps as there are items, each is shown as often as every other.
extension Rotation {
    /// When the next step begins.
    package enum Change: Sendable, Hashable {
        /// With that day, in the storefront's time zone.
        case day(CalendarDay)
        case time(Timestamp)
    }

    /// Counted from 1970-01-01: a period of whole days by the days of the storefront, another by the time in UTC. Weeks so begin on Thursdays.
    package func step(at time: Timestamp, on today: CalendarDay) -> Int {
        days.map { today.daysSince1970.flooredQuotient(by: $0) } ?? Int(time.microseconds).flooredQuotient(by: microseconds)
    }

    package func nextStep(after time: Timestamp, on today: CalendarDay) -> Change {
        let next = step(at: time, on: today) + 1
        guard let days else { return .time(Timestamp(clamping: next * microseconds)) }
        return .day(CalendarDay(daysSince1970: next * days) ?? today)
    }

    /// Those that a step shows, of candidates in any order, each once.
    package func shown<Candidate>(_ candidates: [Candidate], limit: Int, step: Int, id: (Candidate) -> UUID) -> [Candidate] {
        let count = candidates.count
        guard count > 0, limit > 0 else { return [] }
        let order = candidates.map { (place: place(of: id($0)), id: id($0), candidate: $0) }
            .sorted { ($0.place, $0.id) < ($1.place, $1.id) }
        let start = step.flooredRemainder(by: count) * (limit % count) % count
        return (0..<min(limit, count)).map { order[(start + $0) % count].candidate }
    }

    /// The same on every machine.
    func place(of id: UUID) -> UInt64 {
        var hash = StableHash()
        hash.add(seed)
        hash.add(id.high)
        hash.add(id.low)
        return hash.value
    }

    /// Nil for a period of other than whole days.
    private var days: Int? { every.minutes.isMultiple(of: 1_440) ? every.minutes / 1_440 : nil }

    private var microseconds: Int { every.minutes * 60_000_000 }
}
