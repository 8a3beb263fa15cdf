import Foundation
import Host
import Postgres
import Settings

/// A published catalog of which clients keep local copies.
struct SyncedSite {
    /// The number of rows that a server scans in each index for a page.
    private static let passedRows = 5_000

    private let site: MeasuredSite
    private let client: PostgresClient
    private let psql: PSQL

    var url: DatabaseURL { site.url }

    init(_ site: MeasuredSite) throws {
        self.site = site
        client = try PostgresClient(site.url)
        psql = PSQL(url: site.url.exposed)
    }

    static func path(_ text: String, after cursor: String?) -> String {
        "/v1/us/sync?locale=en&\(text)\(cursor.map { "&cursor=\($0)" } ?? "")"
    }

    func waitUntilPublished(by server: VitrineServer) throws {
        try server.waitUntilReady()
        try site.waitUntilPublished()
    }

    /// Changes that many items in one transaction.
    func change(_ count: Int) throws {
        let query = PostgresQuery(
            "change",
            """
            UPDATE vitrine.items SET rating_count = rating_count + 1
            WHERE id IN (SELECT id FROM vitrine.items WHERE is_everywhere AND rating_count > 0 ORDER BY serial_number LIMIT $1)
            """, Int32(count))
        _ = try client.run { try await $0.run(query, until: .late) }
    }

    /// Measures the first load of a client, as the CPU time of the server and as elapsed time, against a COPY of the
    /// same items.
    func loads(_ items: Int, from server: VitrineServer) throws -> [BenchmarkRow] {
        let measured = MeasuredServer(name: "vitrine", port: server.port, process: server.id)
        var rounds: [(cpu: Double, wall: Double, copy: Double)] = []
        for round in 0..<3 {
            let before = try measured.time()
            // Responses are cached. Another limit results in another response.
            let load = try load(from: server, limit: 1_000 - round, until: items)
            let spent = try measured.time().spent(since: before).total
            let megabytes = Double(load.bytes) / 1_000_000
            rounds.append((spent / .milliseconds(1) / megabytes, load.time / .milliseconds(1) / megabytes, try copied(load.changes)))
        }
        let what = "sync: first load of \(min(items, GeneratedItems.count)) items, a MB of JSON"
        return try [
            BenchmarkRow(what: "\(what), time of the server's core", measured: .init(rounds.map(\.cpu), unit: "ms"), bar: .atMost(10)),
            // The client waits for the database, the server and itself, one after another.
            BenchmarkRow(
                what: "\(what), until the client has received it", measured: .init(rounds.map(\.wall), unit: "ms"),
                against: ("COPY of JSON", .init(rounds.map(\.copy), unit: "ms")), bar: .atMost(50)),
        ]
    }

    private func load(from server: VitrineServer, limit: Int, until maximum: Int = .max, after cursor: String? = nil) throws -> FirstLoad {
        try client.run { [port = server.port] pool in
            var load = FirstLoad(after: cursor)
            try await load.run(try await ClientSocket(port: port, on: pool.loop, timeout: .seconds(600)), limit: limit, until: maximum)
            return load
        }
    }

    /// Returns the milliseconds of a COPY for each megabyte.
    private func copied(_ items: Int) throws -> Double {
        let query = """
            COPY (
                SELECT json_build_object('op', 'upsert', 'kind', kind, 'id', id, 'version', version, 'hash', encode(hash, 'hex'), 'data', document)
                FROM vitrine.published WHERE kind = 'item' AND document IS NOT NULL ORDER BY version LIMIT \(items)
            ) TO STDOUT
            """
        let start = ContinuousClock.now
        let (text, status) = try ProcessLaunch("sh", ["-c", "psql -X -d \"$0\" -c \"$1\" | wc -c", psql.url, query]).output(
            within: .seconds(600))
        let time = start.duration(to: .now)
        guard status.isSuccess, let bytes = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw BenchmarkFailure(reason: "psql: \(text)")
        }
        return time / .milliseconds(1) / (bytes / 1_000_000)
    }

    /// Returns the cursor at the head, after loading everything, or everything after another cursor.
    func cursorAtHead(of server: VitrineServer, after cursor: String? = nil) throws -> String {
        guard let cursor = try load(from: server, limit: 1_000, after: cursor).cursor else {
            throw BenchmarkFailure(reason: "the response has no cursor")
        }
        return cursor
    }

    /// Measures the wait of a client that lacks twenty changes, against the time of the database for the same query.
    func deltas(from server: VitrineServer, after cursor: String) throws -> [BenchmarkRow] {
        let before = try head()
        try change(20)
        try site.waitUntilPublished()
        let text = NamedQuery("sync.catalog").text
        let times = try client.run { [port = server.port, url = psql.url] pool in
            let bare = try BlockingConnection(url: url)
            try bare.prepare("delta", text)
            let socket = try await ClientSocket(port: port, on: pool.loop, timeout: .seconds(600))
            var times: (ours: [Duration], theirs: [Duration]) = ([], [])
            for round in 0..<60 {
                var start = ContinuousClock.now
                let page = try await socket.response(to: Self.path("limit=\(300 + round)", after: cursor))
                times.ours.append(start.duration(to: .now))
                guard page.status == 200, page.body.count > 5_000 else {
                    throw BenchmarkFailure(reason: "unexpected delta of \(page.body.count) bytes")
                }
                start = .now
                try bare.fetch("delta", ["us", "\(before)", "\(before)", "\(301 + round)", "\(512 * 1_024)", "\(Self.passedRows)"])
                times.theirs.append(start.duration(to: .now))
            }
            return times
        }
        return try [
            BenchmarkRow(
                what: "sync: 20 changes of \(GeneratedItems.count) items, near the head", measured: .milliseconds(times.ours),
                against: ("only its query", .milliseconds(times.theirs)), bar: .ratioAtLeast(0.83))
        ]
    }

    /// Returns the highest published version.
    private func head() throws -> Int {
        let query = PostgresQuery("head", "SELECT version FROM vitrine.sync_head")
        guard let head = try client.run({ try await $0.rows(of: query, as: Int.self, until: .late) }).first else {
            throw BenchmarkFailure(reason: "nothing was published")
        }
        return head
    }
}
