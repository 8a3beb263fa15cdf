-- The age and the size of each row of the outbox, for reports. Both are known when the row is written, so a reader need
-- not derive the size from the stored form of the ids.
ALTER TABLE sync_outbox
    -- The time of the row, which is near the commit, because triggers write the outbox. It orders nothing: a slow
    -- transaction commits after the rows of later ones are published.
    ADD COLUMN recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ADD COLUMN change_count integer NOT NULL GENERATED ALWAYS AS (CASE WHEN ids IS NULL THEN cardinality(keys) ELSE cardinality(ids) END) STORED;
