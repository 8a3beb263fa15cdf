-- breaks older programs
-- The live findings: the problems of published feeds in their storefronts. The sequencer adds a finding in the drain that
-- causes it, and removes it in the drain that ends it. Clients do not read them, so they have no version. They replace the
-- list of retained sections.

DROP TABLE retained_sections;

CREATE TABLE live_findings (
    feed text NOT NULL,
    code text NOT NULL,
    -- The part of the feed. With the code, it identifies the finding in all revisions and storefronts.
    subject text NOT NULL,
    storefront text NOT NULL,
    severity text NOT NULL,
    section text,
    revision integer,
    -- The platforms of the clients. Empty if it concerns all clients.
    platforms text[] NOT NULL DEFAULT '{}',
    -- The location in the document of the revision.
    pointer text NOT NULL,
    message text NOT NULL,
    help text NOT NULL,
    -- The time since which the feed has the finding in some storefront.
    since timestamptz NOT NULL,
    CONSTRAINT live_findings_pkey PRIMARY KEY (feed, code, subject, storefront),
    CONSTRAINT live_findings_code_check CHECK (code ~ '^[A-Z][A-Z_]*$'),
    CONSTRAINT live_findings_severity_check CHECK (severity IN ('error', 'warning')),
    CONSTRAINT live_findings_platforms_check CHECK (array_position(platforms, NULL) IS NULL),
    CONSTRAINT live_findings_pointer_check CHECK (pointer = '' OR starts_with(pointer, '/')),
    CONSTRAINT live_findings_since_check CHECK (isfinite(since))
);

-- Returns the takeovers that have not ended, of feeds that are not archived. is_above_base is whether a base is live at
-- the end of the takeover, or, if it has no end, whether a base without an end has started by then.
CREATE FUNCTION takeovers_ahead(at_moment timestamptz)
    RETURNS TABLE (
        feed text, storefront text, publication bigint, revision integer, start timestamptz, finish timestamptz, is_above_base boolean
    ) LANGUAGE sql STABLE
AS $$
    SELECT
        span.feed, span.storefront, span.publication, publications.revision, lower(span.during), upper(span.during),
        EXISTS (
            SELECT FROM vitrine.publication_spans AS base
            WHERE base.feed = span.feed AND base.layer = 'base' AND base.storefront = span.storefront
                AND base.during && tstzrange(coalesce(upper(span.during), at_moment), NULL)
                AND CASE WHEN upper_inf(span.during) THEN upper_inf(base.during) ELSE base.during @> upper(span.during) END)
    FROM vitrine.publication_spans AS span
    JOIN vitrine.publications ON publications.id = span.publication
    JOIN vitrine.feeds ON feeds.key = span.feed AND archived_at IS NULL
    JOIN vitrine.storefronts ON storefronts.key = span.storefront AND closed_at IS NULL
    WHERE span.layer = 'takeover' AND coalesce(upper(span.during), 'infinity') > at_moment
$$;

-- The spans that were computed again because a zone has changed. A span that has moved has its earlier period. A span
-- that would then overlap another one has not moved.
CREATE TABLE moved_spans (
    publication bigint NOT NULL,
    storefront text NOT NULL,
    before tstzrange NOT NULL,
    is_moved boolean NOT NULL,
    CONSTRAINT moved_spans_pkey PRIMARY KEY (publication, storefront),
    CONSTRAINT moved_spans_span_fkey FOREIGN KEY (publication, storefront) REFERENCES publication_spans (publication, storefront)
        ON DELETE CASCADE
);

-- Clients do not see the rows, but the next drain reports them.
SELECT tell_changes_of(
    'moved_spans',
    'tell_keys(''span'', ''(SELECT feed FROM vitrine.publications WHERE id = publication) || ''''/'''' || storefront'')');

-- Returns the moved spans of feeds that are not archived, as long as a bound that was given by wall clock lies ahead and
-- has moved, or should have. Usually the table is empty, and no other table is read.
CREATE FUNCTION moved_spans_ahead(at_moment timestamptz)
    RETURNS TABLE (
        feed text, storefront text, publication bigint, revision integer, layer publication_layer, is_moved boolean,
        start timestamptz, finish timestamptz, start_before timestamptz, finish_before timestamptz
    ) LANGUAGE plpgsql STABLE
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM vitrine.moved_spans) THEN
        RETURN;
    END IF;
    RETURN QUERY
    SELECT
        span.feed, span.storefront, span.publication, ordered.revision, span.layer, moved.is_moved,
        lower(span.during), upper(span.during), lower(moved.before), upper(moved.before)
    FROM vitrine.moved_spans AS moved
    JOIN vitrine.publication_spans AS span ON (span.publication, span.storefront) = (moved.publication, moved.storefront)
    JOIN vitrine.publications AS ordered ON ordered.id = span.publication
    JOIN vitrine.feeds ON feeds.key = span.feed AND archived_at IS NULL
    JOIN vitrine.storefronts ON storefronts.key = span.storefront AND closed_at IS NULL
    WHERE vitrine.is_wall_clock(from_text) AND lower(span.during) > at_moment
            AND (NOT moved.is_moved OR lower(span.during) <> lower(moved.before))
        OR vitrine.is_wall_clock(until_text) AND upper(span.during) > at_moment
            AND (NOT moved.is_moved OR upper(span.during) <> upper(moved.before));
END
$$;

-- Computes the spans of a storefront again, and records those that move and those that cannot.
CREATE FUNCTION move_and_record_spans(of_storefront text) RETURNS void LANGUAGE plpgsql
AS $$
DECLARE
    publications bigint[];
    periods tstzrange[];
    are_moved boolean[];
