import Postgres
import TestDatabase
import TestSupport
import Testing
import Values

@testable import Feeds

@Suite("A rotation")
struct RotationTests {
    private static func rotation(_ period: String, seed: String = "hero") throws -> Rotation {
        Rotation(seed: seed, every: try #require(RotationPeriod(period)))
    }

    private static func ids(_ count: Int) -> [UUID] { (0..<count).map { UUID(high: 7, low: UInt64($0)) } }

    @Test(
        "A rotation shows each of its candidates equally often over as many steps as candidates", arguments: Array(1...13) + [24, 30, 47])
    func fairness(count: Int) throws {
        let rotation = try Self.rotation("P1D")
        let ids = Self.ids(count)
        for limit in [1, 2, 3, 5, 6, 10, 12, 24, 46, 47, 1_000] {
            for first in [-5, 20_513] {
                var times: [UUID: Int] = [:]
                for step in first..<first + count {
                    let visible = rotation.visible(ids, limit: limit, step: step, of: limit) { $0 }
                    #expect(visible.count == min(limit, count) && Set(visible).count == visible.count)
                    for id in visible { times[id, default: 0] += 1 }
                }
                #expect(times.count == count && times.values.allSatisfy { $0 == min(limit, count) }, "\(count), \(limit), \(first)")
            }
        }
    }

    @Test("Each step starts where the previous one ended")
    func continuity() throws {
        let rotation = try Self.rotation("PT1H")
        let ids = Self.ids(10)
        let order = rotation.visible(ids, limit: 10, step: 0, of: 3) { $0 }
        var random = SeededRandom(seed: Seeds.fresh)
        for step in 0..<40 {
            let visible = rotation.visible(ids.shuffled(using: &random), limit: 3, step: step, of: 3) { $0 }
            #expect(visible == (0..<3).map { order[(3 * step + $0) % 10] }, "seed \(Seeds.fresh)")
        }
    }

    @Test("The candidates after those of a step are those of the next steps, each once")
    func nextSteps() throws {
        let rotation = try Self.rotation("P1D")
        let ids = Self.ids(10)
        for step in -3..<20 {
            let visible = rotation.visible(ids, limit: 8, step: step, of: 3) { $0 }
            #expect(Array(visible.prefix(3)) == rotation.visible(ids, limit: 3, step: step, of: 3) { $0 })
            #expect(Array(visible.dropFirst(3).prefix(3)) == rotation.visible(ids, limit: 3, step: step + 1, of: 3) { $0 })
            #expect(visible.count == 8 && Set(visible).count == 8)
            #expect(Set(rotation.visible(ids, limit: 30, step: step, of: 3) { $0 }) == Set(ids))
            // Pins for all clients fill the shelf, so that a step has no items.
            #expect(rotation.visible(ids, limit: 4, step: step, of: 0) { $0 } == rotation.visible(ids, limit: 4, step: 0, of: 3) { $0 })
        }
    }

    @Test("Each seed has its own order, which is the same on every machine")
    func order() throws {
        let orders: [(seed: String, order: [UInt64], first: UInt64)] = [
            ("hero", [4, 3, 2, 7, 1, 6, 0, 5], 0xD0EAC07E1B875A36), ("héros", [2, 1, 7, 3, 5, 4, 6, 0], 0x8B94CC78B6990670),
        ]
        for (seed, order, first) in orders {
            let rotation = try Self.rotation("P1D", seed: seed)
            #expect(rotation.visible(Self.ids(8), limit: 8, step: 0, of: 8) { $0 }.map(\.low) == order)
            #expect(rotation.rank(of: Self.ids(1)[0]) == first)
        }
    }

    @Test("Whole days are counted by the storefront's calendar, and other periods by UTC")
    func steps() throws {
        let time = try #require(Timestamp("2026-03-01T05:30:00Z"))
        #expect(try Self.rotation("P1D").step(at: time, on: .of("2026-02-28")) == 20_512)
        #expect(try Self.rotation("P1D").step(at: time, on: .of("1969-12-31")) == -1)
        #expect(try Self.rotation("P1W").step(at: time, on: .of("1970-01-07")) == 0)
        #expect(try Self.rotation("P1W").step(at: time, on: .of("1970-01-08")) == 1)
        #expect(try Self.rotation("PT24H") == Self.rotation("P1D"))
        #expect(try Self.rotation("PT6H").step(at: time, on: .of("2026-02-28")) == 20_513 * 4)
        #expect(
            try Self.rotation("PT6H").nextStep(after: time, on: .of("2026-02-28")) == .time(#require(Timestamp("2026-03-01T06:00:00Z")))
        )
        #expect(try Self.rotation("P1D").nextStep(after: time, on: .of("2026-02-28")) == .day(.of("2026-03-01")))
        #expect(try Self.rotation("P1W").nextStep(after: time, on: .of("2026-02-25")) == .day(.of("2026-02-26")))
        #expect(try Self.rotation("P3D").nextStep(after: time, on: .of("1970-01-04")) == .day(.of("1970-01-07")))
        #expect(
            try Self.rotation("PT6H").nextStep(after: #require(Timestamp("2026-03-01T06:00:00Z")), on: .of("2026-02-28"))
                == .time(#require(Timestamp("2026-03-01T12:00:00Z"))))
    }

    @Test("A day starts by the storefront's clock, even if daylight saving time starts or ends at midnight", .database)
    func midnights() async throws {
        let days: [(day: String, timeZone: String, begins: String)] = [
            ("2026-03-08", "America/New_York", "2026-03-08T05:00:00Z"), ("2026-03-09", "America/New_York", "2026-03-09T04:00:00Z"),
            ("2026-11-02", "America/New_York", "2026-11-02T05:00:00Z"), ("2026-03-01", "Asia/Riyadh", "2026-02-28T21:00:00Z"),
            // This day has no midnight.
            ("2024-09-08", "America/Santiago", "2024-09-08T04:00:00Z"), ("2024-04-26", "Africa/Cairo", "2024-04-25T22:00:00Z"),
            // This day has two midnights.
            ("2024-11-03", "America/Havana", "2024-11-03T04:00:00Z"),
            // The clocks go back to the previous day.
            ("2024-04-07", "America/Santiago", "2024-04-07T04:00:00Z"),
            // The day itself was skipped.
            ("2011-12-30", "Pacific/Apia", "2011-12-30T10:00:00Z"),
        ]
        try await RuleCatalog.run("SELECT 1") { connection, _ async throws in
            let starts = PostgresQuery(
                "beginnings",
                "SELECT vitrine.beginning_of_day(day, zone) FROM unnest($1::date[], $2::text[]) WITH ORDINALITY AS asked (day, zone, place) ORDER BY place",
                days.map { CalendarDay.of($0.day) }, days.map(\.timeZone))
            let begins = try await connection.rows(of: starts, as: Timestamp.self, until: .soon)
            #expect(begins == days.compactMap { Timestamp($0.begins) })
            // One microsecond before a day starts, it is another day.
            for (number, day) in days.enumerated() where day.timeZone != "Pacific/Apia" {
                let query = PostgresQuery(
                    "days", "SELECT ($1::timestamptz AT TIME ZONE $2::text)::date, (($1 - interval '1 microsecond') AT TIME ZONE $2)::date",
                    begins[number], day.timeZone)
                let rows = try await connection.rows(of: query, as: CalendarDay.self, CalendarDay.self, until: .soon)
                #expect(rows.map(\.0) == [.of(day.day)] && rows.allSatisfy { $0.1 < .of(day.day) }, "\(day)")
            }
        }
    }
}
