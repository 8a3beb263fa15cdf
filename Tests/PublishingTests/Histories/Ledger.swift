import EventLoop
import Postgres
import TestDatabase

@testable import Publishing

/// All rows that were ever published, tombstones included.
struct Ledger {
    /// The head before the last drain.
    private(set) var before = 0
    private var head = 0
    private var rows: [String: String] = [:]
    /// The IDs of items that were published as available everywhere.
    private var everywhere: Set<String> = []

    /// Reads the rows of a drain, and checks that each version exists once and that a new version has new content.
    ///
    /// Only the tombstone of a membership may have a new version with the same content: if its item was available everywhere in between,
    /// clients of the storefront have the item and need to delete it.
    ///
    /// Returns a description of the violation, or nil if the rows are correct.
    mutating func update(to report: Sequencer.Report, from connection: PostgresConnection) async throws -> String? {
        before = head
        head = report.head
        let query = PostgresQuery(
            "ledger",
            """
            SELECT kind || ' ' || storefront || ' ' || id, version, coalesce(document::text, 'gone'), is_everywhere,
                CASE WHEN kind = 'item' THEN id ELSE item_id::text END
            FROM vitrine.published WHERE version > $1::bigint
            UNION ALL
            SELECT 'storefront ' || storefront, version, document::text, NULL, NULL
            FROM vitrine.published_storefronts WHERE version > $1
            ORDER BY version
            """, before)
        let written = try await connection.rows(of: query, as: String.self, Int.self, String.self, Bool?.self, String?.self, until: .soon)
        let wasEverywhere = everywhere
        if written.map(\.1) != Array(before..<head).map({ $0 + 1 }) || report.versions != head - before {
            return "the versions behind \(before) are \(written.map(\.1)), and the head is \(head)"
        }
        for (key, version, document, isEverywhere, item) in written {
            if let item, let isEverywhere {
                if isEverywhere { everywhere.insert(item) } else { everywhere.remove(item) }
            }
            guard rows.updateValue(document, forKey: key) == document else { continue }
            let isGoneAgain =
                document == "gone" && key.hasPrefix("membership ")
                && item.map { wasEverywhere.contains($0) && !everywhere.contains($0) } ?? false
            if !isGoneAgain { return "version \(version) of \(key) is the same as before" }
        }
        let count = try await connection.rows(
            of: PostgresQuery(
                "count",
                """
                SELECT count(*) FROM (
                    SELECT version FROM vitrine.published UNION ALL SELECT version FROM vitrine.published_storefronts WHERE version > 0) AS rows
                """), as: Int.self, until: .soon)
        return count == [rows.count] ? nil : "there are \(count) rows, of which \(rows.count) were seen"
    }
}
