-- The feeds of curators, their revisions and publications. History is never rewritten: a saved revision does not
-- change, and a publication changes only in the future.

CREATE TABLE feeds (
    key text NOT NULL,
    -- The time of archiving. The revisions and publications of an archived feed remain.
    archived_at timestamptz,
    CONSTRAINT feeds_pkey PRIMARY KEY (key),
    CONSTRAINT feeds_key_check CHECK (key ~ '^[a-z][a-z0-9]*(-[a-z0-9]+)*$' AND length(key) <= 64)
);

-- Returns the SHA-256 of a text in UTF-8, the encoding of all databases. A cast to bytea would interpret backslashes as
-- escapes.
CREATE FUNCTION digest_of(content text) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT sha256(convert_to(content, 'UTF8')) $$;

-- A whole document in canonical form, so that equal documents have equal bytes.
CREATE TABLE revisions (
    feed text NOT NULL,
    number integer NOT NULL,
    -- The newest revision of a line is its draft.
    line text NOT NULL,
    document text NOT NULL,
    hash bytea NOT NULL GENERATED ALWAYS AS (digest_of(document)) STORED,
    saved_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT revisions_pkey PRIMARY KEY (feed, number),
    CONSTRAINT revisions_feed_fkey FOREIGN KEY (feed) REFERENCES feeds (key),
    CONSTRAINT revisions_number_check CHECK (number >= 1),
    CONSTRAINT revisions_line_check CHECK (line ~ '^[a-z][a-z0-9]*(-[a-z0-9]+)*$' AND length(line) <= 64),
    CONSTRAINT revisions_document_check CHECK (document::jsonb ->> 'feed' = feed AND octet_length(document) <= 1048576)
);

CREATE INDEX revisions_by_line ON revisions (feed, line, number DESC);

CREATE TYPE publication_layer AS ENUM ('base', 'takeover');

-- A revision on a layer of its feed for a period. A takeover wins while it lasts. Then the current base is live again.
CREATE TABLE publications (
    id bigint GENERATED ALWAYS AS IDENTITY,
    feed text NOT NULL,
    layer publication_layer NOT NULL,
    revision integer NOT NULL,
    during tstzrange NOT NULL,
    -- The time zone in which the times were given and are shown.
    time_zone text NOT NULL DEFAULT 'UTC',
    CONSTRAINT publications_pkey PRIMARY KEY (id),
    CONSTRAINT publications_revision_fkey FOREIGN KEY (feed, revision) REFERENCES revisions (feed, number),
    CONSTRAINT publications_during_check CHECK (
        NOT isempty(during) AND coalesce(lower(during), '-infinity') > '-infinity' AND upper(during) IS DISTINCT FROM 'infinity'
        AND lower_inc(during) AND NOT upper_inc(during)),
    CONSTRAINT publications_time_zone_check CHECK (is_time_zone(time_zone)),
    CONSTRAINT publications_during_excl EXCLUDE USING gist (feed WITH =, layer WITH =, during WITH &&)
);

CREATE FUNCTION refuse_rewriting() RETURNS trigger LANGUAGE plpgsql
AS $$
BEGIN
    RAISE EXCEPTION 'a revision cannot be changed or deleted'
        USING ERRCODE = 'feature_not_supported', HINT = 'Save another revision.';
END
$$;

CREATE TRIGGER refuse_rewriting BEFORE UPDATE OR DELETE ON revisions FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();
ALTER TABLE revisions ENABLE ALWAYS TRIGGER refuse_rewriting;

