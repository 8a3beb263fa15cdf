-- breaks older programs
-- Publications per storefront. A row of publications is an order of a curator for all storefronts or for some. Its spans
-- are the periods in each storefront, because a time without an offset is the wall clock there.

-- The time since which a storefront is closed. Its spans remain.
ALTER TABLE storefronts
    ADD COLUMN closed_at timestamptz,
    ADD CONSTRAINT storefronts_closed_at_check CHECK (isfinite(closed_at));

-- Returns the first instant at which the clock of a zone shows a time or a later one. If clocks are put forward across
-- the time, it is that instant. If they show the time twice, it is the first time, although AT TIME ZONE returns the
-- second. A later time therefore never has an earlier instant.
CREATE FUNCTION moment_of(wall_clock timestamp, zone text) RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT CASE
        -- The clock did not change during the day before.
        WHEN told AT TIME ZONE zone = wall_clock AND (told - interval '24 hours') AT TIME ZONE zone = wall_clock - interval '24 hours' THEN told
        ELSE (
            SELECT min(told - minutes * interval '1 minute') FROM generate_series(0, 1440) AS minutes
            WHERE (told - minutes * interval '1 minute') AT TIME ZONE zone >= wall_clock)
    END
    FROM (SELECT wall_clock AT TIME ZONE zone) AS given (told)
$$;

-- Whether a time of an order is a wall clock. Otherwise it is an instant.
CREATE FUNCTION is_wall_clock(given text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT given ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}$' $$;

-- Returns the instant of a time of an order in a zone, or NULL for no time.
CREATE FUNCTION moment_in(given text, zone text) RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT CASE WHEN vitrine.is_wall_clock(given) THEN vitrine.moment_of(given::timestamp, zone) ELSE given::timestamptz END $$;

