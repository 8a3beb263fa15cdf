import EventLoop
import Feeds
import Publishing
import TestDatabase
import Testing

/// A log of everything that was ever published, written in the same transactions.
enum Audit {
    static let script = """
        CREATE TABLE vitrine.audit (version bigint PRIMARY KEY, document_key text NOT NULL, document text);
        CREATE FUNCTION vitrine.audit() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO vitrine.audit VALUES (new.version, new.storefront || ' ' || new.kind || ' ' || new.id, new.document::text);
            RETURN NULL;
        END
        $$;
        CREATE TRIGGER audit AFTER INSERT OR UPDATE OF version ON vitrine.published FOR EACH ROW EXECUTE FUNCTION vitrine.audit();
        """

    private static let hour = "SELECT date_trunc('hour', clock_timestamp())::text"

    /// Checks that versions have no gap, no repetition and no later change, and that a new sequencer publishes nothing.
    static func check(_ site: Site, _ settings: String = "") async throws {
        var (head, versions, hours): (Int, Int, [String]) = (0, 0, [])
        // A section can rotate at a full hour.
        repeat {
            hours = try await site.rows(hour)
            var another = try site.sequencer()
            _ = try await another.drain(site.connection, until: .soon)
            head = try await another.drain(site.connection, until: .soon).head
            var restarted = try site.sequencer()
            versions = try await restarted.drain(site.connection, until: .soon).versions
        } while try await site.rows(hour) != hours
        #expect(versions == 0, "\(settings)")
        #expect(
            try await site.rows("SELECT count(*) || ' to ' || max(version) FROM vitrine.audit") == ["\(head) to \(head)"], "\(settings)")
        let others = try await site.rows(
            """
            SELECT version::text FROM (
                SELECT DISTINCT ON (document_key) document_key, version, document FROM vitrine.audit ORDER BY document_key, version DESC
            ) AS newest
            FULL JOIN (
                SELECT storefront || ' ' || kind || ' ' || id AS document_key, version, document::text AS document FROM vitrine.published
            ) AS present USING (document_key, version)
            WHERE newest.document IS DISTINCT FROM present.document OR newest.document_key IS NULL
            """)
        #expect(others.isEmpty, "\(settings)")
    }
}
