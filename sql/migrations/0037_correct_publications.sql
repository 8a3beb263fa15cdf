-- Bounds the times of publications, and corrects cancellations, rollbacks and the reopening of storefronts.

-- Whether a text is a time of an order: an instant, or a wall clock in whole minutes, before the year 9999. Later wall
-- clocks are instants in the west that clients cannot represent. A text that is no time at all causes an error.
CREATE OR REPLACE FUNCTION is_planned_time(given text) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT CASE
        WHEN vitrine.is_wall_clock(given) THEN given::timestamp < '9999-01-01'
        ELSE given ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T.*(Z|[+-][0-9]{2}:[0-9]{2})$' AND given::timestamptz < '9999-01-01T00:00:00Z'
    END
$$;

-- An order with a time that is no longer valid: one that starts in the year 9999 is canceled, and one that ends in it has
-- no end, because such an end says forever.
ALTER TABLE publications DISABLE TRIGGER keep_orders;

DELETE FROM publication_spans USING publications WHERE id = publication AND NOT is_planned_time(from_text);

UPDATE publication_spans AS span SET during = tstzrange(lower(during), (
    SELECT min(lower(next.during)) FROM publication_spans AS next
    WHERE (next.feed, next.layer, next.storefront) = (span.feed, span.layer, span.storefront) AND lower(next.during) > lower(span.during)))
WHERE layer = 'base' AND upper(during) >= '9998-12-31T00:00:00Z' AND NOT EXISTS (
    SELECT FROM publication_spans AS next
    WHERE (next.feed, next.layer, next.storefront) = (span.feed, span.layer, span.storefront) AND lower(next.during) = upper(span.during));

UPDATE publication_spans SET during = tstzrange(lower(during), NULL)
FROM publications
WHERE id = publication AND NOT is_planned_time(until_text) AND upper(during) >= '9998-12-31T00:00:00Z';

UPDATE publications SET
    cancelled_at = CASE WHEN is_planned_time(from_text) THEN cancelled_at ELSE coalesce(cancelled_at, clock_timestamp()) END,
    from_text = CASE WHEN is_planned_time(from_text) THEN from_text ELSE '9998-12-31T23:59' END,
    until_text = CASE WHEN is_planned_time(until_text) THEN until_text END
WHERE NOT is_planned_time(from_text) OR NOT is_planned_time(until_text);

ALTER TABLE publications ENABLE ALWAYS TRIGGER keep_orders;

-- Returns what an order would mean in each of its storefronts. An empty span ends at its start, because its end can be
-- before the year 1, which no client can represent.
CREATE OR REPLACE FUNCTION proposed_spans(
    of_feed text, to_layer publication_layer, given_from text, given_until text, in_storefronts text[], present timestamptz
) RETURNS SETOF proposed_span LANGUAGE sql STABLE
AS $$
    WITH places AS MATERIALIZED (
        SELECT key, time_zone FROM vitrine.storefronts
        WHERE closed_at IS NULL AND (in_storefronts IS NULL OR key = ANY (in_storefronts))
    ), zones AS MATERIALIZED (
        SELECT time_zone, vitrine.moment_in(given_from, time_zone) AS start, vitrine.moment_in(given_until, time_zone) AS finish
        FROM (SELECT DISTINCT time_zone FROM places) AS zones
    ), given AS (
        SELECT
            key, greatest(coalesce(start, present), present) AS start, finish, coalesce(start < present, false) AS starts_now,
            coalesce(finish <= greatest(coalesce(start, present), present), false) AS is_empty
        FROM places JOIN zones USING (time_zone)
    )
    SELECT
        key, start,
        CASE to_layer
            WHEN 'base' THEN (
                SELECT min(lower(during)) FROM vitrine.publication_spans
                WHERE feed = of_feed AND layer = 'base' AND storefront = key AND during && tstzrange(start, NULL, '()') AND lower(during) > start)
            ELSE CASE WHEN is_empty THEN start ELSE finish END
        END,
        starts_now, is_empty,
        CASE WHEN NOT is_empty THEN (
            SELECT publication FROM vitrine.publication_spans
            WHERE feed = of_feed AND layer = to_layer AND storefront = key AND CASE to_layer
                WHEN 'base' THEN during @> start AND lower(during) = start
                ELSE during && tstzrange(start, finish)
            END
            ORDER BY lower(during)
            LIMIT 1)
        END,
        CASE WHEN to_layer = 'base' AND in_storefronts IS NULL THEN (
            SELECT publication FROM vitrine.publication_spans JOIN vitrine.publications ON id = publication
            WHERE publication_spans.feed = of_feed AND publication_spans.layer = 'base' AND storefront = key AND during @> start
                AND storefronts IS NOT NULL)
        END
    FROM given
    ORDER BY key COLLATE "C"
