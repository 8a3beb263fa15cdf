-- Drains of a bounded size: the transaction of each row of the outbox, and whether all transactions are published.

-- The whole transaction. The xmin of a row written after a savepoint is that of the savepoint.
ALTER TABLE sync_outbox ADD COLUMN transaction xid8 NOT NULL DEFAULT pg_current_xact_id();

-- Whether the versions up to the head are exactly one committed state of the catalog. False while transactions wait
-- that committed before the last drain: an item that two of them have written may be published before the rest of the
-- later one.
ALTER TABLE sync_head ADD COLUMN is_complete boolean NOT NULL DEFAULT true;
