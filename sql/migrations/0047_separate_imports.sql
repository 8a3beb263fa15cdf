-- The changes of imports are apart from all others, so that an edit does not wait for the items that an import has written.

-- Whether an import or its indexing has written the row. A drain takes a bounded number of these. The setting lasts until the
-- transaction ends, so all rows of a transaction are equal. Those of earlier programs count as edits.
ALTER TABLE sync_outbox
    ADD COLUMN is_import boolean NOT NULL DEFAULT coalesce(current_setting('vitrine.is_import', true), '') = 'on';

-- Like the previous function. Items that wait for indexing are those of imports and of other large changes, and the items of
-- an edit during an import.
CREATE OR REPLACE FUNCTION derive_items(most bigint) RETURNS bigint LANGUAGE plpgsql
-- Compiling would take longer than the function.
SET jit = off
AS $$
DECLARE
    taken uuid[];
BEGIN
    WITH rows AS (
        DELETE FROM vitrine.stale_items
        WHERE ctid = ANY (ARRAY(SELECT ctid FROM vitrine.stale_items LIMIT greatest(1, most / 100) FOR UPDATE SKIP LOCKED))
        RETURNING ids
    )
    SELECT array_agg(DISTINCT id) INTO taken FROM rows CROSS JOIN unnest(rows.ids) AS id;
    IF taken IS NULL THEN
        RETURN 0;
    END IF;
    PERFORM FROM vitrine.items WHERE id = ANY (taken) ORDER BY id FOR NO KEY UPDATE;
    DELETE FROM vitrine.unindexed_items WHERE item_id = ANY (taken);
    PERFORM vitrine.derive_all_that_can_be(taken);
    INSERT INTO vitrine.sync_outbox (kind, ids, is_import)
    SELECT 'listing', taken[first:first + 999], true FROM generate_series(1, cardinality(taken), 1000) AS first;
    RETURN cardinality(taken);
END
$$;
