-- Drains of a bounded size: which transaction has written a row of the outbox, and whether all of them are published.

-- The transaction as a whole. The xmin of a row written after a savepoint is that of the savepoint.
ALTER TABLE sync_outbox ADD COLUMN transaction xid8 NOT NULL DEFAULT pg_current_xact_id();

-- Whether the versions up to that of the head are exactly one committed state of the catalog. False while transactions wait that were
-- committed before the last drain: an item that two of them have written may be published ahead of the rest of the later one.
ALTER TABLE sync_head ADD COLUMN is_complete boolean NOT NULL DEFAULT true;
