-- Wakes the sequencer when a transaction with changes commits, so that it need not look for changes all the time.

-- Transactions that notify commit one after another, even while they wait for the disk. Therefore a transaction notifies
-- only if no change of another one waits, so that of many writers few do. The sequencer may drain that change and miss
-- this transaction, so it continues to look for changes for a while after each drain.
CREATE FUNCTION wake_sequencer() RETURNS trigger LANGUAGE plpgsql
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM vitrine.sync_outbox WHERE transaction <> pg_current_xact_id()) THEN
        NOTIFY vitrine_changed;
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER wake_sequencer AFTER INSERT ON sync_outbox FOR EACH STATEMENT EXECUTE FUNCTION wake_sequencer();
ALTER TABLE sync_outbox ENABLE ALWAYS TRIGGER wake_sequencer;
