-- Polling servers no longer read all feeds and all digest buckets several times a second.

-- A drain locks the head first. In another order, this migration and a drain would wait for each other.
LOCK TABLE sync_head IN EXCLUSIVE MODE;

-- The feeds whose valid_until has changed since this migration. It is a table of its own, because a column would lock
-- published against all readers.
CREATE TABLE published_ends (
    storefront text NOT NULL,
    feed text NOT NULL,
    -- The head when valid_until changed last. A drain sets it before it moves the head, or without moving it, so a server
    -- that has read a higher version has read valid_until as well.
    version bigint NOT NULL,
    CONSTRAINT published_ends_pkey PRIMARY KEY (storefront, feed),
    CONSTRAINT published_ends_version_check CHECK (version >= 0)
);

CREATE INDEX published_ends_by_version ON published_ends (version);

CREATE FUNCTION note_end() RETURNS trigger LANGUAGE plpgsql
AS $$
BEGIN
    INSERT INTO vitrine.published_ends (storefront, feed, version)
    SELECT NEW.storefront, NEW.id, version FROM vitrine.sync_head
    ON CONFLICT (storefront, feed) DO UPDATE SET version = excluded.version;
    RETURN NULL;
END
$$;

-- A trigger, because an older sequencer does not know the table.
CREATE TRIGGER note_ends AFTER UPDATE OF valid_until ON published
    FOR EACH ROW WHEN (NEW.valid_until IS DISTINCT FROM OLD.valid_until) EXECUTE FUNCTION note_end();
ALTER TABLE published ENABLE ALWAYS TRIGGER note_ends;

-- The digest of each catalog, which is the sum of its digest buckets. Triggers of the buckets keep it up to date, so that
-- it includes the changes of all writers.
CREATE TABLE sync_catalogs (
    storefront text NOT NULL,
    entries bigint NOT NULL,
    high bigint NOT NULL,
    low bigint NOT NULL,
    CONSTRAINT sync_catalogs_pkey PRIMARY KEY (storefront)
);

CREATE FUNCTION add_to_catalogs() RETURNS trigger LANGUAGE plpgsql
AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        INSERT INTO vitrine.sync_catalogs AS present (storefront, entries, high, low)
        SELECT storefront, -sum(entries), bit_xor(high), bit_xor(low) FROM old_rows GROUP BY storefront
        ON CONFLICT (storefront) DO UPDATE SET
            entries = present.entries + excluded.entries, high = present.high # excluded.high, low = present.low # excluded.low;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO vitrine.sync_catalogs AS present (storefront, entries, high, low)
        SELECT storefront, sum(entries), bit_xor(high), bit_xor(low) FROM new_rows GROUP BY storefront
        ON CONFLICT (storefront) DO UPDATE SET
            entries = present.entries + excluded.entries, high = present.high # excluded.high, low = present.low # excluded.low;
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER add_inserted AFTER INSERT ON sync_buckets REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION add_to_catalogs();
CREATE TRIGGER add_updated AFTER UPDATE ON sync_buckets REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION add_to_catalogs();
CREATE TRIGGER add_deleted AFTER DELETE ON sync_buckets REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION add_to_catalogs();
ALTER TABLE sync_buckets ENABLE ALWAYS TRIGGER add_inserted, ENABLE ALWAYS TRIGGER add_updated, ENABLE ALWAYS TRIGGER add_deleted;

-- Corrects the digests of the catalogs of these storefronts. Locks the head, because publishing updates them relative to their
-- values.
CREATE FUNCTION settle_catalogs(asked_storefronts text[]) RETURNS void LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM FROM vitrine.sync_head FOR UPDATE;
    INSERT INTO vitrine.sync_catalogs (storefront, entries, high, low)
    SELECT asked.storefront, coalesce(sum(entries), 0), coalesce(bit_xor(high), 0), coalesce(bit_xor(low), 0)
    FROM unnest(asked_storefronts) AS asked (storefront)
    LEFT JOIN vitrine.sync_buckets ON sync_buckets.storefront = asked.storefront
    GROUP BY asked.storefront
    ON CONFLICT (storefront) DO UPDATE SET entries = excluded.entries, high = excluded.high, low = excluded.low;
END
$$;

SELECT settle_catalogs(ARRAY(SELECT DISTINCT storefront FROM sync_buckets));

-- The triggers run with the rights of the sequencer. Roles get all rights after the migrations, but programs write before.
DO $$
DECLARE
    writer text;
BEGIN
    FOR writer IN
        SELECT DISTINCT grantee::regrole::text
        FROM pg_class CROSS JOIN aclexplode(relacl)
        WHERE oid = 'vitrine.sync_buckets'::regclass AND privilege_type = 'INSERT' AND grantee NOT IN (0, relowner)
    LOOP
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON vitrine.published_ends, vitrine.sync_catalogs TO %s', writer);
    END LOOP;
END
$$;
