internal import Resolve
package import Values

/// The steps of a rotation. Step k shows n items from index k times n, modulo the number of items. The seed decides their
/// order. Over as many steps as there are items, each item is shown equally often.
extension Rotation {
    /// The start of the next step.
    package enum Change: Sendable, Hashable {
        /// The start of this day in the storefront's time zone.
        case day(CalendarDay)
        case time(Timestamp)
    }

    /// Returns the step, counted from 1970-01-01. A period of whole days uses the days of the storefront, and any other
    /// period uses UTC. Weeks therefore start on Thursdays.
    package func step(at time: Timestamp, on today: CalendarDay) -> Int {
        days.map { today.daysSince1970.flooredQuotient(by: $0) } ?? Int(time.microseconds).flooredQuotient(by: microseconds)
    }

    package func nextStep(after time: Timestamp, on today: CalendarDay) -> Change {
        let next = step(at: time, on: today) + 1
        guard let days else { return .time(Timestamp(clamping: next * microseconds)) }
        return .day(CalendarDay(daysSince1970: next * days) ?? today)
    }

    /// Returns the candidates of a step and those after it, up to a limit, from distinct candidates in any order. `size` is
    /// the number of items of a step.
    package func visible<Candidate>(
        _ candidates: [Candidate], limit: Int, step: Int, of size: Int, id: (Candidate) -> UUID
    ) -> [Candidate] {
        turned(limit > 0 ? ordered(candidates, id: id) : [], limit: limit, step: step, of: size)
    }

    /// Returns distinct candidates in the order in which they take turns.
    package func ordered<Candidate>(_ candidates: [Candidate], id: (Candidate) -> UUID) -> [Candidate] {
        candidates.map { (place: rank(of: id($0)), id: id($0), candidate: $0) }
            .sorted { ($0.place, $0.id) < ($1.place, $1.id) }.map(\.candidate)
    }

    /// Returns the candidates of a step and those after it, up to a limit, from candidates in their order.
    package func turned<Candidate>(_ ordered: [Candidate], limit: Int, step: Int, of size: Int) -> [Candidate] {
        let count = ordered.count
        guard count > 0, limit > 0 else { return [] }
        let start = step.flooredRemainder(by: count) * (size % count) % count
        return (0..<min(limit, count)).map { ordered[(start + $0) % count] }
    }

    /// Returns the sort key of an item, which is the same on every machine.
    func rank(of id: UUID) -> UInt64 {
        var hash = StableHash()
        hash.add(seed)
        hash.add(id.high)
        hash.add(id.low)
        return hash.value
    }

    /// The number of days, or nil if the period is not whole days.
    private var days: Int? { every.minutes.isMultiple(of: 1_440) ? every.minutes / 1_440 : nil }

    private var microseconds: Int { every.minutes * 60_000_000 }
}