$$;

-- Ends a publication where it is live and removes it where it is scheduled, in the given storefronts or in all. If a
-- removed one was on the base, its predecessor in the storefront lasts until its end. A storefront can be closed.
--
-- If it then has no time left in any open storefront, it is canceled as a whole, also in closed storefronts and in those
-- that are added later.
CREATE OR REPLACE FUNCTION cancel_publication(cancelled bigint, in_storefronts text[] DEFAULT NULL) RETURNS void LANGUAGE plpgsql
AS $$
DECLARE
    present timestamptz;
    ahead vitrine.publication_spans[];
    places text;
    is_whole boolean;
BEGIN
    PERFORM FROM vitrine.feeds WHERE key = (SELECT feed FROM vitrine.publications WHERE id = cancelled) FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'publication % does not exist', cancelled USING ERRCODE = 'no_data_found';
    END IF;
    PERFORM vitrine.hold_storefronts();
    SELECT string_agg(given, ', ') INTO places FROM unnest(in_storefronts) AS given
    WHERE NOT EXISTS (SELECT FROM vitrine.storefronts WHERE key = given);
    IF places IS NOT NULL THEN
        RAISE EXCEPTION 'no storefront is named %', places
            USING ERRCODE = 'foreign_key_violation', SCHEMA = 'vitrine', TABLE = 'publications', CONSTRAINT = 'publications_storefronts_fkey';
    END IF;
    present := clock_timestamp();
    is_whole := in_storefronts IS NULL OR NOT EXISTS (
        SELECT FROM vitrine.publication_spans JOIN vitrine.storefronts ON key = storefront
        WHERE publication = cancelled AND coalesce(upper(during), 'infinity') > present AND closed_at IS NULL
            AND storefront <> ALL (in_storefronts));
    ahead := ARRAY(
        SELECT span FROM vitrine.publication_spans AS span
        WHERE publication = cancelled AND coalesce(upper(during), 'infinity') > present AND (is_whole OR storefront = ANY (in_storefronts)));
    SELECT string_agg(given, ', ') INTO places FROM unnest(in_storefronts) AS given
    WHERE NOT EXISTS (SELECT FROM unnest(ahead) WHERE storefront = given);
    IF places IS NOT NULL OR cardinality(ahead) = 0 THEN
        RAISE EXCEPTION 'publication % has ended%', cancelled, coalesce(' in ' || places, '')
            USING ERRCODE = 'object_not_in_prerequisite_state', DETAIL = coalesce(places, '');
    END IF;
    PERFORM set_config('vitrine.present', present::text, true);
    UPDATE vitrine.publication_spans AS span SET during = tstzrange(lower(span.during), present)
    FROM unnest(ahead) AS live
    WHERE (span.publication, span.storefront) = (live.publication, live.storefront) AND lower(live.during) < present;
    DELETE FROM vitrine.publication_spans AS span USING unnest(ahead) AS scheduled
    WHERE (span.publication, span.storefront) = (scheduled.publication, scheduled.storefront) AND lower(scheduled.during) >= present;
    UPDATE vitrine.publication_spans AS span SET during = tstzrange(lower(span.during), upper(removed.during))
    FROM unnest(ahead) AS removed
    WHERE lower(removed.during) >= present AND removed.layer = 'base' AND span.feed = removed.feed AND span.layer = 'base'
        AND span.storefront = removed.storefront AND upper(span.during) = lower(removed.during);
    UPDATE vitrine.publications SET cancelled_at = present WHERE id = cancelled AND cancelled_at IS NULL AND is_whole;
    PERFORM set_config('vitrine.present', '', true);
END
$$;

-- A base of a storefront that is opened again.
CREATE TYPE reopened_base AS (
    publication bigint,
    start timestamptz,
    finish timestamptz,
    -- Whether it was published for listed storefronts.
    is_local boolean,
    -- Whether it was published while the storefront was closed.
    is_missed boolean,
    is_cancelled boolean
);

-- Gives a storefront that is opened again the spans of the orders for all storefronts that were made while it was
-- closed, from now on, as if it had been open. What it had before stays: its history, its takeovers, and a base for listed
-- storefronts unless the order replaces such bases. An order that was canceled before it started has no effect. One that
-- was canceled later ended the base before it.
CREATE FUNCTION reopen_storefront() RETURNS trigger LANGUAGE plpgsql
AS $$
DECLARE
    present timestamptz;
    of_feed text;
    ordered record;
    bases vitrine.reopened_base[];
    replaced vitrine.reopened_base;
    taken tstzmultirange;
