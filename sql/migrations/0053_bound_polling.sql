-- Polling servers no longer read all feeds several times a second.

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

-- The trigger runs with the rights of the sequencer. Roles get all rights after the migrations, but programs write before.
DO $$
DECLARE
    writer text;
BEGIN
    FOR writer IN
        SELECT DISTINCT grantee::regrole::text
        FROM pg_class CROSS JOIN aclexplode(relacl)
        WHERE oid = 'vitrine.published'::regclass AND privilege_type = 'INSERT' AND grantee NOT IN (0, relowner)
    LOOP
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON vitrine.published_ends TO %s', writer);
    END LOOP;
END
$$;
