-- breaks older programs
-- Publishes each published TopApp with its platforms and age ratings and with a new version. The documents of the other
-- items do not change. Separate from the previous migration, whose lock would stop reads of
-- items at the same time. The lock of the head excludes drains. The outbox is left to the next drain.
DO $$
DECLARE
    head bigint;
    moment timestamptz;
    part uuid[];
BEGIN
    LOCK TABLE vitrine.sync_head IN EXCLUSIVE MODE;
    IF NOT EXISTS (SELECT FROM vitrine.published WHERE kind = 'item' AND document ->> 'kind' = 'topApp') THEN
        RETURN;
    END IF;
    PERFORM vitrine.begin_epoch(false);
    SELECT sync_head.version, sync_head.moment INTO head, moment FROM vitrine.sync_head;
    FOR part IN
        SELECT array_agg(id)
        FROM (
            SELECT id::uuid AS id, (row_number() OVER (ORDER BY id) - 1) / 10000 AS place
            FROM vitrine.published
            WHERE kind = 'item' AND document ->> 'kind' = 'topApp'
        ) AS places
        GROUP BY place
        ORDER BY place
    LOOP
        head := head + vitrine.publish_items(part, head, moment);
    END LOOP;
    UPDATE vitrine.sync_head SET version = head, is_complete = is_complete AND NOT EXISTS (SELECT FROM vitrine.sync_outbox);
    PERFORM pg_notify('vitrine_published', head::text);
END
$$;
