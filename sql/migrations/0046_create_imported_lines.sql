-- The lines of catalog files from which items were imported. An import that reads an equal line again skips it.

-- The item has the content of the line, and is not withdrawn. It has no foreign key, which would cost an import several
-- microseconds for each item: settle_items deletes the line of an item that is written in any other way, and that of a deleted
-- item.
CREATE TABLE imported_lines (
    item_id uuid NOT NULL,
    -- The hash of the line in 16 bytes, then the fingerprints of the names of its record in 8 bytes each: those of source and
    -- slug, and if the line has an ID or a serial number, three of these. The program defines both.
    line bytea NOT NULL,
    stored_at timestamptz NOT NULL DEFAULT transaction_timestamp(),
    CONSTRAINT imported_lines_pkey PRIMARY KEY (item_id),
    CONSTRAINT imported_lines_line_check CHECK (octet_length(line) IN (32, 56))
);

-- Compression does not shrink random bytes.
ALTER TABLE imported_lines ALTER COLUMN line SET STORAGE PLAIN;

-- The hashes of lines that are no longer those of their items. An import reads the lines of the catalog once, and then asks
-- before each of its transactions which of them were lost since. Rows are deleted after a week.
CREATE TABLE lost_lines (
    -- The hashes one after another.
    hashes bytea NOT NULL,
    transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
    lost_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT lost_lines_hashes_check CHECK (octet_length(hashes) > 0 AND octet_length(hashes) % 16 = 0)
);

ALTER TABLE lost_lines ALTER COLUMN hashes SET STORAGE EXTERNAL;

CREATE FUNCTION keep_lost_lines() RETURNS trigger LANGUAGE plpgsql
AS $$
BEGIN
    INSERT INTO vitrine.lost_lines (hashes)
    SELECT string_agg(substr(line, 1, 16), '')
    FROM (SELECT line, (row_number() OVER () - 1) / 1000 AS part FROM old_rows) AS parts
    GROUP BY part;
    RETURN NULL;
END
$$;

CREATE TRIGGER keep_updated_lines AFTER UPDATE ON imported_lines
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_lost_lines();
CREATE TRIGGER keep_deleted_lines AFTER DELETE ON imported_lines
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION keep_lost_lines();
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON imported_lines EXECUTE FUNCTION refuse_truncate();
ALTER TABLE imported_lines
    ENABLE ALWAYS TRIGGER keep_updated_lines,
    ENABLE ALWAYS TRIGGER keep_deleted_lines,
    ENABLE ALWAYS TRIGGER refuse_truncate;

-- Like the previous function. In addition, deletes the lines of items that were written in another way.
CREATE OR REPLACE FUNCTION settle_items() RETURNS trigger LANGUAGE plpgsql
SET plan_cache_mode = force_custom_plan
SET jit = off
AS $$
DECLARE
    touched uuid[];
    broken record;
BEGIN
    SELECT array_agg(DISTINCT id) INTO touched
    FROM vitrine.touched_items CROSS JOIN unnest(ids) AS id WHERE transaction = pg_current_xact_id();
    -- Locked before the rules are checked. If two transactions each remove one of the two categories of an item, the
    -- second must see the change of the first.
    PERFORM FROM vitrine.items WHERE id = ANY (touched) ORDER BY id FOR NO KEY UPDATE;
    -- No record has a hash of zeros, so the next import writes the item again.
    IF current_setting('vitrine.writes_hashes', true) IS DISTINCT FROM 'on' THEN
        UPDATE vitrine.items SET content_hash = decode(repeat('00', 32), 'hex'), version = version + 1
        WHERE id = ANY (touched) AND created_at <> transaction_timestamp();
    END IF;
    -- The snapshot of this transaction can hide a line that another one has stored since. This fails if there is one.
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        INSERT INTO vitrine.imported_lines (item_id, line, stored_at)
        SELECT id, decode(repeat('00', 32), 'hex'), '-infinity' FROM unnest(touched) AS id ON CONFLICT (item_id) DO NOTHING;
    END IF;
    -- Also if the writer knows the hashes: only a line that the same transaction has stored is that of the written content.
    DELETE FROM vitrine.imported_lines WHERE item_id = ANY (touched) AND stored_at <> transaction_timestamp();
    -- After the update above, whose rows the triggers collect as well.
    DELETE FROM vitrine.touched_items WHERE transaction = pg_current_xact_id();
    SELECT item_id, rule INTO broken FROM vitrine.broken_item_rule(touched);
    IF FOUND THEN
        RAISE EXCEPTION 'item "%" violates check constraint "%"', broken.item_id, broken.rule
            USING ERRCODE = 'check_violation', SCHEMA = 'vitrine', TABLE = 'items', CONSTRAINT = broken.rule;
    END IF;
    INSERT INTO vitrine.sync_outbox (kind, ids)
    SELECT 'item', touched[first:first + 999] FROM generate_series(1, cardinality(touched), 1000) AS first;
    -- Up to 100 items are indexed immediately. A commit of more items does not wait for indexing, and neither does an
    -- import, which sets vitrine.queues_items. It would lock counts that other transactions wait for, while they lock
    -- items that the import needs next.
    IF cardinality(touched) <= 100 AND current_setting('vitrine.queues_items', true) IS DISTINCT FROM 'on' THEN
        PERFORM vitrine.derive(touched);
    ELSE
        INSERT INTO vitrine.stale_items (ids)
        SELECT touched[first:first + 99] FROM generate_series(1, cardinality(touched), 100) AS first;
        NOTIFY vitrine_stale_items;
    END IF;
    RETURN NULL;
END
$$;

-- settle_items runs with the rights of the writer. Roles get all rights after the migrations, but programs write before.
DO $$
DECLARE
    writer text;
BEGIN
    FOR writer IN
        SELECT DISTINCT grantee::regrole::text
        FROM pg_class CROSS JOIN aclexplode(relacl)
        WHERE oid = 'vitrine.touched_items'::regclass AND privilege_type = 'INSERT' AND grantee NOT IN (0, relowner)
    LOOP
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON vitrine.imported_lines, vitrine.lost_lines TO %s', writer);
    END LOOP;
END
$$;