-- Rejects changes of the past. A publication can start now at the earliest, and change only in the future. Now is the
-- time of the write, however long the transaction has waited. publish and cancel_publication set it to the time at
-- which they got their lock.
CREATE FUNCTION keep_history() RETURNS trigger LANGUAGE plpgsql
AS $$
DECLARE
    present timestamptz := coalesce(nullif(current_setting('vitrine.present', true), '')::timestamptz, clock_timestamp());
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF lower(new.during) < present THEN
            RAISE EXCEPTION 'a publication cannot start at %, which is in the past', lower(new.during)
                USING ERRCODE = 'check_violation', SCHEMA = TG_TABLE_SCHEMA, TABLE = TG_TABLE_NAME, CONSTRAINT = 'publications_history_check';
        END IF;
        RETURN new;
    END IF;
    IF TG_OP = 'DELETE' THEN
        IF lower(old.during) < present THEN
            RAISE EXCEPTION 'a publication that has started cannot be deleted'
                USING ERRCODE = 'check_violation', SCHEMA = TG_TABLE_SCHEMA, TABLE = TG_TABLE_NAME, CONSTRAINT = 'publications_history_check';
        END IF;
        RETURN old;
    END IF;
    IF (new.id, new.feed, new.layer, new.revision) <> (old.id, old.feed, old.layer, old.revision)
        OR lower(new.during) <> lower(old.during)
        OR upper(new.during) IS DISTINCT FROM upper(old.during) AND least(upper(new.during), upper(old.during)) < present
    THEN
        RAISE EXCEPTION 'only the future of a publication can be changed'
            USING ERRCODE = 'check_violation', SCHEMA = TG_TABLE_SCHEMA, TABLE = TG_TABLE_NAME, CONSTRAINT = 'publications_history_check';
    END IF;
    RETURN new;
END
$$;

CREATE TRIGGER keep_history BEFORE INSERT OR UPDATE OR DELETE ON publications FOR EACH ROW EXECUTE FUNCTION keep_history();
ALTER TABLE publications ENABLE ALWAYS TRIGGER keep_history;

-- Saves a document as the newest revision of a line, and returns the number of the revision. A document that equals the
-- newest revision keeps its number.
CREATE FUNCTION save_revision(into_feed text, on_line text, new_document text) RETURNS integer LANGUAGE plpgsql
AS $$
DECLARE
    newest record;
    next_number integer;
BEGIN
    INSERT INTO vitrine.feeds (key) VALUES (into_feed) ON CONFLICT (key) DO NOTHING;
    PERFORM FROM vitrine.feeds WHERE key = into_feed FOR UPDATE;
    SELECT number, document INTO newest FROM vitrine.revisions WHERE feed = into_feed AND line = on_line ORDER BY number DESC LIMIT 1;
    IF newest.document = new_document THEN
        RETURN newest.number;
    END IF;
    SELECT coalesce(max(number), 0) + 1 INTO next_number FROM vitrine.revisions WHERE feed = into_feed;
    INSERT INTO vitrine.revisions (feed, number, line, document) VALUES (into_feed, next_number, on_line, new_document);
    RETURN next_number;
END
$$;

-- Publishes a revision from a time or from now on, and returns the id of the publication. On the base, it lasts until
-- the next publication. A takeover lasts until its end, or until it is canceled.
CREATE FUNCTION publish(
    of_feed text, to_layer publication_layer, of_revision integer, from_moment timestamptz DEFAULT NULL, until_moment timestamptz DEFAULT NULL,
    in_time_zone text DEFAULT 'UTC'
) RETURNS bigint LANGUAGE plpgsql
AS $$
DECLARE
    present timestamptz;
    start timestamptz;
    finish timestamptz := until_moment;
    published bigint;
BEGIN
    PERFORM FROM vitrine.feeds WHERE key = of_feed FOR UPDATE;
    -- The clock is read after the lock, so that of two concurrent publications the second one starts later.
    present := clock_timestamp();
    start := coalesce(from_moment, present);
    IF start < present THEN
        RAISE EXCEPTION 'a publication cannot start at %, which is in the past', start
            USING ERRCODE = 'check_violation', SCHEMA = 'vitrine', TABLE = 'publications', CONSTRAINT = 'publications_history_check';
    ELSIF until_moment <= start THEN
        RAISE EXCEPTION 'a publication cannot end at %, which is not after its start', until_moment
            USING ERRCODE = 'check_violation', SCHEMA = 'vitrine', TABLE = 'publications', CONSTRAINT = 'publications_during_check';
    END IF;
    PERFORM set_config('vitrine.present', present::text, true);
    IF to_layer = 'base' THEN
        IF until_moment IS NOT NULL THEN
            RAISE EXCEPTION 'a publication on the base has no end: it lasts until the next publication'
                USING ERRCODE = 'invalid_parameter_value', HINT = 'Publish a takeover for a limited period.';
        END IF;
        IF EXISTS (SELECT FROM vitrine.publications WHERE feed = of_feed AND layer = 'base' AND lower(during) = start) THEN
            RAISE EXCEPTION 'another publication starts at %', start
                USING ERRCODE = 'exclusion_violation', SCHEMA = 'vitrine', TABLE = 'publications', CONSTRAINT = 'publications_during_excl';
        END IF;
        SELECT min(lower(during)) INTO finish FROM vitrine.publications WHERE feed = of_feed AND layer = 'base' AND lower(during) > start;
        UPDATE vitrine.publications SET during = tstzrange(lower(during), start)
        WHERE feed = of_feed AND layer = 'base' AND during @> start;
    END IF;
    INSERT INTO vitrine.publications (feed, layer, revision, during, time_zone)
    VALUES (of_feed, to_layer, of_revision, tstzrange(start, finish), in_time_zone)
    RETURNING id INTO published;
    PERFORM set_config('vitrine.present', '', true);
    RETURN published;