-- Returns an instant as an order stores it.
CREATE FUNCTION instant_text(instant timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT regexp_replace(to_char(instant AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), '\.?0+Z$', 'Z') $$;

-- Whether a text is a time of an order: an instant, or a wall clock in whole minutes. A text that is no time at all
-- causes an error.
CREATE FUNCTION is_planned_time(given text) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT CASE
        WHEN vitrine.is_wall_clock(given) THEN isfinite(given::timestamp)
        ELSE given ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T.*(Z|[+-][0-9]{2}:[0-9]{2})$' AND isfinite(given::timestamptz)
    END
$$;

DROP TRIGGER keep_history ON publications;
DROP TRIGGER tell_inserted ON publications;
DROP TRIGGER tell_updated ON publications;
DROP TRIGGER tell_deleted ON publications;
DROP FUNCTION publish(text, publication_layer, integer, timestamptz, timestamptz, text);
DROP FUNCTION cancel_publication(bigint);
DROP FUNCTION live_revisions(timestamptz);

ALTER TABLE publications
    -- The storefronts of the order, or NULL for all, including those that are added later.
    ADD COLUMN storefronts text[],
    ADD COLUMN from_text text,
    ADD COLUMN until_text text,
    -- Whether the order may replace, in a storefront, a base that was published for listed storefronts.
    ADD COLUMN replace_local boolean NOT NULL DEFAULT false,
    ADD COLUMN ordered_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- The time at which the order was canceled everywhere.
    ADD COLUMN cancelled_at timestamptz;

-- A base without a successor at its end was canceled.
UPDATE publications AS ordered
SET
    from_text = instant_text(lower(during)),
    until_text = CASE WHEN layer = 'takeover' THEN instant_text(upper(during)) END,
    ordered_at = least(lower(during), now()),
    cancelled_at = CASE WHEN layer = 'base' AND NOT EXISTS (
        SELECT FROM publications AS next WHERE next.feed = ordered.feed AND next.layer = 'base' AND lower(next.during) = upper(ordered.during))
        THEN upper(during) END;

-- The spans of orders in storefronts.
CREATE TABLE publication_spans (
    publication bigint NOT NULL,
    feed text NOT NULL,
    layer publication_layer NOT NULL,
    storefront text NOT NULL,
    during tstzrange NOT NULL,
    CONSTRAINT publication_spans_pkey PRIMARY KEY (publication, storefront),
    CONSTRAINT publication_spans_during_check CHECK (
        NOT isempty(during) AND coalesce(lower(during), '-infinity') > '-infinity' AND upper(during) IS DISTINCT FROM 'infinity'
        AND lower_inc(during) AND NOT upper_inc(during)),
    -- It is checked at the end of each statement, so that one statement can move several spans.
    CONSTRAINT publication_spans_during_excl EXCLUDE USING gist (feed WITH =, layer WITH =, storefront WITH =, during WITH &&)
        DEFERRABLE INITIALLY IMMEDIATE
);

INSERT INTO publication_spans (publication, feed, layer, storefront, during)
SELECT id, feed, layer, key, during FROM publications CROSS JOIN storefronts;

ALTER TABLE publications
    ADD CONSTRAINT publications_layer_key UNIQUE (id, feed, layer),
    ALTER COLUMN from_text SET NOT NULL,
    DROP COLUMN during,
    DROP COLUMN time_zone,
    ADD CONSTRAINT publications_storefronts_check CHECK (cardinality(storefronts) >= 1 AND array_position(storefronts, NULL) IS NULL),
    ADD CONSTRAINT publications_from_check CHECK (is_planned_time(from_text)),
    ADD CONSTRAINT publications_until_check CHECK (is_planned_time(until_text)),
    ADD CONSTRAINT publications_layer_check CHECK (layer = 'takeover' OR until_text IS NULL);

ALTER TABLE publication_spans
    ADD CONSTRAINT publication_spans_publication_fkey FOREIGN KEY (publication, feed, layer) REFERENCES publications (id, feed, layer),
    ADD CONSTRAINT publication_spans_storefront_fkey FOREIGN KEY (storefront) REFERENCES storefronts (key);

-- For the spans that have not ended.
CREATE INDEX publication_spans_by_end ON publication_spans (coalesce(upper(during), 'infinity'));
CREATE INDEX publication_spans_by_start ON publication_spans (lower(during));

-- An order does not change, except that it is canceled once.
CREATE FUNCTION keep_orders() RETURNS trigger LANGUAGE plpgsql
AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND old.cancelled_at IS NULL AND new.cancelled_at IS NOT NULL
        AND (new.id, new.feed, new.layer, new.revision, new.storefronts, new.from_text, new.until_text, new.replace_local, new.ordered_at)
            IS NOT DISTINCT FROM
            (old.id, old.feed, old.layer, old.revision, old.storefronts, old.from_text, old.until_text, old.replace_local, old.ordered_at)
    THEN
        RETURN new;
    END IF;
    RAISE EXCEPTION 'a publication cannot be changed or deleted'
        USING ERRCODE = 'feature_not_supported', HINT = 'Cancel it with cancel_publication, and publish another revision.';
END
$$;

CREATE TRIGGER keep_orders BEFORE UPDATE OR DELETE ON publications FOR EACH ROW EXECUTE FUNCTION keep_orders();
ALTER TABLE publications ENABLE ALWAYS TRIGGER keep_orders;

-- Rejects changes of the past. A span can start now at the earliest, and change only in the future. Now is the time of
-- the write, however long the transaction has waited. The functions below set it to the time at which they got their
-- locks.
CREATE OR REPLACE FUNCTION keep_history() RETURNS trigger LANGUAGE plpgsql
AS $$
DECLARE
    present timestamptz := coalesce(nullif(current_setting('vitrine.present', true), '')::timestamptz, clock_timestamp());
    problem text;
BEGIN
    IF TG_OP = 'INSERT' AND lower(new.during) < present THEN
        problem := format('a publication cannot start at %s, which is in the past', lower(new.during));
    ELSIF TG_OP = 'DELETE' AND lower(old.during) < present THEN
        problem := 'a publication that has started cannot be deleted';
    ELSIF TG_OP = 'UPDATE' AND (
        (new.publication, new.feed, new.layer, new.storefront) <> (old.publication, old.feed, old.layer, old.storefront)
        OR lower(new.during) <> lower(old.during) AND least(lower(new.during), lower(old.during)) < present
        OR upper(new.during) IS DISTINCT FROM upper(old.during) AND least(upper(new.during), upper(old.during)) < present)
    THEN
        problem := 'only the future of a publication can be changed';
    END IF;
    IF problem IS NOT NULL THEN
        RAISE EXCEPTION '%', problem
            USING ERRCODE = 'check_violation', SCHEMA = TG_TABLE_SCHEMA, TABLE = TG_TABLE_NAME, CONSTRAINT = 'publication_spans_history_check';
    END IF;
    IF TG_OP = 'DELETE' THEN
        RETURN old;
    END IF;
    RETURN new;
END
$$;

CREATE TRIGGER keep_history BEFORE INSERT OR UPDATE OR DELETE ON publication_spans FOR EACH ROW EXECUTE FUNCTION keep_history();
ALTER TABLE publication_spans ENABLE ALWAYS TRIGGER keep_history;

SELECT tell_changes_of('publication_spans', 'tell_keys(''span'', ''feed || ''''/'''' || storefront'')');

-- Locks the set of storefronts and their zones until the end of the transaction. Publications share the lock. A
-- transaction that adds a storefront or changes a zone holds it alone, so a new storefront misses no order.
CREATE FUNCTION hold_storefronts(exclusively boolean DEFAULT false) RETURNS void LANGUAGE plpgsql
AS $$
BEGIN
    IF exclusively THEN
        PERFORM pg_advisory_xact_lock(7234017283807667303);
    ELSE
        PERFORM pg_advisory_xact_lock_shared(7234017283807667303);
    END IF;
END
$$;

-- A session gets this lock before it locks the row of a storefront, which publications refer to. Otherwise it would wait
-- for a publication that waits for the row.
CREATE FUNCTION hold_all_storefronts() RETURNS trigger LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM vitrine.hold_storefronts(exclusively => true);
    RETURN new;
END
$$;

-- A row trigger, so that an import with unchanged storefronts does not wait for publications.
CREATE TRIGGER hold_inserted BEFORE INSERT ON storefronts FOR EACH ROW EXECUTE FUNCTION hold_all_storefronts();
CREATE TRIGGER hold_deleted BEFORE DELETE ON storefronts FOR EACH STATEMENT EXECUTE FUNCTION hold_all_storefronts();
ALTER TABLE storefronts ENABLE ALWAYS TRIGGER hold_inserted, ENABLE ALWAYS TRIGGER hold_deleted;

CREATE TYPE proposed_span AS (
    storefront text,
    start timestamptz,
    finish timestamptz,
    -- Whether the wall clock of the start has passed.
    starts_now boolean,
    -- Whether the time is over or skipped in this storefront, so that the order has no span here.
    is_empty boolean,
    -- The publication that has the time.
    conflict bigint,
    -- The base that was published for listed storefronts, if an order for all would replace it.
    local_base bigint
);

-- Returns what an order would mean in each of its storefronts.
CREATE FUNCTION proposed_spans(
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
            ELSE finish
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

-- Rejects keys that no open storefront has.
CREATE FUNCTION require_storefronts(keys text[]) RETURNS void LANGUAGE plpgsql STABLE
AS $$
DECLARE
    unknown text;
BEGIN
    SELECT string_agg(given, ', ') INTO unknown FROM unnest(keys) AS given
    WHERE NOT EXISTS (SELECT FROM vitrine.storefronts WHERE key = given AND closed_at IS NULL);
    IF unknown IS NOT NULL THEN
        RAISE EXCEPTION 'no open storefront is named %', unknown
            USING ERRCODE = 'foreign_key_violation', SCHEMA = 'vitrine', TABLE = 'publications', CONSTRAINT = 'publications_storefronts_fkey';
    END IF;
END
$$;

-- Publishes a revision from a time or from now on, in the given storefronts or in all, and returns the id of the
-- publication. On the base, it lasts until the next publication in each storefront. A takeover lasts until its end, or
-- until it is canceled.
CREATE FUNCTION publish(
    of_feed text, to_layer publication_layer, of_revision integer, given_from text DEFAULT NULL, given_until text DEFAULT NULL,
    in_storefronts text[] DEFAULT NULL, replaces_local boolean DEFAULT false
) RETURNS bigint LANGUAGE plpgsql
AS $$
DECLARE
    present timestamptz;
    spans vitrine.proposed_span[];
    places text;
    published bigint;
BEGIN
    PERFORM FROM vitrine.feeds WHERE key = of_feed FOR UPDATE;
    PERFORM vitrine.hold_storefronts();
    -- The clock is read after the locks, so that of two concurrent publications the second one starts later.
    present := clock_timestamp();
    IF to_layer = 'base' AND given_until IS NOT NULL THEN
        RAISE EXCEPTION 'a publication on the base has no end: it lasts until the next publication'
            USING ERRCODE = 'invalid_parameter_value', HINT = 'Publish a takeover for a limited period.';
    ELSIF given_from IS NOT NULL AND NOT vitrine.is_wall_clock(given_from) AND given_from::timestamptz < present THEN
        RAISE EXCEPTION 'a publication cannot start at %, which is in the past', given_from
            USING ERRCODE = 'check_violation', SCHEMA = 'vitrine', TABLE = 'publication_spans', CONSTRAINT = 'publication_spans_history_check';
    END IF;
    PERFORM vitrine.require_storefronts(in_storefronts);
    SELECT array_agg(span) INTO spans
    FROM vitrine.proposed_spans(of_feed, to_layer, given_from, given_until, in_storefronts, present) AS span
    WHERE NOT is_empty;
    -- Without an open storefront, the order is for those that are added later.
    IF spans IS NULL AND given_until IS NOT NULL AND (
        EXISTS (SELECT FROM vitrine.storefronts WHERE closed_at IS NULL)
        OR vitrine.moment_in(given_until, 'UTC') <= greatest(vitrine.moment_in(given_from, 'UTC'), present))
    THEN
        RAISE EXCEPTION 'a publication cannot end at %, which is not after its start', given_until
            USING ERRCODE = 'check_violation', SCHEMA = 'vitrine', TABLE = 'publication_spans', CONSTRAINT = 'publication_spans_during_check';
    END IF;
    SELECT string_agg(storefront, ', ') INTO places FROM unnest(spans) WHERE conflict IS NOT NULL;
    IF places IS NOT NULL THEN
        RAISE EXCEPTION 'another publication has the time in %', places
            USING ERRCODE = 'exclusion_violation', SCHEMA = 'vitrine', TABLE = 'publication_spans', CONSTRAINT = 'publication_spans_during_excl';
    END IF;
    SELECT string_agg(storefront, ', ') INTO places FROM unnest(spans) WHERE local_base IS NOT NULL;
    IF places IS NOT NULL AND NOT replaces_local THEN
        RAISE EXCEPTION 'the publication would replace another base of %', places
            USING ERRCODE = 'check_violation', SCHEMA = 'vitrine', TABLE = 'publications', CONSTRAINT = 'publications_local_base_check';
    END IF;
    INSERT INTO vitrine.publications (feed, layer, revision, storefronts, from_text, until_text, replace_local, ordered_at)
    VALUES (of_feed, to_layer, of_revision, in_storefronts, coalesce(given_from, vitrine.instant_text(present)), given_until, replaces_local, present)
    RETURNING id INTO published;
    PERFORM set_config('vitrine.present', present::text, true);
    IF to_layer = 'base' THEN
        UPDATE vitrine.publication_spans SET during = tstzrange(lower(during), start)
        FROM unnest(spans) AS span
        WHERE feed = of_feed AND layer = 'base' AND publication_spans.storefront = span.storefront AND during @> start;
    END IF;
    INSERT INTO vitrine.publication_spans (publication, feed, layer, storefront, during)
    SELECT published, of_feed, to_layer, storefront, tstzrange(start, finish) FROM unnest(spans);
    PERFORM set_config('vitrine.present', '', true);
    RETURN published;
END
$$;

-- Ends a publication where it is live and removes it where it is scheduled, in the given storefronts or in all. If a
-- removed one was on the base, its predecessor in the storefront lasts until its end.
CREATE FUNCTION cancel_publication(cancelled bigint, in_storefronts text[] DEFAULT NULL) RETURNS void LANGUAGE plpgsql
AS $$
DECLARE
    present timestamptz;
    ahead vitrine.publication_spans[];
    places text;
BEGIN
    PERFORM FROM vitrine.feeds WHERE key = (SELECT feed FROM vitrine.publications WHERE id = cancelled) FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'publication % does not exist', cancelled USING ERRCODE = 'no_data_found';
    END IF;
    PERFORM vitrine.hold_storefronts();
    present := clock_timestamp();
    ahead := ARRAY(
        SELECT span FROM vitrine.publication_spans AS span
        WHERE publication = cancelled AND coalesce(upper(during), 'infinity') > present
            AND (in_storefronts IS NULL OR storefront = ANY (in_storefronts)));
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
    UPDATE vitrine.publications SET cancelled_at = present
    WHERE id = cancelled AND cancelled_at IS NULL AND (in_storefronts IS NULL OR storefronts IS NOT NULL AND NOT EXISTS (
        SELECT FROM vitrine.publication_spans WHERE publication = cancelled AND coalesce(upper(during), 'infinity') > present));
    PERFORM set_config('vitrine.present', '', true);
END
$$;

-- Returns what a rollback publishes: for each revision its storefronts, which are NULL if they are all. By default, the
-- storefronts are those that show the base which began last anywhere, or that showed it last if no base is live. Each one
-- returns to the last revision on its base that differs from the live one, or to the given revision. A storefront
-- without such a revision has a row without one.
CREATE FUNCTION rollback_targets(of_feed text, in_storefronts text[], to_revision integer, present timestamptz)
    RETURNS TABLE (revision integer, storefronts text[]) LANGUAGE sql STABLE
AS $$
    WITH newest AS MATERIALIZED (
        SELECT key, span.publication, span.is_live, CASE WHEN span.is_live THEN publications.revision END AS live
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
        SELECT key, publication, live FROM newest WHERE is_live OR NOT EXISTS (SELECT FROM newest WHERE is_live)
    ), chosen AS (
        SELECT key, live FROM newest
        WHERE in_storefronts IS NOT NULL AND key = ANY (in_storefronts)
        UNION ALL
        SELECT key, live FROM shown
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

-- Publishes the targets of a rollback, and returns the ids of the publications. A storefront without a target keeps its
-- base.
CREATE FUNCTION roll_back(of_feed text, in_storefronts text[] DEFAULT NULL, to_revision integer DEFAULT NULL) RETURNS SETOF bigint LANGUAGE plpgsql
AS $$
DECLARE
    target record;
BEGIN
    PERFORM FROM vitrine.feeds WHERE key = of_feed FOR UPDATE;
    PERFORM vitrine.hold_storefronts();
    PERFORM vitrine.require_storefronts(in_storefronts);
    FOR target IN
        SELECT revision, storefronts FROM vitrine.rollback_targets(of_feed, in_storefronts, to_revision, clock_timestamp()) WHERE revision IS NOT NULL
    LOOP
        RETURN NEXT vitrine.publish(of_feed, 'base', target.revision, in_storefronts => target.storefronts, replaces_local => true);
    END LOOP;
END
$$;

-- Returns the live revision of each feed in each storefront at a time, and the time of the next scheduled change there.
-- Feeds without a live revision and without a scheduled one have no row.
CREATE FUNCTION live_revisions(at_moment timestamptz)
    RETURNS TABLE (feed text, storefront text, publication bigint, revision integer, layer publication_layer, until_moment timestamptz)
    LANGUAGE sql STABLE
AS $$
    -- A layer has at most one live span, so the maximum is that span.
    SELECT
        live.feed, live.storefront, publications.id, publications.revision,
        CASE WHEN takeover IS NOT NULL THEN 'takeover' WHEN base IS NOT NULL THEN 'base' END::vitrine.publication_layer, bound
    FROM (
        SELECT
            publication_spans.feed, publication_spans.storefront,
            max(publication) FILTER (WHERE layer = 'base' AND lower(during) <= at_moment) AS base,
            max(publication) FILTER (WHERE layer = 'takeover' AND lower(during) <= at_moment) AS takeover,
            min(CASE WHEN lower(during) > at_moment THEN lower(during) ELSE upper(during) END) AS bound
        FROM vitrine.publication_spans
        JOIN vitrine.feeds ON feeds.key = publication_spans.feed AND archived_at IS NULL
        JOIN vitrine.storefronts ON storefronts.key = publication_spans.storefront AND closed_at IS NULL
        WHERE coalesce(upper(during), 'infinity') > at_moment
        GROUP BY publication_spans.feed, publication_spans.storefront
    ) AS live
    LEFT JOIN vitrine.publications ON publications.id = coalesce(takeover, base)
$$;

-- Gives a new storefront the spans of all orders for all storefronts, from now on, as if it had always been there. A
-- base that was canceled while it was live has no span, but it ended the one before it. If two takeovers overlap only in
-- its zone, the later one has no span.
CREATE FUNCTION serve_storefront() RETURNS trigger LANGUAGE plpgsql
AS $$
DECLARE
    present timestamptz;
    ordered record;
    taken jsonb := '{}';
    feed_taken tstzmultirange;
    period tstzrange;
BEGIN
    present := clock_timestamp();
    PERFORM set_config('vitrine.present', present::text, true);
    INSERT INTO vitrine.publication_spans (publication, feed, layer, storefront, during)
    SELECT id, feed, 'base', new.key, tstzrange(greatest(start, present), finish)
    FROM (
        SELECT id, feed, start, cancelled_at, lead(start) OVER (PARTITION BY feed ORDER BY start) AS finish
        FROM (
            SELECT DISTINCT ON (feed, start) id, feed, start, cancelled_at
            FROM vitrine.publications CROSS JOIN greatest(vitrine.moment_in(from_text, new.time_zone), ordered_at) AS start
            WHERE layer = 'base' AND storefronts IS NULL AND coalesce(cancelled_at, 'infinity') > start
            ORDER BY feed, start, cancelled_at DESC NULLS FIRST, id
        ) AS starts
    ) AS spans
    WHERE cancelled_at IS NULL AND coalesce(finish, 'infinity') > present;
    FOR ordered IN
        SELECT id, feed, greatest(vitrine.moment_in(from_text, new.time_zone), ordered_at) AS start, vitrine.moment_in(until_text, new.time_zone) AS finish
        FROM vitrine.publications
        WHERE layer = 'takeover' AND storefronts IS NULL AND cancelled_at IS NULL
        ORDER BY feed, id
    LOOP
        CONTINUE WHEN ordered.finish <= ordered.start;
        period := tstzrange(ordered.start, ordered.finish);
        feed_taken := coalesce((taken ->> ordered.feed)::tstzmultirange, '{}');
        CONTINUE WHEN feed_taken && period;
        taken := taken || jsonb_build_object(ordered.feed, feed_taken + tstzmultirange(period));
        CONTINUE WHEN ordered.finish <= present;
        INSERT INTO vitrine.publication_spans (publication, feed, layer, storefront, during)
        VALUES (ordered.id, ordered.feed, 'takeover', new.key, tstzrange(greatest(ordered.start, present), ordered.finish));
    END LOOP;
    PERFORM set_config('vitrine.present', '', true);
    RETURN NULL;
END
$$;

CREATE TRIGGER serve_storefront AFTER INSERT ON storefronts FOR EACH ROW EXECUTE FUNCTION serve_storefront();
ALTER TABLE storefronts ENABLE ALWAYS TRIGGER serve_storefront;

CREATE TYPE moved_span AS (
    publication bigint,
    feed text,
    layer publication_layer,
    before tstzrange,
    -- NULL if nothing remains, or if another base starts at the same time.
    after tstzrange,
    -- Whether a wall clock gives another time than before.
    is_recomputed boolean
);

-- Computes the starts and ends again that were given by wall clock and lie ahead, after the zone of a storefront or the
-- rules of the zone have changed. A time that has passed becomes now. Returns the spans that differ. Spans that would
-- then overlap or be empty stay as they are.
CREATE FUNCTION move_spans(of_storefront text) RETURNS TABLE (publication bigint, is_moved boolean) LANGUAGE plpgsql
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
            FROM unnest(moved) AS mine
            WHERE is_recomputed AND (after IS NULL OR EXISTS (
                SELECT FROM unnest(moved) AS other
                WHERE other.feed = mine.feed AND other.layer = mine.layer AND other.publication <> mine.publication AND other.after && mine.after)));
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

CREATE FUNCTION follow_zone() RETURNS trigger LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM vitrine.move_spans(new.key);
    RETURN NULL;
END
$$;

CREATE TRIGGER follow_zone AFTER UPDATE OF time_zone ON storefronts FOR EACH ROW WHEN (old.time_zone <> new.time_zone)
    EXECUTE FUNCTION follow_zone();
ALTER TABLE storefronts ENABLE ALWAYS TRIGGER follow_zone;

-- A storefront in which nothing was ever shown loses its scheduled spans. Any other one cannot be deleted.
CREATE FUNCTION remove_scheduled_spans() RETURNS trigger LANGUAGE plpgsql
AS $$
BEGIN
    DELETE FROM vitrine.publication_spans WHERE storefront = old.key AND lower(during) > clock_timestamp();
    RETURN old;
END
$$;

CREATE TRIGGER remove_scheduled_spans BEFORE DELETE ON storefronts FOR EACH ROW EXECUTE FUNCTION remove_scheduled_spans();
ALTER TABLE storefronts ENABLE ALWAYS TRIGGER remove_scheduled_spans;
