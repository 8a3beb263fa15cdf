-- The spans of a storefront can be computed again in a transaction of their own after the rules of its time zone have changed. With
-- tens of thousands of spans, one transaction for all storefronts exceeds the limit of a statement, and publications wait for it.

-- Computes the starts and ends again that were given by wall clock and lie ahead, after the zone of a storefront or the
-- rules of the zone have changed. A time that has passed becomes now. Returns the spans that differ. Spans that would
-- then overlap or be empty stay as they are. A span is compared with those next to it, not with all others.
CREATE OR REPLACE FUNCTION move_spans(of_storefront text) RETURNS TABLE (publication bigint, is_moved boolean) LANGUAGE plpgsql
AS $$
DECLARE
    present timestamptz;
    zone text;
    moved vitrine.moved_span[];
    staying bigint[] := '{}';
    overlapping bigint[];
BEGIN
    PERFORM vitrine.hold_storefronts(exclusively => true);
    present := clock_timestamp();
    SELECT time_zone INTO zone FROM vitrine.storefronts WHERE key = of_storefront;
    -- A span that stays can be in the way of another one, so the loop ends only if nothing overlaps.
    LOOP
        moved := ARRAY(
            SELECT ROW(
                id, feed, layer, during,
                CASE
                    -- On the base, a span lasts until the next one.
                    WHEN layer = 'base' AND next_start = start OR previous_start = start THEN NULL
                    WHEN layer = 'base' THEN tstzrange(start, next_start)
                    WHEN finish <= start THEN NULL
                    ELSE tstzrange(start, finish)
                END,
                (start, finish) IS DISTINCT FROM (lower(during), upper(during)))::vitrine.moved_span
            FROM (
                SELECT
                    id, feed, layer, during, start, finish,
                    CASE WHEN layer = 'base' THEN lead(start) OVER starts END AS next_start,
                    CASE WHEN layer = 'base' THEN lag(start) OVER starts END AS previous_start
                FROM (
                    SELECT
                        id, span.feed, span.layer, span.during,
                        CASE
                            WHEN lower(span.during) > present AND vitrine.is_wall_clock(from_text) AND id <> ALL (staying)
                            THEN greatest(vitrine.moment_in(from_text, zone), present)
                            ELSE lower(span.during)
                        END AS start,
                        CASE
                            WHEN vitrine.is_wall_clock(until_text) AND id <> ALL (staying)
                            THEN greatest(vitrine.moment_in(until_text, zone), present)
                            ELSE upper(span.during)
                        END AS finish
                    FROM vitrine.publication_spans AS span JOIN vitrine.publications ON id = span.publication
                    WHERE storefront = of_storefront AND coalesce(upper(span.during), 'infinity') > present
                ) AS times
                WINDOW starts AS (PARTITION BY feed, layer ORDER BY start, id)
            ) AS spans);
        overlapping := ARRAY(
            SELECT mine.publication
            FROM (
                SELECT
                    one.publication, one.is_recomputed, one.after,
                    max(coalesce(upper(one.after), 'infinity')) OVER (starts ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS last_finish,
                    lead(lower(one.after)) OVER starts AS next_start
                FROM unnest(moved) AS one
                WHERE one.after IS NOT NULL
                WINDOW starts AS (PARTITION BY one.feed, one.layer ORDER BY lower(one.after), one.publication)
            ) AS mine
            WHERE mine.is_recomputed
                AND (mine.last_finish > lower(mine.after) OR mine.next_start < coalesce(upper(mine.after), 'infinity'))
            UNION ALL
            SELECT one.publication FROM unnest(moved) AS one WHERE one.is_recomputed AND one.after IS NULL);
        EXIT WHEN cardinality(overlapping) = 0;
        staying := staying || overlapping;
    END LOOP;
    PERFORM set_config('vitrine.present', present::text, true);
    UPDATE vitrine.publication_spans AS span SET during = after
    FROM unnest(moved) AS one
    WHERE span.publication = one.publication AND storefront = of_storefront AND after <> before;
    PERFORM set_config('vitrine.present', '', true);
    RETURN QUERY
    SELECT one.publication, true FROM unnest(moved) AS one WHERE after <> before
    UNION ALL
    SELECT kept, false FROM unnest(staying) AS kept;
END
$$;

-- Returns the time zones whose rules have changed, each with its storefronts. The rules of a zone that was not checked before can
-- have changed. A session keeps the rules that it has read, so only a new session knows whether they have changed.
CREATE FUNCTION changed_zones() RETURNS TABLE (time_zone text, storefront text) LANGUAGE sql STABLE
AS $$
    WITH zones AS MATERIALIZED (
        SELECT storefronts.time_zone
        FROM (SELECT DISTINCT storefronts.time_zone FROM vitrine.storefronts) AS storefronts
        LEFT JOIN vitrine.zone_rules ON zone_rules.time_zone = storefronts.time_zone
        WHERE fingerprint IS NULL OR fingerprint <> vitrine.zone_fingerprint(storefronts.time_zone, first_year)
    )
    SELECT storefronts.time_zone, key
    FROM vitrine.storefronts JOIN zones ON zones.time_zone = storefronts.time_zone
    ORDER BY storefronts.time_zone COLLATE "C", key COLLATE "C"
$$;

-- Records the rules of the changed zones after the spans of their storefronts were computed again, and the next years of the
-- others. A zone that is used since then is not recorded, so that it is checked the next time.
CREATE FUNCTION record_zone_rules(changed text[]) RETURNS void LANGUAGE plpgsql
AS $$
DECLARE
    this_year integer := extract(year FROM now() AT TIME ZONE 'UTC');
BEGIN
    INSERT INTO vitrine.zone_rules AS present (time_zone, first_year, fingerprint)
    SELECT time_zone, this_year, vitrine.zone_fingerprint(time_zone, this_year)
    FROM (SELECT DISTINCT time_zone FROM vitrine.storefronts) AS zones
    WHERE time_zone = ANY (changed) OR EXISTS (
        SELECT FROM vitrine.zone_rules AS old WHERE old.time_zone = zones.time_zone AND old.first_year <> this_year)
    ON CONFLICT (time_zone) DO UPDATE SET first_year = excluded.first_year, fingerprint = excluded.fingerprint, checked_at = now();
    DELETE FROM vitrine.zone_rules WHERE time_zone NOT IN (SELECT time_zone FROM vitrine.storefronts);
    -- Ended spans are not reported.
    DELETE FROM vitrine.moved_spans AS moved
    USING vitrine.publication_spans AS span
    WHERE (span.publication, span.storefront) = (moved.publication, moved.storefront) AND upper(span.during) <= clock_timestamp();
END
$$;

-- Does all of it in one transaction, for older programs.
CREATE OR REPLACE FUNCTION follow_zone_rules() RETURNS SETOF text LANGUAGE plpgsql
AS $$
DECLARE
    changed text[];
    places text[];
    place text;
BEGIN
    SELECT array_agg(DISTINCT time_zone), array_agg(storefront) INTO changed, places FROM vitrine.changed_zones();
    FOREACH place IN ARRAY coalesce(places, '{}') LOOP
        PERFORM vitrine.move_and_record_spans(place);
    END LOOP;
    PERFORM vitrine.record_zone_rules(coalesce(changed, '{}'));
    RETURN QUERY SELECT unnest(changed);
END
$$;
