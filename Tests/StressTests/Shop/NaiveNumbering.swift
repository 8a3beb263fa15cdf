import EventLoop
import Host
import Postgres

/// Versions as many give them: by a sequence, in the transaction that writes. Who asks for what is behind a version misses what commits later with a
/// lower one; a test that does not find that out finds nothing.
enum NaiveNumbering {
    /// In place of the sequencer, for items that stay.
    static let script = """
        SELECT begin_epoch(true);
        CREATE SEQUENCE naive;
        CREATE FUNCTION number_naively() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO vitrine.published (kind, id, storefront, is_everywhere, version, document, hash)
            SELECT 'item', item_id, '*', true, nextval('vitrine.naive'), document, substring(sha256(convert_to(document::text, 'UTF8')) FOR 16)
            FROM vitrine.item_documents(ARRAY[new.id])
            ON CONFLICT (kind, id, storefront) DO UPDATE SET version = excluded.version, document = excluded.document, hash = excluded.hash;
            RETURN NULL;
        END
        $$;
        CREATE TRIGGER number_naively AFTER UPDATE ON items FOR EACH ROW EXECUTE FUNCTION number_naively();
        UPDATE items SET rating_count = 6;
        """

    static let habits: [Writer.Habit] = [.bulk, .rollback, .late, .pairs]

    /// What loses a change for certain: it gets its number first and commits last, with time for everybody to read past it.
    static func commitLate(_ database: StressDatabase) throws {
        var late = try database.start(
            "BEGIN; UPDATE vitrine.items SET rating_count = 700 WHERE slug = 'item-1'; SELECT pg_sleep(3); COMMIT")
        _ = Signal.next(of: [], within: .milliseconds(500))
        try database.ask("UPDATE items SET rating_count = 701 WHERE slug = 'item-2'")
        let status = try late.wait()
        guard status.isSuccess else { throw FleetProcess.Failure(description: "the late transaction failed: \(status)") }
    }

    /// Tells the servers the highest number that can be seen.
    static func publish(to shop: StressShop, on loop: EventLoop, while isToGoOn: () -> Bool) async throws {
        let connection = try await PostgresConnection.connect(shop.configuration, on: loop, until: .after(.seconds(20)))
        defer { connection.close() }
        let head = """
            UPDATE vitrine.sync_head SET version = (SELECT max(version) FROM vitrine.published);
            SELECT pg_notify('vitrine_published', (SELECT version::text FROM vitrine.sync_head));
            """
        while isToGoOn() {
            try await connection.runScript("head", head, until: .after(.seconds(20)))
            try await loop.sleep(until: .after(.milliseconds(5)))
        }
    }
}
