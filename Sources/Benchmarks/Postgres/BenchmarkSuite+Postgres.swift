import Foundation
import Postgres
import Settings

extension BenchmarkSuite {
    /// The client against libpq and psql with the same server in the same minute.
    ///
    /// Run it on an otherwise idle machine. A query occupies two processes, so other load on the two cores would decide
    /// the ratios.
    static let postgres = BenchmarkSuite(name: "postgres", needs: [.psql]) { session in
        try BenchmarkCluster.run { url in
            let client = try PostgresClient(url)
            session.progress.show("queries")
            let queries = try pointQueries(client, url)
            session.progress.show("inserts")
            let inserts = try inserts(client, url)
            session.progress.show("copies")
            let rows = try queries + inserts + copies(client, PSQL(url: url.exposed))
            try client.close()
            return rows
        }
    }

    private static let tasks = 16
    private static let requests = 50
    private static let connections = 4
    private static let pageCount = 1_000
    private static let pageSize = 2_048
    private static let page = "SELECT body FROM pages WHERE id = $1"

    /// Measures tasks that query through one pool of four connections, against one thread with libpq on as many
    /// connections. The thread sends the same queries, first one at a time on each connection like the pool, then in
    /// pipelines that hold all waiting queries.
    private static func pointQueries(_ client: PostgresClient, _ url: DatabaseURL) throws -> [BenchmarkRow] {
        try client.run(
            "CREATE TABLE pages (id int8 PRIMARY KEY, body bytea NOT NULL)",
            // Keep the column in its row and uncompressed.
            "ALTER TABLE pages ALTER body SET STORAGE PLAIN",
            "INSERT INTO pages SELECT i, decode(repeat(md5(i::text), \(pageSize / 16)), 'hex') FROM generate_series(0, \(pageCount - 1)) i",
            "VACUUM ANALYZE pages")
        let peers = try (0..<connections).map { _ in try PipelinedConnection(url: url.exposed, preparing: ["page": page]) }
        return try [1, tasks / connections].flatMap { depth in
            let runs = try InterleavedRuns(rounds: 51, calls: 1) {
                try client.run { pool in
                    try await withThrowingTaskGroup { group in
                        for task in 0..<tasks { group.addTask { try await send(pool, from: task * requests) } }
                        try await group.waitForAll()
                    }
                }
            } theirs: {
                try send(peers, depth: depth)
            }
            let count = tasks * requests
            let name = "libpq, \(connections) connections\(depth == 1 ? "" : ", pipelines of \(depth)")"
            return [
                BenchmarkRow(
                    what: "postgres: a query of 2 KB, \(tasks) tasks on \(connections) connections",
                    measured: runs.ours.divided(by: count),
                    against: (name, runs.theirs.divided(by: count)), bar: .ratioAtLeast(depth == 1 ? 0.8 : 0.5)),
                BenchmarkRow(
                    what: "postgres: CPU time of the client for it", measured: runs.oursCPU.divided(by: count),
                    against: (name, runs.theirsCPU.divided(by: count)), bar: .ratioAtLeast(0.4)),
            ]
        }
    }

    /// Sends all queries of the tasks, with at most `depth` of them in progress on each connection. Each is a separate
    /// transaction.
    private static func send(_ peers: [PipelinedConnection], depth: Int) throws {
        var (sent, received) = (0, 0)
        func send(_ peer: PipelinedConnection) throws(BenchmarkFailure) {
            guard sent < tasks * requests else { return }
            try peer.send("page", [(sent % pageCount).wireBytes])
            try peer.synchronize()
            sent += 1
        }
        for _ in 0..<depth { for peer in peers { try send(peer) } }
        while received < tasks * requests {
            try PipelinedConnection.wait(for: peers)
            for peer in peers where peer.pending > 0 {
                let count = try peer.receive { size throws(BenchmarkFailure) in
                    guard size == pageSize else { throw BenchmarkFailure(reason: "libpq read a page of \(size) bytes") }
                }
                received += count
                for _ in 0..<count { try send(peer) }
            }
        }
    }

    private static func send(_ pool: PostgresPool, from first: Int) async throws {
        for request in first..<first + requests {
            let query = PostgresQuery("page", page, request % pageCount)
            let bodies = try await pool.rows(of: query, as: Bytes.self, until: .late)
            guard bodies.first?.bytes.count == pageSize else { throw BenchmarkDisagreement(what: "a page") }
        }
    }

