import EventLoop
import Postgres
import TestDatabase
import TestSupport
import Testing
import Values

@Suite(.database) struct CodecTests {
    @Test("Encoded values decode to the same values", arguments: Seeds.fixed(1))
    func pure(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<200 {
            let samples = Samples(&random)
            try samples.checkEach()
        }
    }

    @Test("No bytes make a decoder trap", arguments: [4, 5] as [UInt64])
    func hostile(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...40, using: &random)
            let bytes = (0..<count).map { _ in
                Bool.random(using: &random) ? UInt8.random(in: 0...3, using: &random) : UInt8.random(in: 0...255, using: &random)
            }
            AnyDecoding.tryAll(bytes)
        }
    }

    @Test("A UUID is parsed only in its canonical form, in either case")
    func uuids() {
        let text = "6f1f6c2f-7a10-4a43-9a51-0d0f8a3e7f6c"
        #expect(UUID(text)?.description == text && UUID(text.uppercased())?.description == text)
        #expect(UUID(text) == UUID(high: 0x6f1f_6c2f_7a10_4a43, low: 0x9a51_0d0f_8a3e_7f6c))
        for other in [
            "", "6f1f6c2f7a104a439a510d0f8a3e7f6c", "{\(text)}", "\(text) ", "6f1f6c2f-7a10-4a43-9a510d0f-8a3e7f6c",
            "6f1f6c2g-7a10-4a43-9a51-0d0f8a3e7f6c", "+f1f6c2f-7a10-4a43-9a51-0d0f8a3e7f6c", "６1f6c2f-7a10-4a43-9a51-0d0f8a3e7f6c",
        ] {
            #expect(UUID(other) == nil)
        }
    }

    @Test("The server reads encoded values and sends the same values back", arguments: [6] as [UInt64])
    func server(seed: UInt64) async throws {
        try await withConnection { connection in
            var random = SeededRandom(seed: seed)
            for _ in 0..<50 {
                let s = Samples(&random)
                let query = PostgresQuery(
                    "echo",
                    """
                    SELECT $1::bool, $2::int2, $3::int4, $4::int8, $5::float8, $6::text, $7::bytea, $8::uuid, $9::timestamptz, $10::date,
                        $11::tstzrange
                    """, s.bool, s.int2, s.int4, s.int8, s.float8, s.text, s.bytea, s.uuid, s.time, s.date, s.range)
                let row = try #require(
                    try await connection.rows(
                        of: query, as: Bool.self, Int16.self, Int32.self, Int.self, Double.self, String.self, Bytes.self, UUID.self,
                        Timestamp.self, CalendarDay.self, TimestampRange.self, until: .soon
                    ).first)
                #expect(row.0 == s.bool && row.1 == s.int2 && row.2 == s.int4 && row.3 == s.int8 && row.4 == s.float8, "seed \(seed)")
                #expect(row.5 == s.text && row.6 == s.bytea && row.7 == s.uuid && row.8 == s.time && row.9 == s.date, "seed \(seed)")
                #expect(row.10 == s.range, "seed \(seed)")
                let lists = PostgresQuery("lists", "SELECT $1, $2, $3, $4", s.numbers, s.texts, [s.uuid], [s.time])
                let list = try #require(
                    try await connection.rows(
                        of: lists, as: [Int?].self, [String].self, [UUID].self, [Timestamp].self, until: .soon
                    ).first)
                #expect(list.0 == s.numbers && list.1 == s.texts && list.2 == [s.uuid] && list.3 == [s.time], "seed \(seed)")
            }
        }
    }

    @Test("Decoded values have the meaning that they have on the server")
    func meaning() async throws {
        try await withConnection { connection in
            let query = PostgresQuery(
                "literals",
                """
                SELECT '2026-03-01 09:30:00.5+00'::timestamptz, '1970-01-02'::date, '00112233-4455-6677-8899-aabbccddeeff'::uuid,
                    '{"a": 1}'::jsonb, '[2026-03-01 00:00+00, infinity)'::tstzrange IS NULL, '[2026-03-01 00:00+00,)'::tstzrange
                """)
            let row = try #require(
                try await connection.rows(
                    of: query, as: Timestamp.self, CalendarDay.self, UUID.self, JSONBytes.self, Bool.self, TimestampRange.self,
                    until: .soon
                ).first)
            #expect(row.0.description == "2026-03-01T09:30:00.500000Z")
            #expect(row.1.daysSince1970 == 1)
            #expect(row.2.description == "00112233-4455-6677-8899-aabbccddeeff")
            #expect(String(decoding: row.3.bytes, as: UTF8.self) == #"{"a": 1}"#)
            #expect(row.5 == .from(try #require(Timestamp("2026-03-01T00:00:00Z"))))
        }
    }

    @Test(
        "A timestamp outside the range of Timestamp is an error of its column",
        arguments: [
            "'infinity'::timestamptz", "'-infinity'::timestamptz", "'294276-01-01 00:00+00'::timestamptz",
        ])
    func outOfRange(expression: String) async throws {
        try await withConnection { connection in
            let query = PostgresQuery("far", "SELECT \(expression) AS moment")
            let error = await expectFailure(.undecodable) { () throws(PostgresError) in
                try await connection.rows(of: query, as: Timestamp.self, until: .soon)
            }
            #expect(error?.column == "moment")
        }
    }

    @Test(
        "A day outside the years 1 to 9999 is an error of its column",
        arguments: ["'infinity'::date", "'-infinity'::date", "'10000-01-01'::date", "'0001-12-31 BC'::date"])
    func dayOutOfRange(expression: String) async throws {
        try await withConnection { connection in
            let query = PostgresQuery("far", "SELECT \(expression) AS day")
            let error = await expectFailure(.undecodable) { () throws(PostgresError) in
                try await connection.rows(of: query, as: CalendarDay.self, until: .soon)
            }
            #expect(error?.column == "day")
        }
    }

    @Test("A text parameter takes any type that the server infers")
    func inferred() async throws {
        try await withConnection { connection in
            let query = PostgresQuery("total", "SELECT ($1 + 0.25::numeric)::text, $2::interval::text", "1.50", "90 minutes")
            let row = try #require(try await connection.rows(of: query, as: String.self, String.self, until: .soon).first)
            #expect(row.0 == "1.75")
            #expect(row.1 == "01:30:00")
        }
    }
}
