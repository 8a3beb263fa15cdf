import EventLoop
import Postgres
import TestDatabase

@testable import Feeds

/// All rows that were ever published, tombstones included.
struct Ledger {
    /// The head before the last drain.
    private(set) var before = 0
    private var head = 0
    private var rows: [String: String] = [:]

    /// Reads what a drain has written: each version is there once, and nothing has one without another content.
    ///
    /// Answers with what is wrong with that.
    mutating func update(to report: Sequencer.Report, from connection: PostgresConnection) async throws -> String? {
        before = head
        head = report.head
        let query = PostgresQuery(
            "ledger",
            """
            SELECT kind || ' ' || storefront || ' ' || id, version, coalesce(document::text, 'gone')
            FROM vitrine.published WHERE version > $1::bigint ORDER BY version
            """, before)
        let written = try await connection.rows(of: query, as: String.self, Int.self, String.self, until: .soon)
        if written.map(\.1) != Array(before..<head).map({ $0 + 1 }) || report.versions != head - before {
            return "the versions behind \(before) are \(written.map(\.1)), and the head is \(head)"
        }
        for (key, version, document) in written {
            if rows.updateValue(document, forKey: key) == document { return "version \(version) of \(key) is the same as before" }
        }
        let count = try await connection.rows(
            of: PostgresQuery("count", "SELECT count(*) FROM vitrine.published"), as: Int.self, until: .soon)
        return count == [rows.count] ? nil : "there are \(count) rows, of which \(rows.count) were seen"
    }
}
