import Host
import Postgres
import Security
import Settings
import TestDatabase
import Testing

/// Migrations that take a few milliseconds each and leave rows, so that a partial or repeated one shows. They have no
/// sequence, because a sequence also counts rolled-back migrations.
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

    /// Returns the schema and all rows of a database as `pg_dump` writes them, without the times of the migrations. The lines are sorted
    /// because rows have no order.
    static func contents(of database: ScratchDatabase) throws -> [Substring] {
        let arguments = ["--no-owner", "--exclude-table-data=vitrine_meta.migrations", "-d", database.url.exposed]
        let (text, status) = try ProcessLaunch("pg_dump", arguments).output(within: .seconds(60))
        #expect(status.isSuccess, "\(text)")
        // Newer releases write a random word on a separate line.
        return text.split(separator: "\n").filter { !$0.hasPrefix("\\") }.sorted()
    }
}
