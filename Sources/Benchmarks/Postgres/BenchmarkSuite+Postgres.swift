import Foundation
import Postgres
import Settings

extension BenchmarkSuite {
    /// The client against what libpq and psql do with the same server in the same minute.
    ///
    /// It needs the machine to itself: a query takes two processes, and where others want the cores as well, the ratios are theirs.
    static let postgres = BenchmarkSuite(name: "postgres") {
        try BenchmarkCluster.run { url in
            let client = try PostgresClient(url)
            let rows = try pointQueries(client, url) + copies(client, PSQL(url: url.exposed)) + [inserts(client)]
            try client.close()
            return rows
        }
    }

    private static let tasks = 16
    private static let questions = 50
    private static let pageCount = 1_000
    private static let pageSize = 2_048
    private static let page = "SELECT body FROM pages WHERE id = $1"

    /// Tasks that ask through one pool, each again and again, and one thread that asks as often.
    private static func pointQueries(_ client: PostgresClient, _ url: DatabaseURL) throws -> [BenchmarkRow] {
        try client.run(
            "CREATE TABLE pages (id int8 PRIMARY KEY, body bytea NOT NULL)",
            // In its row and as it is: neither compressed nor apart.
            "ALTER TABLE pages ALTER body SET STORAGE PLAIN",
            "INSERT INTO pages SELECT i, decode(repeat(md5(i::text), \(pageSize / 16)), 'hex') FROM generate_series(0, \(pageCount - 1)) i",
            "VACUUM ANALYZE pages")
        let blocking = try BlockingConnection(url: url.exposed)
        try blocking.prepare("page", page)
        let runs = try InterleavedRuns(rounds: 101, calls: 1) {
            try client.run { pool in
                try await withThrowingTaskGroup { group in
                    for task in 0..<tasks { group.addTask { try await ask(pool, from: task * questions) } }
                    try await group.waitForAll()
                }
            }
        } theirs: {
            for question in 0..<tasks * questions {
                guard try blocking.size("page", question % pageCount) == pageSize else { throw BenchmarkDisagreement(what: "a page") }
            }
        }
        let count = tasks * questions
        return [
            BenchmarkRow(
                what: "postgres: a query of 2 KB, \(tasks) waiters for 4 connections", measured: runs.ours.divided(by: count),
                against: ("libpq, 1 blocking", runs.theirs.divided(by: count)), bar: .ratioAtLeast(3)),
            BenchmarkRow(
                what: "postgres: the client's time on a core for it", measured: runs.oursCPU.divided(by: count),
                against: ("libpq, 1 blocking", runs.theirsCPU.divided(by: count)), bar: .ratioAtLeast(0.4)),
        ]
    }

    private static func ask(_ pool: PostgresPool, from first: Int) async throws {
        for question in first..<first + questions {
            let query = PostgresQuery("page", page, question % pageCount)
            let bodies = try await pool.rows(of: query, as: Bytes.self, until: .late)
            guard bodies.first?.bytes.count == pageSize else { throw BenchmarkDisagreement(what: "a page") }
        }
    }

    private static let items = 1_000_000

    private static func copies(_ client: PostgresClient, _ psql: PSQL) throws -> [BenchmarkRow] {
        let file = "/tmp/vitrine-bench-\(ProcessInfo.processInfo.processIdentifier).rows"
        defer { do { try FileManager.default.removeItem(atPath: file) } catch { print("\(file) stays: \(error)") } }
        try client.run("CREATE TABLE items (id int8 NOT NULL, changed timestamptz NOT NULL, title text NOT NULL)")
        let rows = "SELECT i, '2026-01-01Z'::timestamptz + i * interval '1 s', 'An item, number ' || i FROM generate_series(1, \(items)) i"
        _ = try psql.time("\\copy (\(rows)) to '\(file)'")
        let into = try InterleavedRuns(rounds: 5, warmUps: 1) { _ in
            try client.run("TRUNCATE items")
            return try InterleavedRuns.Sample(calls: 1) { try copyIn(client, file) }
        } theirs: { _ in
            InterleavedRuns.Sample(time: try psql.time("TRUNCATE items", "\\copy items from '\(file)'"))
        }
        let out = try InterleavedRuns(rounds: 5, warmUps: 1) { _ in
            try InterleavedRuns.Sample(calls: 1) { try copyOut(client) }
        } theirs: { _ in
            InterleavedRuns.Sample(time: try psql.time("\\copy items to '/dev/null'"))
        }
        return [
            BenchmarkRow(
                what: "postgres: copy in \(items) rows", measured: into.ours.inMilliseconds,
                against: ("psql", into.theirs.inMilliseconds), bar: .ratioAtLeast(0.8)),
            BenchmarkRow(
                what: "postgres: copy out \(items) rows", measured: out.ours.inMilliseconds,
                against: ("psql", out.theirs.inMilliseconds), bar: .ratioAtLeast(0.8)),
        ]
    }

    private static func copyIn(_ client: PostgresClient, _ file: String) throws {
        let count = try client.run { pool in
            try await pool.withConnection(until: .late) { connection in
                try await connection.copyIn("items", "COPY items FROM STDIN", from: try FileChunks(file), until: .late)
            }
        }
        guard count == items else { throw BenchmarkDisagreement(what: "\(count) rows copied in") }
    }

    private static func copyOut(_ client: PostgresClient) throws {
        let bytes = try client.run { pool in
            try await pool.withConnection(until: .late) { connection in
                try await connection.withCopyOut("items", "COPY items TO STDOUT", until: .late) { chunks in
                    var bytes = 0
                    for try await chunk in chunks { bytes += chunk.count }
                    return bytes
                }
            }
        }
        guard bytes > items else { throw BenchmarkDisagreement(what: "\(bytes) bytes copied out") }
    }

    /// The same rows as one call, and as calls that are awaited one by one, each a transaction of its own. Nobody waits for the disk, or the
    /// transactions would be all that is measured.
    private static func inserts(_ client: PostgresClient) throws -> BenchmarkRow {
        let count = 10_000
        try client.run("CREATE TABLE tags (id int8 NOT NULL, name text NOT NULL)")
        let runs = try InterleavedRuns(rounds: 7, warmUps: 1) { _ in
            try client.run("TRUNCATE tags")
            return try InterleavedRuns.Sample(calls: 1) {
                try client.run { pool in _ = try await pool.run((0..<count).map(insert), until: .late) }
            }
        } theirs: { _ in
            try client.run("TRUNCATE tags")
            return try InterleavedRuns.Sample(calls: 1) {
                try client.run { pool in
                    try await pool.withConnection(until: .late) { connection in
                        for number in 0..<count { try await connection.run(insert(number), until: .late) }
                    }
                }
            }
        }
        return BenchmarkRow(
            what: "postgres: insert one of \(count) rows in a pipeline", measured: runs.ours.divided(by: count),
            against: ("one at a time", runs.theirs.divided(by: count)), bar: .ratioAtLeast(10))
    }

    private static func insert(_ number: Int) -> PostgresQuery {
        PostgresQuery("insert", "INSERT INTO tags VALUES ($1, $2)", number, "tag \(number)")
    }
}
