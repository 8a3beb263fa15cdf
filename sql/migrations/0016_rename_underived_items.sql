-- The table of items that could not be indexed gets the name of the concept. Functions contain the names of tables, so
-- two of them are replaced.

ALTER TABLE underived_items RENAME TO unindexed_items;
ALTER TABLE unindexed_items RENAME CONSTRAINT underived_items_pkey TO unindexed_items_pkey;

-- Indexes these items. Items that cannot be written are found by halving, so that they do not keep the others out of
-- lists.
CREATE OR REPLACE FUNCTION derive_all_that_can_be(touched uuid[]) RETURNS void LANGUAGE plpgsql
AS $$
DECLARE
    half CONSTANT integer := cardinality(touched) / 2;
BEGIN
    PERFORM vitrine.derive(touched);
EXCEPTION WHEN data_exception OR integrity_constraint_violation OR program_limit_exceeded OR internal_error THEN
    IF half > 0 THEN
        PERFORM vitrine.derive_all_that_can_be(touched[:half]);
        PERFORM vitrine.derive_all_that_can_be(touched[half + 1:]);
    ELSE
        RAISE WARNING 'item "%" cannot be indexed: %', touched[1], SQLERRM;
        INSERT INTO vitrine.unindexed_items (item_id, reason) VALUES (touched[1], SQLERRM);
    END IF;
END
$$;

-- Indexes about this many items from the queue, at least one row of it. Returns the number of items, or 0 if the queue
-- is empty or other transactions have locked its rows. Call it until it returns 0, each time in a transaction of its
-- own: a transaction that is killed leaves its rows in the queue. The items are added to the outbox again, because the
-- sequencer may have read their old listings.
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
    INSERT INTO vitrine.sync_outbox (kind, ids)
    SELECT 'listing', taken[first:first + 999] FROM generate_series(1, cardinality(taken), 1000) AS first;
    RETURN cardinality(taken);
END
$$;