BEGIN
    PERFORM vitrine.hold_storefronts(exclusively => true);
    present := clock_timestamp();
    PERFORM set_config('vitrine.present', present::text, true);
    FOR of_feed IN
        SELECT DISTINCT feed FROM vitrine.publications
        WHERE storefronts IS NULL AND ordered_at >= old.closed_at AND NOT EXISTS (
            SELECT FROM vitrine.publication_spans WHERE publication = id AND storefront = new.key)
        ORDER BY feed
    LOOP
        bases := ARRAY(
            SELECT ROW(publication, lower(during), upper(during), storefronts IS NOT NULL, false, false)::vitrine.reopened_base
            FROM vitrine.publication_spans JOIN vitrine.publications ON id = publication
            WHERE publication_spans.feed = of_feed AND publication_spans.layer = 'base' AND storefront = new.key
                AND coalesce(upper(during), 'infinity') > old.closed_at);
        SELECT coalesce(range_agg(during), '{}') INTO taken FROM vitrine.publication_spans
        WHERE feed = of_feed AND layer = 'takeover' AND storefront = new.key;
        FOR ordered IN
            SELECT
                id, layer, replace_local, cancelled_at, greatest(vitrine.moment_in(from_text, new.time_zone), ordered_at) AS start,
                vitrine.moment_in(until_text, new.time_zone) AS finish
            FROM vitrine.publications
            WHERE feed = of_feed AND storefronts IS NULL AND ordered_at >= old.closed_at AND NOT EXISTS (
                SELECT FROM vitrine.publication_spans WHERE publication = id AND storefront = new.key)
            ORDER BY id
        LOOP
            IF ordered.layer = 'takeover' THEN
                CONTINUE WHEN ordered.cancelled_at IS NOT NULL OR ordered.finish <= ordered.start
                    OR taken && tstzrange(ordered.start, ordered.finish);
                taken := taken + tstzmultirange(tstzrange(ordered.start, ordered.finish));
                CONTINUE WHEN ordered.finish <= present;
                INSERT INTO vitrine.publication_spans (publication, feed, layer, storefront, during)
                VALUES (ordered.id, of_feed, 'takeover', new.key, tstzrange(greatest(ordered.start, present), ordered.finish));
                CONTINUE;
            END IF;
            CONTINUE WHEN ordered.cancelled_at <= ordered.start
                OR EXISTS (SELECT FROM unnest(bases) WHERE start = ordered.start AND NOT is_cancelled);
            SELECT base.* INTO replaced FROM unnest(bases) AS base WHERE start < ordered.start ORDER BY start DESC LIMIT 1;
            CONTINUE WHEN replaced.is_local AND NOT ordered.replace_local AND coalesce(replaced.finish, 'infinity') > ordered.start;
            bases := ARRAY(SELECT base::vitrine.reopened_base FROM unnest(bases) AS base WHERE start <> ordered.start)
                || ROW(ordered.id, ordered.start, ordered.cancelled_at, false, true, ordered.cancelled_at IS NOT NULL)::vitrine.reopened_base;
        END LOOP;
        UPDATE vitrine.publication_spans AS span SET during = tstzrange(lower(during), greatest(next.start, present))
        FROM (
            SELECT publication, (SELECT min(missed.start) FROM unnest(bases) AS missed WHERE is_missed AND missed.start > base.start) AS start
            FROM unnest(bases) AS base
            WHERE NOT is_missed
        ) AS next
        WHERE span.publication = next.publication AND storefront = new.key AND coalesce(upper(during), 'infinity') > present
            AND coalesce(upper(during), 'infinity') > next.start;
        INSERT INTO vitrine.publication_spans (publication, feed, layer, storefront, during)
        SELECT publication, of_feed, 'base', new.key, tstzrange(greatest(start, present), next_start)
        FROM (SELECT publication, start, is_missed, is_cancelled, lead(start) OVER (ORDER BY start) AS next_start FROM unnest(bases)) AS base
        WHERE is_missed AND NOT is_cancelled AND coalesce(next_start, 'infinity') > present;
    END LOOP;
    PERFORM set_config('vitrine.present', '', true);
    RETURN NULL;
END
$$;

CREATE TRIGGER reopen_storefront AFTER UPDATE OF closed_at ON storefronts FOR EACH ROW
    WHEN (old.closed_at IS NOT NULL AND new.closed_at IS NULL) EXECUTE FUNCTION reopen_storefront();
ALTER TABLE storefronts ENABLE ALWAYS TRIGGER reopen_storefront;

