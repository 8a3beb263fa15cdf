-- The check of a row of the outbox wrote each of its ids as text, only to count them. An import took 0.4 µs for each item.
ALTER TABLE sync_outbox
    DROP CONSTRAINT sync_outbox_ids_check,
    ADD CONSTRAINT sync_outbox_ids_check CHECK (num_nonnulls(ids, keys) = 1 AND change_count BETWEEN 1 AND 1000);
