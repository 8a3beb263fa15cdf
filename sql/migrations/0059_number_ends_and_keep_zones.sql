-- A server reads each change of an end once, the ends of purged feeds are forgotten, and a time zone that no storefront uses for a
-- while is still checked again.

-- A drain locks the head first. In another order, this migration and a drain would wait for each other.
LOCK TABLE sync_head IN EXCLUSIVE MODE;

-- The number of the last change of valid_until. It is higher than those of all changes that were committed before, because a drain
-- locks the head until its commit. Older servers read the version.
ALTER TABLE published_ends ADD COLUMN number bigint GENERATED ALWAYS AS IDENTITY;

-- Older servers read all ends again. The column rewrites the table, so a transaction that began before finds no ends in it.
UPDATE published_ends AS ends SET version = head.version FROM sync_head AS head;

CREATE INDEX published_ends_by_number ON published_ends (number);

CREATE OR REPLACE FUNCTION note_end() RETURNS trigger LANGUAGE plpgsql
AS $$
BEGIN
    INSERT INTO vitrine.published_ends (storefront, feed, version)
    SELECT NEW.storefront, NEW.id, version FROM vitrine.sync_head
    ON CONFLICT (storefront, feed) DO UPDATE SET version = excluded.version, number = DEFAULT;
    RETURN NULL;
END
$$;

CREATE FUNCTION forget_end() RETURNS trigger LANGUAGE plpgsql
AS $$
BEGIN
    DELETE FROM vitrine.published_ends WHERE storefront = OLD.storefront AND feed = OLD.id;
    RETURN NULL;
END
$$;

CREATE TRIGGER forget_ends AFTER DELETE ON published FOR EACH ROW WHEN (OLD.kind = 'feed') EXECUTE FUNCTION forget_end();
ALTER TABLE published ENABLE ALWAYS TRIGGER forget_ends;

DELETE FROM published_ends AS ends
WHERE NOT EXISTS (SELECT FROM published WHERE kind = 'feed' AND id = ends.feed AND published.storefront = ends.storefront);

-- Records the rules of the changed zones after the spans of their storefronts were computed again, and the next years of the
-- others. A zone that is used since then is not recorded, so that it is checked the next time. One that is no longer used is kept
-- until its second check, because a storefront can use it again before older sessions with the old rules end.
CREATE OR REPLACE FUNCTION record_zone_rules(changed text[]) RETURNS void LANGUAGE plpgsql
AS $$
DECLARE
    this_year integer := extract(year FROM now() AT TIME ZONE 'UTC');
    -- The zones with other rules than recorded. The others are new, or were due.
    renewed text[] := ARRAY(
        SELECT time_zone FROM vitrine.zone_rules
        WHERE time_zone = ANY (changed) AND fingerprint <> vitrine.zone_fingerprint(time_zone, first_year));
BEGIN
    INSERT INTO vitrine.zone_rules AS present (time_zone, first_year, fingerprint)
    SELECT time_zone, this_year, vitrine.zone_fingerprint(time_zone, this_year)
    FROM (SELECT DISTINCT time_zone FROM vitrine.storefronts) AS zones
    WHERE time_zone = ANY (changed) OR EXISTS (
        SELECT FROM vitrine.zone_rules AS old WHERE old.time_zone = zones.time_zone AND old.first_year <> this_year)
    ON CONFLICT (time_zone) DO UPDATE SET
        first_year = excluded.first_year, fingerprint = excluded.fingerprint, checked_at = now(),
        recheck_at = CASE
            WHEN present.time_zone = ANY (renewed) THEN now() + interval '1 hour'
            WHEN present.time_zone <> ALL (changed) THEN present.recheck_at
        END;
    DELETE FROM vitrine.zone_rules
    WHERE time_zone NOT IN (SELECT time_zone FROM vitrine.storefronts) AND coalesce(recheck_at <= now(), true);
    -- Ended spans are not reported.
    DELETE FROM vitrine.moved_spans AS moved
    USING vitrine.publication_spans AS span
    WHERE (span.publication, span.storefront) = (moved.publication, moved.storefront) AND upper(span.during) <= clock_timestamp();
END
$$;
