-- Computes the spans of a time zone once more, an hour after its rules have changed. Sessions that used the zone before keep
-- the old rules, so until they end, publications through them get spans by the old rules.

-- The time after which the spans are computed once more. NULL if they were, or if the rules have not changed since the first
-- check of the zone.
ALTER TABLE zone_rules ADD COLUMN recheck_at timestamptz;

-- Returns the time zones whose rules have changed, or changed an hour ago, each with its storefronts. The rules of a zone that was
-- not checked before can have changed. A session keeps the rules that it has read, so only a new session knows whether they
-- have changed.
CREATE OR REPLACE FUNCTION changed_zones() RETURNS TABLE (time_zone text, storefront text) LANGUAGE sql STABLE
AS $$
    WITH zones AS MATERIALIZED (
        SELECT storefronts.time_zone
        FROM (SELECT DISTINCT storefronts.time_zone FROM vitrine.storefronts) AS storefronts
        LEFT JOIN vitrine.zone_rules ON zone_rules.time_zone = storefronts.time_zone
        WHERE fingerprint IS NULL OR recheck_at <= now() OR fingerprint <> vitrine.zone_fingerprint(storefronts.time_zone, first_year)
    )
    SELECT storefronts.time_zone, key
    FROM vitrine.storefronts JOIN zones ON zones.time_zone = storefronts.time_zone
    ORDER BY storefronts.time_zone COLLATE "C", key COLLATE "C"
$$;

-- Records the rules of the changed zones after the spans of their storefronts were computed again, and the next years of the
-- others. A zone that is used since then is not recorded, so that it is checked the next time.
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
    DELETE FROM vitrine.zone_rules WHERE time_zone NOT IN (SELECT time_zone FROM vitrine.storefronts);
    -- Ended spans are not reported.
    DELETE FROM vitrine.moved_spans AS moved
    USING vitrine.publication_spans AS span
    WHERE (span.publication, span.storefront) = (moved.publication, moved.storefront) AND upper(span.during) <= clock_timestamp();
END
$$;