BEGIN
    PERFORM vitrine.hold_storefronts(exclusively => true);
    -- The span is read as it was when this statement began, which is before it moved.
    SELECT array_agg(moved.publication), array_agg(span.during), array_agg(moved.is_moved) INTO publications, periods, are_moved
    FROM vitrine.move_spans(of_storefront) AS moved
    JOIN vitrine.publication_spans AS span ON span.publication = moved.publication AND span.storefront = of_storefront;
    -- Spans that could not move before were just tried again.
    DELETE FROM vitrine.moved_spans
    WHERE storefront = of_storefront AND NOT is_moved AND publication <> ALL (coalesce(publications, '{}'));
    INSERT INTO vitrine.moved_spans AS present (publication, storefront, before, is_moved)
    SELECT publication, of_storefront, before, is_moved FROM unnest(publications, periods, are_moved) AS given (publication, before, is_moved)
    ON CONFLICT (publication, storefront) DO UPDATE SET
        before = CASE WHEN present.is_moved THEN present.before ELSE excluded.before END, is_moved = excluded.is_moved;
END
$$;

CREATE OR REPLACE FUNCTION follow_zone() RETURNS trigger LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM vitrine.move_and_record_spans(new.key);
    RETURN NULL;
END
$$;

-- The rules of each time zone of a storefront when its spans were last computed.
CREATE TABLE zone_rules (
    time_zone text NOT NULL,
    -- The first year of the fingerprint.
    first_year integer NOT NULL,
    fingerprint bytea NOT NULL,
    checked_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT zone_rules_pkey PRIMARY KEY (time_zone),
    CONSTRAINT zone_rules_first_year_check CHECK (first_year BETWEEN 2000 AND 9999)
);

-- Returns the hash of the offset of a zone from UTC and of its changes, to the minute, during ten years. It compares the
-- starts of weeks and then halves the weeks in which the offset changes, which takes a few milliseconds.
CREATE FUNCTION zone_fingerprint(zone text, first_year integer) RETURNS bytea LANGUAGE plpgsql STABLE
AS $$
DECLARE
    week record;
    early timestamptz;
    late timestamptz;
    middle timestamptz;
    rules text := '';
BEGIN
    FOR week IN
        SELECT start, offset_at, lead(start) OVER (ORDER BY start) AS next_start, lead(offset_at) OVER (ORDER BY start) AS next_offset
        FROM generate_series(
            make_timestamptz(first_year, 1, 1, 0, 0, 0, 'UTC'), make_timestamptz(first_year + 10, 1, 1, 0, 0, 0, 'UTC'), interval '168 hours'
        ) AS start
        -- A time without a zone has the epoch that it has in UTC.
        CROSS JOIN LATERAL (SELECT extract(epoch FROM start AT TIME ZONE zone) - extract(epoch FROM start) AS offset_at) AS there
    LOOP
        IF rules = '' THEN
            rules := week.offset_at::integer::text;
        END IF;
        CONTINUE WHEN coalesce(week.offset_at = week.next_offset, true);
        early := week.start;
        late := week.next_start;
        WHILE late - early > interval '1 minute' LOOP
            middle := date_bin('1 minute', early + (late - early) / 2, early);
            IF extract(epoch FROM middle AT TIME ZONE zone) - extract(epoch FROM middle) = week.offset_at THEN
                early := middle;
            ELSE
                late := middle;
            END IF;
        END LOOP;
        rules := concat_ws(' ', rules, extract(epoch FROM late)::bigint, week.next_offset::integer);
    END LOOP;
    RETURN sha256(convert_to(rules, 'UTF8'));
END
$$;

-- Computes the spans of storefronts again if the rules of their time zones have changed, and returns these zones. The
-- rules of a zone that was not checked before can have changed. A session keeps the rules that it has read, so only a
-- new session knows whether they have changed.
CREATE FUNCTION follow_zone_rules() RETURNS SETOF text LANGUAGE plpgsql
AS $$
DECLARE
    this_year integer := extract(year FROM now() AT TIME ZONE 'UTC');
    changed text[];
BEGIN
    changed := ARRAY(
        SELECT DISTINCT time_zone
        FROM vitrine.storefronts
        LEFT JOIN vitrine.zone_rules USING (time_zone)
        WHERE fingerprint IS NULL OR fingerprint <> vitrine.zone_fingerprint(time_zone, first_year)
        ORDER BY time_zone);
    IF cardinality(changed) > 0 THEN
        PERFORM vitrine.hold_storefronts(exclusively => true);
        PERFORM vitrine.move_and_record_spans(key) FROM (
            SELECT key FROM vitrine.storefronts WHERE time_zone = ANY (changed) ORDER BY key COLLATE "C"
        ) AS places;
    END IF;
    INSERT INTO vitrine.zone_rules AS present (time_zone, first_year, fingerprint)
    SELECT time_zone, this_year, vitrine.zone_fingerprint(time_zone, this_year)
    FROM (SELECT DISTINCT time_zone FROM vitrine.storefronts) AS zones
    WHERE NOT EXISTS (
        SELECT FROM vitrine.zone_rules AS present
        WHERE present.time_zone = zones.time_zone AND first_year = this_year AND present.time_zone <> ALL (changed))
    ON CONFLICT (time_zone) DO UPDATE SET first_year = excluded.first_year, fingerprint = excluded.fingerprint, checked_at = now();
    DELETE FROM vitrine.zone_rules WHERE time_zone NOT IN (SELECT time_zone FROM vitrine.storefronts);
    -- Ended spans are not reported.
    DELETE FROM vitrine.moved_spans AS moved
    USING vitrine.publication_spans AS span
    WHERE (span.publication, span.storefront) = (moved.publication, moved.storefront) AND upper(span.during) <= clock_timestamp();
    RETURN QUERY SELECT unnest(changed);
END
$$;
