import Foundation
import Host
import Postgres
import Settings

/// A published catalog of which clients keep local copies.
struct SyncedSite {
    /// The number of rows that a server scans in each index for a page.
    private static let passedRows = 5_000
    /// The size that a server counts for an item in addition to its document: `SyncReader.itemBytes`.
    private static let itemBytes = 1_200

    private let site: MeasuredSite
    /// The number of items.
    private let count: Int
    private let client: PostgresClient
    private let psql: PSQL

    var url: DatabaseURL { site.url }

    init(_ site: MeasuredSite, count: Int = GeneratedItems.count) throws {
        self.site = site
        self.count = count
        client = try PostgresClient(site.url)
        psql = PSQL(url: site.url.exposed)
    }

    func close() throws { try client.close() }

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
        let what = "sync: first load of \(min(items, count)) items, a MB of JSON"
        return try [
            BenchmarkRow(what: "\(what), time of the server's core", measured: .init(rounds.map(\.cpu), unit: "ms"), bar: .atMost(10)),
            // The client waits for the database, the server and itself, one after another.
            BenchmarkRow(
                what: "\(what), until the client has received it", measured: .init(rounds.map(\.wall), unit: "ms"),
                against: ("COPY of JSON", .init(rounds.map(\.copy), unit: "ms")), bar: .atMost(50)),
        ]
    }

    func load(from server: VitrineServer, limit: Int, until maximum: Int = .max, after cursor: String? = nil) throws -> FirstLoad {
        try client.run { [port = server.port] pool in
            var load = FirstLoad(after: cursor)
            try await load.run(try await ClientSocket(port: port, on: pool.loop, timeout: .longestStep), limit: limit, until: maximum)
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
            within: .longestStep)
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

    /// Measures the wait of a client for twenty changes, against the time of the database for the same query: the last changes, and
    /// those in the middle of a first load.
    func deltas(from server: VitrineServer, after cursor: String) throws -> [BenchmarkRow] {
        let load = try load(from: server, limit: 1_000, until: min(100_000, count / 2))
        guard let middle = load.cursor else { throw BenchmarkFailure(reason: "the response has no cursor") }
        // A small catalog has fewer changes after the middle than all rounds need.
        let rounds = try min(Self.rounds, self.changes(after: load.version, limit: Self.rounds * Self.changes) / Self.changes)
        let far = Delta(cursor: middle, version: load.version, base: try head(), limit: Self.changes)
        let before = try head()
        try change(Self.changes)
        try site.waitUntilPublished()
        // Responses are stored. Another limit or another cursor results in another response.
        // A cursor at the head has the base zero.
        let near = Delta(cursor: cursor, version: before, base: 0, limit: 300)
        return try [
            row("near the head", bar: 1.2, rounds: Self.rounds, from: server, near) { delta, _ in delta.limit += 1 },
            row("far from the head", bar: 2, rounds: rounds, from: server, far) { delta, page in
                (delta.cursor, delta.version) = (page.cursor, page.version)
            },
        ]
    }

    private static let rounds = 60
    private static let changes = 20

    /// Returns the number of published items after a version that are in all storefronts, up to a limit.
    private func changes(after version: Int, limit: Int) throws -> Int {
        let query = PostgresQuery(
            "changes",
            """
            SELECT version FROM vitrine.published
            WHERE kind = 'item' AND is_everywhere AND document IS NOT NULL AND version > $1 ORDER BY version LIMIT $2
            """, version, Int32(limit))
        return try client.run { try await $0.rows(of: query, as: Int.self, until: .late).count }
    }

    /// The parameters of a request for changes and of its query.
    private struct Delta {
        var cursor: String
        var version: Int
        /// The version up to which the client needs no tombstones.
        let base: Int
        var limit: Int

        /// The query reads one change more than the page may have.
        var parameters: [String] {
            [
                "us", "\(version)", "\(base)", "\(limit + 1)", "\(512 * 1_024)", "\(SyncedSite.passedRows)",
                "\(SyncedSite.itemBytes)",
            ]
        }
    }

    private func row(
        _ name: String, bar: Double, rounds: Int, from server: VitrineServer, _ first: Delta,
        next: @escaping @Sendable (inout Delta, FirstLoad.Page) -> Void
    ) throws -> BenchmarkRow {
        let text = NamedQuery("sync.catalog").text
        let times = try client.run { [port = server.port, url = psql.url] pool in
            let bare = try BlockingConnection(url: url)
            try bare.prepare("delta", text)
            let socket = try await ClientSocket(port: port, on: pool.loop, timeout: .longestStep)
            var times: (ours: [Duration], theirs: [Duration]) = ([], [])
            var delta = first
            for _ in 0..<rounds {
                // The first of two queries would wait for the disk.
                try bare.fetch("delta", delta.parameters)
                var start = ContinuousClock.now
                let response = try await socket.response(to: Self.path("limit=\(delta.limit)", after: delta.cursor))
                times.ours.append(start.duration(to: .now))
                start = .now
                try bare.fetch("delta", delta.parameters)
                times.theirs.append(start.duration(to: .now))
                guard response.status == 200 else { throw BenchmarkFailure(reason: String(decoding: response.body, as: UTF8.self)) }
                let page = try FirstLoad.Page(response.body)
                guard page.changes >= Self.changes else { throw BenchmarkFailure(reason: "a delta of \(page.changes) changes") }
                next(&delta, page)
            }
            return times
        }
        return try BenchmarkRow(
            what: "sync: \(Self.changes) changes of \(count) items, \(name)", measured: .milliseconds(times.ours),
            against: ("only its query", .milliseconds(times.theirs)), bar: .ratioAtLeast(1 / bar))
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
