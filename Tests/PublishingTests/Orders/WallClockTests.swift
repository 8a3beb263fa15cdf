import Foundation
import Postgres
import TestDatabase
import TestSupport
import Testing
import Values

@Suite("The instants of wall-clock times", .database)
struct WallClockTests {
    private typealias Zone = Values.TimeZone

    /// A time at which the clocks of a zone change.
    private struct Change: Sendable, CustomTestStringConvertible {
        let zone: String
        /// The seconds since 1970.
        let time: Int
        var testDescription: String { "\(zone) \(Timestamp(clamping: time * 1_000_000))" }
    }

    /// The years from 2024 whose changes are all tested, at every minute. Without it, one change of each zone is tested at some
    /// minutes.
    private static let years = TestVariable.number("WALL_CLOCK_YEARS").map { Int(clamping: $0) }

    @Test("The instant of the database and of Swift is the first one at which the clock shows that time or a later one")
    func everyZone() async throws {
        try await withConnection { connection in
            var random = SeededRandom(seed: Seeds.fresh)
            let first = Self.years == nil ? Int.random(in: 2024...2030, using: &random) : 2024
            for year in first..<first + (Self.years ?? 1) {
                var changes = try await Self.changes(in: year, connection)
                if Self.years == nil {
                    // In the order of the zones, so that a seed draws the same changes in each run.
                    let zones = Dictionary(grouping: changes, by: \.zone).sorted { $0.key < $1.key }
                    changes = zones.compactMap { $0.value.randomElement(using: &random) }
                }
                #expect(changes.count > 100)
                for change in changes { try await Self.check(change, step: Self.years == nil ? 40 : 1, connection) }
            }
        }
    }

    @Test(
        "A skipped time is the end of the gap, and a repeated one is the first",
        arguments: [
            ("America/New_York", "2027-03-14T02:30", "2027-03-14T07:00:00Z"),
            ("America/New_York", "2027-11-07T01:30", "2027-11-07T05:30:00Z"),
            ("Australia/Lord_Howe", "2027-10-03T02:10", "2027-10-02T15:30:00Z"),
            ("Australia/Lord_Howe", "2027-04-04T01:45", "2027-04-03T14:45:00Z"),
            ("Pacific/Apia", "2011-12-30T12:00", "2011-12-30T10:00:00Z"), ("Asia/Riyadh", "2027-02-08T18:00", "2027-02-08T15:00:00Z"),
        ])
    func examples(zone: String, local: String, instant: String) async throws {
        try await withConnection { connection in
            let query = PostgresQuery("example", "SELECT vitrine.moment_in($1::text, $2::text)", local, zone)
            let expected = try #require(Timestamp(instant))
            #expect(try await connection.rows(of: query, as: Timestamp.self, until: .soon) == [expected])
        }
    }

    @Test("A time with an offset is that instant in every zone", arguments: ["2027-02-08T18:00:00+03:00", "2027-02-08T15:00:00Z"])
    func instants(text: String) async throws {
        try await withConnection { connection in
            let query = PostgresQuery("instant", "SELECT vitrine.moment_in($1::text, 'Asia/Tokyo')", text)
            let expected = try #require(Timestamp(text))
            #expect(try await connection.rows(of: query, as: Timestamp.self, until: .soon) == [expected])
        }
    }

    /// Returns the changes of all zones in a year.
    private static func changes(in year: Int, _ connection: PostgresConnection) async throws -> [Change] {
        let query = PostgresQuery(
            "changes",
            """
            WITH periods AS (
                SELECT name, start FROM pg_timezone_names
                CROSS JOIN generate_series(make_timestamptz($1::integer, 1, 1, 0, 0, 0, 'UTC'), make_timestamptz($1::integer, 12, 25, 0, 0, 0, 'UTC'), '5 days') AS start
                WHERE name !~ '^(posix|right)/' AND start AT TIME ZONE name + interval '5 days' <> (start + interval '5 days') AT TIME ZONE name
            ), hours AS (
                SELECT name, min(hour) AS hour
                FROM periods CROSS JOIN generate_series(start, start + interval '5 days', '1 hour') AS hour
                WHERE hour AT TIME ZONE name + interval '1 hour' <> (hour + interval '1 hour') AT TIME ZONE name
                GROUP BY name, start
            )
            SELECT name, extract(epoch FROM min(minute) + interval '1 minute')::bigint
            FROM hours CROSS JOIN generate_series(hour, hour + interval '1 hour', '1 minute') AS minute
            WHERE minute AT TIME ZONE name + interval '1 minute' <> (minute + interval '1 minute') AT TIME ZONE name
            GROUP BY name, hour
            ORDER BY name, hour
            """, Int32(year))
        return try await connection.rows(of: query, as: String.self, Int.self, until: .soon).map { Change(zone: $0, time: $1) }
    }

    /// Compares times from three hours before to three hours after a change with a search minute by minute.
    private static func check(_ change: Change, step: Int, _ connection: PostgresConnection) async throws {
        let readings = try await connection.rows(
            of: PostgresQuery(
                "readings",
                """
                SELECT extract(epoch FROM to_timestamp($1::bigint + minute * 60) AT TIME ZONE $2::text)::bigint
                FROM generate_series(-1440, 1440) AS minute ORDER BY minute
                """, change.time, change.zone), as: Int.self, until: .soon)
        // The index of a reading is its minute.
        let bounds = [1_440 - 180, 1_440 + 180, 1_440, 1_439].map { readings[$0] }
        let minutes = Array(stride(from: min(bounds[0], bounds[1]), through: max(bounds[0], bounds[1]), by: 60))
        let asked = minutes.enumerated().filter { index, reading in
            index.isMultiple(of: step) || bounds[2...].contains { abs($0 - reading) <= 60 }
        }.map(\.element)
        let texts = asked.map { String(Timestamp(clamping: $0 * 1_000_000).toTheSecond.dropLast()) }
        let instants = try await connection.rows(
            of: PostgresQuery(
                "instants",
                """
                SELECT extract(epoch FROM vitrine.moment_of(wall_clock::timestamp, $2::text))::bigint
                FROM unnest($1::text[]) WITH ORDINALITY AS asked (wall_clock, place) ORDER BY place
                """, texts, change.zone), as: Int.self, until: .soon)
        let expected = asked.map { reading in
            (readings.firstIndex { $0 >= reading } ?? readings.count).advanced(by: -1_440) * 60 + change.time
        }
        #expect(instants == expected, "\(change.testDescription), seed \(Seeds.fresh)")
        #expect(zip(instants, instants.dropFirst()).allSatisfy { $0 <= $1 }, "\(change.testDescription)")
        let file = try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\(change.zone)"))
        let zone = try #require(Zone(name: change.zone, parsing: Array(file)))
        let locals = try texts.map { try #require(LocalTime($0)) }
        let computed = locals.map { Int(zone.instant(of: $0).microseconds / 1_000_000) }
        #expect(computed == expected, "\(change.testDescription) in Swift")
    }
}