    private static let items = 1_000_000

    private static func copies(_ client: PostgresClient, _ psql: PSQL) throws -> [BenchmarkRow] {
        let file = "/tmp/vitrine-bench-\(ProcessInfo.processInfo.processIdentifier).rows"
        defer { do { try FileManager.default.removeItem(atPath: file) } catch { print("\(file) was not removed: \(error)") } }
        try client.run("CREATE TABLE items (id int8 NOT NULL, changed timestamptz NOT NULL, title text NOT NULL)")
        let rows = "SELECT i, '2026-01-01Z'::timestamptz + i * interval '1 s', 'An item, number ' || i FROM generate_series(1, \(items)) i"
        _ = try psql.time("\\copy (\(rows)) to '\(file)'")
        let into = try InterleavedRuns(rounds: 5, warmUps: 1) { _ in
            try client.run("TRUNCATE items")
            return try InterleavedRuns.Sample(calls: 1) { try copyIn(client, file) }
        } theirs: { _ in
            InterleavedRuns.Sample(time: try psql.time("TRUNCATE items", "\\copy items from '\(file)'"))
        }
        return [
            BenchmarkRow(
                what: "postgres: copy in \(items) rows", measured: into.ours.inMilliseconds,
                against: ("psql", into.theirs.inMilliseconds), bar: .ratioAtLeast(0.8))
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

    private static let inserted = 10_000
    private static let insertion = "INSERT INTO tags VALUES ($1, $2)"

    /// Measures inserts of the same rows, each time in one transaction: as one call, as calls that are awaited one by
    /// one, and with libpq in pipeline mode.
    private static func inserts(_ client: PostgresClient, _ url: DatabaseURL) throws -> [BenchmarkRow] {
        try client.run("CREATE TABLE tags (id int8 NOT NULL, name text NOT NULL)")
        let peer = try PipelinedConnection(
            url: url.exposed, preparing: ["begin": "BEGIN", "insert": insertion, "commit": "COMMIT"])
        let sides: [(name: String, bar: Double, insert: () throws -> Void)] = [
            ("one at a time", 3, { try insertOneByOne(client) }), ("libpq, a pipeline", 0.5, { try insert(peer) }),
        ]
        return try sides.map { name, bar, insertTheirs in
            let runs = try InterleavedRuns(rounds: 7, warmUps: 1) { _ in
                try sample(client) {
                    try client.run { pool in
                        try await pool.transaction(until: .late) { _ = try await $0.run((0..<inserted).map(insert), until: .late) }
                    }
                }
            } theirs: { _ in
                try sample(client, insertTheirs)
            }
            return BenchmarkRow(
                what: "postgres: insert one of \(inserted) rows in a pipeline, in one transaction",
                measured: runs.ours.divided(by: inserted), against: (name, runs.theirs.divided(by: inserted)), bar: .ratioAtLeast(bar))
        }
    }

    /// Measures a body that fills the empty table.
    private static func sample(_ client: PostgresClient, _ body: () throws -> Void) throws -> InterleavedRuns.Sample {
        try client.run("TRUNCATE tags")
        let sample = try InterleavedRuns.Sample(calls: 1, body)
        let query = PostgresQuery("tags", "SELECT count(*) FROM tags")
        guard try client.run({ try await $0.rows(of: query, as: Int.self, until: .late) }).first == inserted else {
            throw BenchmarkDisagreement(what: "the number of inserted rows")
        }
        return sample
    }

    private static func insertOneByOne(_ client: PostgresClient) throws {
        try client.run { pool in
            try await pool.transaction(until: .late) { connection in
                for number in 0..<inserted { try await connection.run(insert(number), until: .late) }
            }
        }
    }

    private static func insert(_ peer: PipelinedConnection) throws {
        try peer.send("begin")
        for number in 0..<inserted { try peer.send("insert", [number.wireBytes, Array("tag \(number)".utf8)]) }
        try peer.send("commit")
        try peer.synchronize()
        while peer.pending > 0 {
            try PipelinedConnection.wait(for: [peer])
            _ = try peer.receive()
        }
    }

    private static func insert(_ number: Int) -> PostgresQuery {
        PostgresQuery("insert", insertion, number, "tag \(number)")
    }
}
