import EventLoop
import Host
import TestDatabase
import Testing
import Values

@testable import Postgres

@Suite(.database) struct QueryTests {
    @Test("Rows decode into tuples, and a single column into values")
    func tuples() async throws {
        try await withConnection { connection in
            let query = PostgresQuery("pair", "SELECT n, 'row ' || n, NULLIF(n, 2) FROM generate_series(1::int8, $1) AS n", 3)
            let rows = try await connection.rows(of: query, as: Int.self, String.self, Int?.self, until: .soon)
            #expect(rows.map(\.0) == [1, 2, 3])
            #expect(rows.map(\.1) == ["row 1", "row 2", "row 3"])
            #expect(rows.map(\.2) == [1, nil, 3])
            let numbers: [Int32] = try await connection.rows(of: PostgresQuery("one", "SELECT 7"), as: Int32.self, until: .soon)
            #expect(numbers == [7])
        }
    }

    @Test("Cells of a row are read one by one, with the errors of tuples")
    func cells() async throws {
        try await withConnection { connection in
            let query = PostgresQuery(
                "cells",
                "SELECT n, NULLIF('row ' || n, 'row 2'), NULLIF('[' || n || ']', '[2]')::json AS list FROM generate_series(1, 3) AS n")
            let result = try await connection.run(query, until: .soon)
            let rows = try result.rows(ofColumns: 3)
            #expect(try rows.map { try $0.integer(at: 0) } == [1, 2, 3])
            #expect(try rows.map { try $0.optionalInteger(at: 0) } == [1, 2, 3])
            #expect(try rows.map { try $0.optionalText(at: 1) } == ["row 1", nil, "row 3"])
            #expect(try rows.map { try $0.optionalJSON(at: 2) } == [Array("[1]".utf8), nil, Array("[3]".utf8)])
            #expect(try rows[2].text(at: 1) == "row 3" && rows[2].json(at: 2) == Array("[3]".utf8))
            #expect(throws: PostgresError.self) { try rows[1].text(at: 1) }
            #expect(throws: PostgresError.self) { try rows[1].json(at: 2) }
            #expect(try rows[2].value(at: 0, as: Int32.self) == 3)
            let id = try await connection.run(
                PostgresQuery("ids", "SELECT '6f1c8a5e-0000-4000-8000-000000000001'::uuid AS id, NULL::uuid AS none"), until: .soon)
            let ids = try id.rows(ofColumns: 2)
            #expect(try ids[0].uuid(at: 0) == UUID("6f1c8a5e-0000-4000-8000-000000000001"))
            #expect(throws: PostgresError.self) { try ids[0].uuid(at: 1) }
            #expect(try ids[0].optionalUUID(at: 0) == UUID("6f1c8a5e-0000-4000-8000-000000000001") && ids[0].optionalUUID(at: 1) == nil)
            let lists = try await connection.run(
                PostgresQuery(
                    "lists",
                    "VALUES (ARRAY[7, 8]::bigint[], ARRAY['a', 'b'], '1970-01-03'::date), (NULL, NULL, NULL)"), until: .soon)
            let (full, none) = (try lists.rows(ofColumns: 3)[0], try lists.rows(ofColumns: 3)[1])
            #expect(full.query == "lists")
            #expect(try full.optionalIntegers(at: 0) == [7, 8] && full.optionalTexts(at: 1) == ["a", "b"])
            #expect(try full.optionalDay(at: 2) == CalendarDay(daysSince1970: 2))
            #expect(try none.optionalIntegers(at: 0) == nil && none.optionalTexts(at: 1) == nil && none.optionalDay(at: 2) == nil)
            #expect(throws: PostgresError(.undecodable, "the rows have 3 columns, expected 2", query: "cells")) {
                try result.rows(ofColumns: 2)
            }
            var wrong = PostgresError(.undecodable, "column list: expected int2, int4 or int8, found json", query: "cells")
            wrong.column = "list"
            #expect(throws: wrong) { try rows[0].integer(at: 2) }
        }
    }

    @Test("A decoding error names the query, the column, and the expected and found types")
    func undecodable() async throws {
        try await withConnection { connection in
            let wrong = await expectFailure(.undecodable) { () throws(PostgresError) in
                try await connection.rows(of: PostgresQuery("wrong", "SELECT 1 AS price"), as: String.self, until: .soon)
            }
            #expect(wrong?.description == "query wrong: column price: expected text, found int4")
            let null = await expectFailure(.undecodable) { () throws(PostgresError) in
                try await connection.rows(of: PostgresQuery("null", "SELECT NULL::uuid AS id"), as: UUID.self, until: .soon)
            }
            #expect(null?.description == "query null: column id: expected uuid, found a NULL of uuid")
            let count = await expectFailure(.undecodable) { () throws(PostgresError) in
                try await connection.rows(of: PostgresQuery("two", "SELECT 1, 2"), as: Int.self, until: .soon)
            }
            #expect(count?.description == "query two: the rows have 2 columns, expected 1")
            #expect(connection.isUsable)
        }
    }

    @Test("A statement is prepared once for each name and text")
    func prepared() async throws {
        try await withConnection { connection in
            for _ in 0..<3 { try await connection.run(PostgresQuery("kept", "SELECT $1::int8", 1), until: .soon) }
            try await connection.run(PostgresQuery("kept", "SELECT $1::int8 + 1", 1), until: .soon)
            try await connection.run(PostgresQuery("once", "SELECT 3", isPrepared: false), until: .soon)
            let query = PostgresQuery("count", "SELECT count(*) FROM pg_prepared_statements", isPrepared: false)
            #expect(try await connection.rows(of: query, as: Int.self, until: .soon) == [2])
        }
    }

    @Test("A statement that failed can be run again")
    func failedStatement() async throws {
        try await withConnection { connection in
            let query = PostgresQuery("late", "SELECT n FROM late_table")
            let error = await expectFailure(.refused) { () throws(PostgresError) in try await connection.run(query, until: .soon) }
            #expect(error?.sqlState?.rawValue == "42P01")
            #expect(error?.classification == .bug)
            try await connection.run(PostgresQuery("create", "CREATE TEMPORARY TABLE late_table AS SELECT 5 AS n"), until: .soon)
            #expect(try await connection.rows(of: query, as: Int.self, until: .soon) == [5])
        }
    }

    @Test("A batch of 10,000 queries runs in one round trip, and has no effect if one of them fails")
    func batch() async throws {
        try await withConnection { connection in
            try await connection.run(PostgresQuery("create", "CREATE TEMPORARY TABLE batch (n int8 PRIMARY KEY)"), until: .soon)
            let inserts = (0..<10_000).map { PostgresQuery("insert", "INSERT INTO batch VALUES ($1)", $0) }
            let results = try await connection.run(inserts, until: .soon)
            #expect(results.count == 10_000)
            #expect(results.allSatisfy { $0.affectedRows == 1 })
            let error = await expectFailure(.refused) { () throws(PostgresError) in
                try await connection.run(
                    [PostgresQuery("insert", "INSERT INTO batch VALUES ($1)", 10_001), inserts[7], inserts[8]], until: .soon)
            }
            #expect(error?.sqlState == .uniqueViolation)
            #expect(error?.classification == .conflict)
            #expect(error?.constraint == "batch_pkey")
            #expect(error?.table == "batch")
            #expect(error?.detail == "Key (n)=(•••) already exists.")
            #expect(error?.query == "insert")
            let count = PostgresQuery("count", "SELECT count(*) FROM batch")
            #expect(try await connection.rows(of: count, as: Int.self, until: .soon) == [10_000])
        }
    }

    @Test(
        "No error contains a bound value",
        arguments: [
            "SELECT $1::text::int4", "SELECT $1::text::date", "INSERT INTO secrets VALUES ($1)", "INSERT INTO secrets VALUES ($1), ($1)",
            "SELECT $1::text::jsonb", "SELECT $1::text::uuid", "INSERT INTO checked VALUES ($1)", "SELECT $1::text::int4[]",
        ])
    func secrecy(sql: String) async throws {
        try await withConnection { connection in
            let create = [
                PostgresQuery("create", "CREATE TEMPORARY TABLE secrets (word text PRIMARY KEY)"),
                PostgresQuery("create", "CREATE TEMPORARY TABLE checked (word text CHECK (length(word) < 3))"),
            ]
            try await connection.run(create, until: .soon)
            for word in ["pa)ss\"word", "pa)ss\"word"] {
                do throws(PostgresError) {
                    try await connection.run(PostgresQuery("secret", sql, word), until: .soon)
                } catch {
                    #expect(!"\(error) \(String(reflecting: error))".contains("ss\"word"))
                    #expect(!"\(error) \(String(reflecting: error))".contains("pa)"))
                    #expect(error.classification == .badInput || error.classification == .conflict)
                }
            }
        }
    }

    @Test("A parameter with U+0000 is refused before anything is sent, at any depth")
    func zero() async throws {
        try await withConnection { connection in
            let queries = [
                PostgresQuery("zero", "SELECT $1::int8, $2", 1, "a\0b"), PostgresQuery("zero", "SELECT $1::text[]", ["a", "\0"]),
                PostgresQuery("zero", "SELECT $1::jsonb", JSONBytes([0])), PostgresQuery("zero", "SELECT $1", Optional("\0")),
            ]
            for query in queries {
                let error = await expectFailure(.invalidParameter) { () throws(PostgresError) in
                    try await connection.run(query, until: .soon)
                }
                #expect(error?.classification == .badInput)
                #expect(connection.isUsable)
            }
        }
    }

    @Test("A statement with U+0000 and parameters that exceed the size of a message are refused before anything is sent")
    func unsendable() async throws {
        try await withConnection { connection in
            await expectFailure(.misuse) { () throws(PostgresError) in
                try await connection.run(PostgresQuery("cut", "SELECT 1\0, 2"), until: .soon)
            }
            #expect(connection.isUsable)
        }
        let query = PostgresQuery("large", "SELECT $1, $2", "four", "five.")
        try query.validate(largest: 11)
        await expectFailure(.invalidParameter) { () throws(PostgresError) in try query.validate(largest: 10) }
    }

    @Test("A second call during a first one is refused, and the first one continues")
    func busy() async throws {
        try await withConnection { connection in
            let first = Task(executorPreference: connection.loop) {
                try await connection.rows(of: PostgresQuery("slow", "SELECT 1 FROM pg_sleep(0.2)"), as: Int.self, until: .soon)
            }
            try await connection.loop.sleep(until: .after(.milliseconds(20)))
            await expectFailure(.misuse) { () throws(PostgresError) in
                try await connection.run(PostgresQuery("second", "SELECT 2"), until: .soon)
            }
            #expect(try await first.value == [1])
        }
    }
}