-- Returns what a rollback publishes: for each revision its storefronts, which are NULL if they are all. By default, the
-- storefronts are those that show the base which began last anywhere, or that showed it last if no base is live. Each one
-- returns to the last revision on its base that differs from the live one, or to the given revision. A storefront
-- without such a revision has a row without one.
--
-- A storefront that was added later returns to what it would have shown if it had always existed. So a rollback of an
-- order for all storefronts is for all again, if all have the same target.
CREATE OR REPLACE FUNCTION rollback_targets(of_feed text, in_storefronts text[], to_revision integer, present timestamptz)
    RETURNS TABLE (revision integer, storefronts text[]) LANGUAGE sql STABLE
AS $$
    WITH newest AS MATERIALIZED (
        SELECT key, time_zone, span.publication, span.is_live, CASE WHEN span.is_live THEN publications.revision END AS live
        FROM vitrine.storefronts
        LEFT JOIN LATERAL (
            SELECT publication, during @> present AS is_live
            FROM vitrine.publication_spans
            WHERE feed = of_feed AND layer = 'base' AND storefront = key AND lower(during) <= present
            ORDER BY lower(during) DESC
            LIMIT 1
        ) AS span ON true
        LEFT JOIN vitrine.publications ON id = span.publication
        WHERE closed_at IS NULL
    ), shown AS (
        SELECT key, time_zone, publication, live FROM newest WHERE is_live OR NOT EXISTS (SELECT FROM newest WHERE is_live)
    ), chosen AS (
        SELECT key, time_zone, live FROM newest
        WHERE in_storefronts IS NOT NULL AND key = ANY (in_storefronts)
        UNION ALL
        SELECT key, time_zone, live FROM shown
        -- A storefront that was added later shows the publication from then on, but it did not begin then.
        WHERE in_storefronts IS NULL AND publication IS NOT DISTINCT FROM (
            SELECT publication
            FROM (SELECT DISTINCT publication FROM shown) AS publications
            ORDER BY (
                SELECT min(lower(during)) FROM vitrine.publication_spans WHERE publication_spans.publication = publications.publication
            ) DESC NULLS LAST, publication DESC
            LIMIT 1)
    ), targets AS (
        SELECT key, coalesce(to_revision, (
            SELECT publications.revision
            FROM vitrine.publication_spans JOIN vitrine.publications ON id = publication
            WHERE publication_spans.feed = of_feed AND publication_spans.layer = 'base' AND storefront = key AND lower(during) <= present
                AND publications.revision IS DISTINCT FROM live
            ORDER BY lower(during) DESC
            LIMIT 1), (
            SELECT publications.revision
            FROM (
                SELECT publications.storefronts, lower(during) AS began, greatest(vitrine.moment_in(from_text, time_zone), ordered_at) AS start
                FROM vitrine.publication_spans JOIN vitrine.publications ON id = publication
                WHERE publication_spans.feed = of_feed AND publication_spans.layer = 'base' AND storefront = key
                ORDER BY lower(during)
                LIMIT 1
            ) AS first
            JOIN vitrine.publications ON publications.feed = of_feed AND publications.layer = 'base' AND publications.storefronts IS NULL
            CROSS JOIN greatest(vitrine.moment_in(from_text, time_zone), ordered_at) AS earlier (start)
            -- The first base of the storefront started before the storefront was added.
            WHERE first.storefronts IS NULL AND first.began > first.start AND earlier.start < first.start
                AND coalesce(cancelled_at, 'infinity') > earlier.start AND publications.revision IS DISTINCT FROM live
            ORDER BY earlier.start DESC, publications.id
            LIMIT 1)) AS target
        FROM chosen
    )
    SELECT
        target,
        CASE
            WHEN in_storefronts IS NOT NULL OR count(*) < (SELECT count(*) FROM vitrine.storefronts WHERE closed_at IS NULL)
            THEN array_agg(key ORDER BY key COLLATE "C")
        END
    FROM targets
    GROUP BY target
    ORDER BY target
$$;

-- Whether a text is the name of a time zone, in its own spelling. Other notations that PostgreSQL accepts, such as UTC+3
-- or EUROPE/Berlin, name no place or are unknown to some clients. The list of all names reads the file of each zone. The
-- setting reads one, and has its name as it is spelled. Only a notation that is no name has a digit, or a zone such as
-- Etc/GMT+3, which is looked up in the list.
CREATE OR REPLACE FUNCTION is_time_zone(given text) RETURNS boolean LANGUAGE plpgsql STABLE SET timezone = 'UTC'
AS $$
BEGIN
    IF given ~ '[0-9]' THEN
        RETURN EXISTS (SELECT FROM pg_catalog.pg_timezone_names AS zones WHERE zones.name = given);
    END IF;
    RETURN pg_catalog.set_config('timezone', given, true) = given;
EXCEPTION
    WHEN invalid_parameter_value THEN
        RETURN false;
END
$$;
