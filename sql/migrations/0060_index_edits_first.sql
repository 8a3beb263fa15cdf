-- The edits of curators that wait for indexing are taken before the items of imports, and are published with other edits.

-- Whether an edit of a few items wrote the row. It only waits if its session has found that another one is indexing. The settings
-- last until the transaction ends.
ALTER TABLE stale_items
    ADD COLUMN is_edit boolean NOT NULL DEFAULT (
        coalesce(current_setting('vitrine.queues_items', true), '') = 'on' AND coalesce(current_setting('vitrine.is_import', true), '') <> 'on'
    );

CREATE INDEX stale_items_edits_idx ON stale_items (is_edit) WHERE is_edit;

-- Takes about this many items of edits from the queue, at least one row of them. Returns NULL if no edits wait, or if other
-- transactions have locked them.
CREATE FUNCTION take_stale_edits(most bigint) RETURNS uuid[] LANGUAGE sql
-- The planner does not know that few rows are edits, and would read those of an import.
SET enable_seqscan = off
AS $$
    WITH waiting AS MATERIALIZED (
        SELECT ctid AS place, cardinality(ids) AS items FROM vitrine.stale_items WHERE is_edit LIMIT most FOR UPDATE SKIP LOCKED
    ), sums AS (
        SELECT place, sum(items) OVER (ORDER BY place) - items AS items_before FROM waiting
    ), rows AS (
        DELETE FROM vitrine.stale_items
        WHERE ctid = ANY (ARRAY(SELECT place FROM sums WHERE items_before < most))
        RETURNING ids
    )
    SELECT array_agg(DISTINCT id) FROM rows CROSS JOIN unnest(rows.ids) AS id
$$;

-- Indexes items that were taken from the queue, and adds them to the outbox. Returns their number.
CREATE FUNCTION derive_taken(taken uuid[], are_imported boolean) RETURNS bigint LANGUAGE plpgsql
-- Compiling would take longer than the function.
SET jit = off
AS $$
BEGIN
    IF taken IS NULL THEN
        RETURN 0;
    END IF;
    PERFORM FROM vitrine.items WHERE id = ANY (taken) ORDER BY id FOR NO KEY UPDATE;
    DELETE FROM vitrine.unindexed_items WHERE item_id = ANY (taken);
    PERFORM vitrine.derive_all_that_can_be(taken);
    INSERT INTO vitrine.sync_outbox (kind, ids, is_import)
    SELECT 'listing', taken[first:first + 999], are_imported FROM generate_series(1, cardinality(taken), 1000) AS first;
    RETURN cardinality(taken);
END
$$;

-- Indexes about this many items of edits from the queue. Returns their number.
CREATE FUNCTION derive_stale_edits(most bigint) RETURNS bigint LANGUAGE sql
AS $$ SELECT vitrine.derive_taken(vitrine.take_stale_edits(most), false) $$;

-- Like the previous function, but a call takes edits alone if any wait.
CREATE OR REPLACE FUNCTION derive_items(most bigint) RETURNS bigint LANGUAGE plpgsql
SET jit = off
AS $$
DECLARE
    edits CONSTANT bigint := vitrine.derive_stale_edits(most);
    taken uuid[];
BEGIN
    IF edits > 0 THEN
        RETURN edits;
    END IF;
    WITH rows AS (
        DELETE FROM vitrine.stale_items
        WHERE ctid = ANY (ARRAY(SELECT ctid FROM vitrine.stale_items LIMIT greatest(1, most / 100) FOR UPDATE SKIP LOCKED))
        RETURNING ids
    )
    SELECT array_agg(DISTINCT id) INTO taken FROM rows CROSS JOIN unnest(rows.ids) AS id;
    RETURN vitrine.derive_taken(taken, true);
END
$$;
