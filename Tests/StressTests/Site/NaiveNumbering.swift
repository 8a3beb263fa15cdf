import EventLoop
import Host
import Postgres

/// Versions from a sequence in the writing transaction, a common error: a client that asks for changes after a version misses a change
/// that commits later with a lower one. A test that does not detect this is useless.
enum NaiveNumbering {
    /// The script that replaces the sequencer for existing items. Changes by deferred triggers of the catalog get no version, so late
    /// commits stay late.
    static let script = """
        SELECT begin_epoch(true);
        INSERT INTO published_storefronts (storefront, version, document) SELECT storefront, 0, document FROM storefront_documents();
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
        CREATE TRIGGER number_naively AFTER UPDATE OF rating_count ON items FOR EACH ROW EXECUTE FUNCTION number_naively();
        UPDATE items SET rating_count = 6;
        """

    static let habits: [Writer.Habit] = [.bulk, .rollback, .late, .pairs]

    /// Written after all other writers have ended.
    static let lastItem = "item-2"
    static let lastRating = 701

    /// Loses a change deterministically: it gets its number first, and commits after a client has read past it.
    static func commitLate(_ database: StressDatabase, after crowd: StressCrowd) throws {
        // A writer that timed out may have left a running change.
        try database.wait("SELECT count(*) = 0 FROM pg_locks WHERE relation = 'items'::regclass AND mode = 'RowExclusiveLock'")
        let lock = "SELECT pg_advisory_lock(7)"
        var holder = try database.start("\(lock); SELECT pg_sleep(86400)")
        try database.wait("SELECT count(*) > 0 FROM pg_locks WHERE locktype = 'advisory' AND objid = 7 AND granted")
        var late = try database.start("BEGIN; UPDATE vitrine.items SET rating_count = 700 WHERE slug = 'item-1'; \(lock); COMMIT")
        try database.wait("SELECT count(*) > 0 FROM pg_locks WHERE locktype = 'advisory' AND objid = 7 AND NOT granted")
        try database.send("UPDATE items SET rating_count = \(lastRating) WHERE slug = '\(lastItem)'")
        let end = ContinuousClock.now + .seconds(60)
        while !crowd.hasReceivedLast, ContinuousClock.now < end { _ = Signal.next(of: [], within: .milliseconds(20)) }
        try database.send("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = 7 AND granted")
        _ = try holder.wait()
        let status = try late.wait()
        guard status.isSuccess else { throw FleetProcess.Failure(description: "the late transaction failed: \(status)") }
    }

    /// Publishes the highest visible number to the servers.
    static func publish(to site: StressSite, on loop: EventLoop, while isToGoOn: () -> Bool) async throws {
        let connection = try await PostgresConnection.connect(site.configuration, on: loop, until: .after(.seconds(20)))
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