END
$$;

-- Ends a live publication, or deletes a scheduled one. If the deleted one was on the base, its predecessor lasts until
-- its end.
CREATE FUNCTION cancel_publication(cancelled bigint) RETURNS void LANGUAGE plpgsql
AS $$
DECLARE
    found_one vitrine.publications;
    present timestamptz;
BEGIN
    PERFORM FROM vitrine.feeds WHERE key = (SELECT feed FROM vitrine.publications WHERE id = cancelled) FOR UPDATE;
    present := clock_timestamp();
    PERFORM set_config('vitrine.present', present::text, true);
    SELECT id, feed, layer, revision, during, time_zone INTO found_one FROM vitrine.publications WHERE id = cancelled;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'publication % does not exist', cancelled USING ERRCODE = 'no_data_found';
    ELSIF upper(found_one.during) <= present THEN
        RAISE EXCEPTION 'publication % has ended', cancelled USING ERRCODE = 'object_not_in_prerequisite_state';
    ELSIF lower(found_one.during) <= present THEN
        UPDATE vitrine.publications SET during = tstzrange(lower(during), present) WHERE id = cancelled;
    ELSE
        DELETE FROM vitrine.publications WHERE id = cancelled;
        UPDATE vitrine.publications SET during = tstzrange(lower(during), upper(found_one.during))
        WHERE found_one.layer = 'base' AND feed = found_one.feed AND layer = 'base' AND upper(during) = lower(found_one.during);
    END IF;
    PERFORM set_config('vitrine.present', '', true);
END
$$;

-- Returns the start of a day. If clocks are put forward at midnight, it is the next time that they show. If they are
-- put back after midnight, it is the first of the two midnights, although AT TIME ZONE returns the second.
CREATE FUNCTION beginning_of_day(day date, zone text) RETURNS timestamptz LANGUAGE sql STABLE
AS $$
    SELECT least(
        midnight,
        (
            SELECT min(midnight - minutes * interval '1 minute') FROM generate_series(15, 180, 15) AS minutes
            WHERE ((midnight - minutes * interval '1 minute') AT TIME ZONE zone)::date >= day
        ))
    FROM (SELECT day::timestamp AT TIME ZONE zone) AS told (midnight)
$$;

-- Returns the live revision of each feed at a time, and the time of the next scheduled change.
CREATE FUNCTION live_revisions(at_moment timestamptz)
    RETURNS TABLE (feed text, revision integer, layer publication_layer, until_moment timestamptz) LANGUAGE sql STABLE
AS $$
    SELECT feeds.key, live.revision, live.layer, (
        SELECT min(moment)
        FROM vitrine.publications CROSS JOIN unnest(ARRAY[lower(during), upper(during)]) AS moment
        WHERE publications.feed = feeds.key AND moment > at_moment)
    FROM vitrine.feeds
    LEFT JOIN LATERAL (
        SELECT publications.revision, publications.layer FROM vitrine.publications
        WHERE publications.feed = feeds.key AND during @> at_moment
        ORDER BY layer DESC
        LIMIT 1
    ) AS live ON true
    WHERE archived_at IS NULL
$$;

SELECT tell_changes_of('publications', 'tell_keys(''feed'', ''feed'')'), tell_changes_of('feeds', 'tell_keys(''feed'', ''key'')');
