import EventLoop
import Postgres
import TestDatabase
import Testing

@Suite("A script", .database)
struct ScriptTests {
    @Test("A script runs statement by statement and leaves the connection usable")
    func runs() async throws {
        try await withConnection { connection in
            let script = """
                CREATE TEMPORARY TABLE goods (n bigint); -- one; two
                INSERT INTO goods SELECT generate_series(1, 3);;
                SELECT n FROM goods;
                DO $$ BEGIN INSERT INTO goods VALUES (4); END $$
                """
            try await connection.runScript("fill", script, until: .soon)
            #expect(connection.isUsable)
            let count = try await connection.rows(of: PostgresQuery("count", "SELECT count(*) FROM goods"), as: Int.self, until: .soon)
            #expect(count == [4])
            try await connection.runScript("nothing", "", until: .soon)
            #expect(connection.isUsable)
        }
    }

    @Test(
        "A failing script reports the line of the error or of its statement, and has no effect",
        arguments: [
            ("SELECT 1;\nSELECT 2;\nSELECT\n  é FROM goods", 4, "42P01"),
            ("SELECT 'é';\n\nSELEC 1", 3, "42601"),
            ("SELECT 1;\n-- the next divides\nSELECT\n 1 / (n - 1) FROM scripted;\nSELECT 2", 3, "22012"),
            (";;SELECT 1;\nCREATE RULE r AS ON DELETE TO scripted DO (SELECT 1; SELECT 2);\nCREATE TABLE scripted ();", 3, "42P07"),
            ("SELECT 1;\nDO $$\nBEGIN\n  PERFORM 1 / 0;\nEND $$", 2, "22012"),
        ])
    func fails(script: String, line: Int, state: String) async throws {
        try await withConnection { connection in
            let table = "CREATE TABLE IF NOT EXISTS scripted (n bigint); INSERT INTO scripted VALUES (1)"
            try await connection.transaction(until: .soon) { connection in
                try await connection.run(PostgresQuery("lock", "SELECT pg_advisory_xact_lock(1)"), until: .soon)
                try await connection.runScript("table", table, until: .soon)
            }
            let error = await expectFailure(.refused) { () throws(PostgresError) in
                try await connection.runScript("broken", "CREATE TABLE made (); " + script, until: .soon)
            }
            #expect(error?.line == line)
            #expect(error?.sqlState?.rawValue == state)
            #expect(error?.query == "broken")
            #expect(connection.isUsable)
            let made = PostgresQuery("made", "SELECT to_regclass('made') IS NOT NULL")
            #expect(try await connection.rows(of: made, as: Bool.self, until: .soon) == [false])
        }
    }

    /// The second COPY would take days, so the server ends it.
    @Test(
        "A script refuses a COPY in either direction",
        arguments: [
            "CREATE TEMPORARY TABLE goods (); COPY goods FROM STDIN", "COPY (SELECT generate_series(1::int8, 9000000000)) TO STDOUT",
        ])
    func copies(copy: String) async throws {
        try await withConnection { connection in
            let script = "\(copy); SELECT 1"
            await expectFailure(.misuse) { () throws(PostgresError) in try await connection.runScript("copy", script, until: .soon) }
            #expect(connection.isUsable)
        }
    }

    @Test("A script ends on the server with its deadline or its task, and the connection is usable immediately", arguments: [false, true])
    func ends(cancelling: Bool) async throws {
        try await withConnection { connection in
            let task = Task(executorPreference: connection.loop) {
                await expectFailure(cancelling ? .cancelled : .deadlinePassed) { () throws(PostgresError) in
                    try await connection.runScript(
                        "sleep", "SELECT pg_sleep(30); SELECT 1", until: cancelling ? .never : .after(.milliseconds(50)))
                }
            }
            if cancelling { task.cancel() }
            _ = await task.value
            #expect(connection.isUsable)
            let next = try await connection.rows(of: PostgresQuery("next", "SELECT 1"), as: Int.self, until: .soon)
            #expect(next == [1])
        }
    }

    @Test("A script whose server process ends closes the connection")
    func terminated() async throws {
        try await withConnection { connection in
            let error = await expectFailure(.refused) { () throws(PostgresError) in
                try await connection.runScript("end", "SELECT pg_terminate_backend(pg_backend_pid()); SELECT 1", until: .soon)
            }
            #expect(error?.sqlState?.rawValue == "57P01")
            #expect(connection.isClosed)
        }
    }
}
