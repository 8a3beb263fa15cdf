import Postgres
import TestDatabase
import Testing

@Suite("The names of time zones", .database)
struct TimeZoneNameTests {
    @Test("Every name of a zone is accepted in its own spelling, and no other notation that PostgreSQL knows")
    func names() async throws {
        try await withConnection { connection in
            let query = PostgresQuery(
                "names",
                """
                SELECT given FROM (
                    SELECT name AS given FROM pg_timezone_names
                    UNION SELECT lower(name) FROM pg_timezone_names UNION SELECT upper(name) FROM pg_timezone_names
                    UNION SELECT abbrev FROM pg_timezone_names UNION SELECT abbrev FROM pg_timezone_abbrevs
                    UNION SELECT unnest('{"",UTC+3,<+03>-3,EST5EDT,EST5,Foo/Bar,Foo/Bar3,ZONE/A1,default,local," UTC",../UTC,Europe,.,A,leapseconds,zone.tab}'::text[])
                ) AS notations
                WHERE vitrine.is_time_zone(given) <> EXISTS (SELECT FROM pg_timezone_names WHERE name = given)
                """)
            let wrong = try await connection.rows(of: query, as: String.self, until: .soon)
            #expect(wrong.isEmpty, "\(wrong)")
        }
    }

    @Test("A name is checked without the files of all zones, and the zone of the session stays")
    func duration() async throws {
        try await withConnection { connection in
            // A check that reads all files takes 80 ms.
            let script = """
                SET timezone = 'Asia/Tokyo';
                SET statement_timeout = '2 s';
                SELECT vitrine.is_time_zone('America/New_York') FROM generate_series(1, 200);
                """
            try await connection.runScript("many", script, until: .soon)
            let zone = PostgresQuery("zone", "SELECT current_setting('timezone')")
            let zones = try await connection.rows(of: zone, as: String.self, until: .soon)
            #expect(zones.first == "Asia/Tokyo")
        }
    }
}
