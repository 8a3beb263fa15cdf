-- Wakes the sequencer when a transaction with changes commits, so that it need not look for changes all the time.

-- Transactions that notify commit one after another, even while they wait for the disk. Therefore a transaction notifies
-- only if no change of another one waits, so that of many writers few do. The sequencer may drain that change and miss
-- this transaction, so it continues to look for changes for a while after each drain. A transaction that has notified does
-- not look again, because it would pass all of its own changes.
CREATE FUNCTION wake_sequencer() RETURNS trigger LANGUAGE plpgsql
AS $$
BEGIN
    IF current_setting('vitrine.has_woken', true) IS DISTINCT FROM pg_current_xact_id()::text
        AND NOT EXISTS (SELECT FROM vitrine.sync_outbox WHERE transaction <> pg_current_xact_id())
    THEN
        NOTIFY vitrine_changed;
        PERFORM set_config('vitrine.has_woken', pg_current_xact_id()::text, true);
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER wake_sequencer AFTER INSERT ON sync_outbox FOR EACH STATEMENT EXECUTE FUNCTION wake_sequencer();
ALTER TABLE sync_outbox ENABLE ALWAYS TRIGGER wake_sequencer;
