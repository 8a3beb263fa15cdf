import Host
import Postgres
import Security
import Settings
import TestDatabase
import Testing

/// Migrations that take some milliseconds each and leave rows, so that one that ran twice or by half would show. A
/// sequence would show as well, but it also counts what was taken back.
enum Warehouse {
    static let files = [
        Site.file("0001_create_schema.sql", "CREATE SCHEMA vitrine; SELECT pg_sleep(0.01);"),
        Site.file(
            "0002_create_items.sql",
            """
            CREATE TABLE items (id bigint PRIMARY KEY, name text NOT NULL);
            INSERT INTO items SELECT n, 'item ' || n FROM generate_series(1, 200) AS n;
            SELECT pg_sleep(0.02);
            CREATE INDEX items_name_idx ON items (name);
            """),
        Site.file(
            "0003_add_prices.sql",
            "ALTER TABLE items ADD price bigint; SELECT pg_sleep(0.02); UPDATE items SET price = id * 100; SELECT pg_sleep(0.01);"),
        Site.file(
            "0004_create_orders.sql",
            """
            CREATE FUNCTION total(bigint) RETURNS bigint LANGUAGE sql RETURN $1 * 2;
            SELECT pg_sleep(0.01);
            CREATE TABLE orders (item bigint NOT NULL REFERENCES items (id), count bigint NOT NULL DEFAULT total(1));
            INSERT INTO orders (item) SELECT id FROM items;
            """),
        Site.file("0005_drop_indices.sql", "DROP INDEX items_name_idx; SELECT pg_sleep(0.02); INSERT INTO items VALUES (201, 'last');"),
    ]

    static func runner(_ files: [Site.File] = files) throws -> MigrationRunner {
        MigrationRunner(
            try MigrationSet(files, digest: Digest.sha256))
    }

    /// The schema and every row of a database as `pg_dump` writes them, but for when each migration was run; sorted, as rows have no order.
    static func contents(of database: ScratchDatabase) throws -> [Substring] {
        let words = ["--no-owner", "--exclude-table-data=vitrine_meta.migrations", "-d", database.url.exposed]
        let (text, status) = try ProcessLaunch("pg_dump", words).output(within: .seconds(60))
        #expect(status.isSuccess, "\(text)")
        // Newer releases put a random word on a line of its own.
        return text.split(separator: "\n").filter { !$0.hasPrefix("\\") }.sorted()
    }
}
