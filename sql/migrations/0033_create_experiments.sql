-- The registry of experiments. Each client has exactly one arm of each experiment: clients compute a place from 0 to 99
-- from the salt and their id, and the ranges of the arms divide these places.

CREATE TYPE experiment_state AS ENUM ('draft', 'running', 'concluded');

CREATE TABLE experiments (
    key text NOT NULL,
    salt text NOT NULL,
    -- The ranges of each arm, such as {"control": [[0, 50]], "pairs": [[50, 100]]}. The second bound is not included.
    arms jsonb NOT NULL,
    default_arm text NOT NULL,
    state experiment_state NOT NULL DEFAULT 'draft',
    winner text,
    CONSTRAINT experiments_pkey PRIMARY KEY (key),
    CONSTRAINT experiments_key_check CHECK (key ~ '^[A-Za-z0-9._:-]{1,64}$'),
    CONSTRAINT experiments_salt_check CHECK (salt ~ '^[A-Za-z0-9._:-]{1,64}$')
);

-- Whether these are arms with valid names, whose ranges cover the places 0 to 99 exactly once. An arm can have no range.
CREATE FUNCTION are_arms(arms jsonb) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
DECLARE
    next_place integer := 0;
    part record;
BEGIN
    IF jsonb_typeof(arms) <> 'object' THEN
        RETURN false;
    END IF;
    IF EXISTS (
        SELECT FROM jsonb_each(arms) AS arm (name, ranges)
        WHERE name !~ '^[A-Za-z0-9._:-]{1,64}$' OR jsonb_typeof(ranges) <> 'array')
    THEN
        RETURN false;
    END IF;
    -- A range with a fraction, or with more than two bounds, differs from the array of its bounds as integers.
    FOR part IN
        SELECT bounds, (bounds ->> 0)::numeric AS low, (bounds ->> 1)::numeric AS high
        FROM jsonb_each(arms) AS arm (name, ranges)
        CROSS JOIN jsonb_array_elements(ranges) AS bounds
        ORDER BY low
    LOOP
        IF part.low IS DISTINCT FROM next_place OR part.high IS NULL OR part.high <= part.low OR part.high > 100
            OR part.bounds <> jsonb_build_array(part.low::integer, part.high::integer)
        THEN
            RETURN false;
        END IF;
        next_place := part.high;
    END LOOP;
    RETURN next_place = 100;
EXCEPTION WHEN data_exception THEN
    RETURN false;
END
$$;

-- Checks an experiment after each write. An experiment starts as a draft. Once it runs, only its ranges can change,
-- because a client would otherwise change its arm unnoticed. Its end is final.
CREATE FUNCTION check_experiment() RETURNS trigger LANGUAGE plpgsql
AS $$
DECLARE
    broken text;
    reason text;
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF old.state = 'running' THEN
            broken := 'experiments_running_check';
            reason := 'a running experiment cannot be deleted';
        END IF;
    ELSIF NOT vitrine.are_arms(new.arms) THEN
        broken := 'experiments_arms_check';
        reason := 'the ranges of the arms do not cover the places 0 to 99 exactly once';
    ELSIF NOT new.arms ? new.default_arm THEN
        broken := 'experiments_default_check';
        reason := format('the default %s is not one of the arms', new.default_arm);
    ELSIF (new.state = 'concluded') <> (new.winner IS NOT NULL) OR NOT new.arms ? coalesce(new.winner, new.default_arm) THEN
        broken := 'experiments_winner_check';
        reason := 'exactly a concluded experiment has one of its arms as the winner';
    ELSIF TG_OP = 'INSERT' AND new.state <> 'draft'
        OR TG_OP = 'UPDATE' AND (new.state < old.state OR new.state = 'concluded' AND old.state = 'draft')
    THEN
        broken := 'experiments_state_check';
        reason := 'the states of an experiment are draft, running and concluded, in this order';
    ELSIF TG_OP = 'UPDATE' AND (
        new.key <> old.key
        OR old.state <> 'draft' AND (
            (new.salt, new.default_arm) <> (old.salt, old.default_arm)
            OR ARRAY(SELECT jsonb_object_keys(new.arms) ORDER BY 1) <> ARRAY(SELECT jsonb_object_keys(old.arms) ORDER BY 1))
        OR old.state = 'concluded' AND (new.arms <> old.arms OR new.winner <> old.winner))
    THEN
        broken := 'experiments_fixed_check';
        reason := 'the salt, the names of the arms and the default of an experiment are fixed once it runs';
    END IF;
    IF broken IS NOT NULL THEN
        RAISE EXCEPTION 'experiment %: %', coalesce(new.key, old.key), reason
            USING ERRCODE = 'check_violation', SCHEMA = TG_TABLE_SCHEMA, TABLE = TG_TABLE_NAME, CONSTRAINT = broken;
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER check_experiment AFTER INSERT OR UPDATE OR DELETE ON experiments
    FOR EACH ROW EXECUTE FUNCTION check_experiment();
ALTER TABLE experiments ENABLE ALWAYS TRIGGER check_experiment;

-- The only holdout: a share of all clients that has the default of every running experiment.
CREATE TABLE holdouts (
    is_only boolean NOT NULL DEFAULT true,
    salt text NOT NULL,
    -- The number of places in the holdout.
    share integer NOT NULL,
    CONSTRAINT holdouts_pkey PRIMARY KEY (is_only),
    CONSTRAINT holdouts_is_only_check CHECK (is_only),
    CONSTRAINT holdouts_salt_check CHECK (salt ~ '^[A-Za-z0-9._:-]{1,64}$'),
    CONSTRAINT holdouts_share_check CHECK (share BETWEEN 0 AND 100)
);

INSERT INTO holdouts (salt, share) VALUES ('holdout', 0);

SELECT tell_changes_of('experiments', 'tell_keys(''experiment'', ''key'')'), tell_changes_of('holdouts', 'tell_keys(''holdout'', ''salt'')');

-- The buckets of older documents become arms. An experiment has an arm for each range between two bounds that a revision
-- uses, and its key as the salt, so that each client keeps its place. The default is an arm that no section uses, so
-- that a client without an id sees none of these sections, as before.
INSERT INTO experiments (key, salt, arms, default_arm)
WITH buckets AS MATERIALIZED (
    SELECT DISTINCT found[1] AS key, found[2]::integer AS low, found[3]::integer AS high
    FROM revisions
    CROSS JOIN regexp_matches(document, '"bucket":\{"experiment":"([^"\\]+)","from":(\d+),"to":(\d+)\}', 'g') AS found
    WHERE strpos(document, '"bucket":{') > 0
), bounds AS (
    SELECT key, bound FROM buckets CROSS JOIN unnest(ARRAY[0, low, high, 100]) AS bound GROUP BY key, bound
), ranges AS (
    SELECT key, bound AS low, lead(bound) OVER (PARTITION BY key ORDER BY bound) AS high FROM bounds
), named AS (
    SELECT
        key, low, high, format('p%s-%s', low, high - 1) AS name,
        EXISTS (SELECT FROM buckets WHERE buckets.key = ranges.key AND buckets.low <= ranges.low AND ranges.high <= buckets.high) AS is_used
    FROM ranges
    WHERE high IS NOT NULL
)
SELECT
    key, key, jsonb_object_agg(name, jsonb_build_array(jsonb_build_array(low, high))),
    (array_agg(name ORDER BY is_used, low))[1]
FROM named
GROUP BY key;

UPDATE experiments SET state = 'running';

-- Returns the document of a revision with the arms of its experiments in place of buckets. Revisions never change, and
-- their form is canonical, so a bucket has exactly one spelling, which cannot occur in a string. The arms of a bucket
-- are those of the registry in its range. A bucket of an experiment that is deleted names the arm of its whole range.
CREATE FUNCTION readable_document(document text) RETURNS text LANGUAGE plpgsql STABLE
AS $$
DECLARE
    found text[];
    named text;
BEGIN
    IF strpos(document, '"bucket":{') = 0 THEN
        RETURN document;
    END IF;
    FOR found IN
        SELECT DISTINCT regexp_matches(document, '("bucket":\{"experiment":"([^"\\]+)","from":(\d+),"to":(\d+)\})', 'g')
    LOOP
        SELECT string_agg('"' || arm.name || '"', ',' ORDER BY bounds[1]::integer) INTO named
        FROM vitrine.experiments
        CROSS JOIN jsonb_object_keys(arms) AS arm (name)
        CROSS JOIN regexp_matches(arm.name, '^p(\d{1,2})-(\d{1,2})$') AS bounds
        WHERE key = found[2] AND bounds[1]::integer >= found[3]::integer AND bounds[2]::integer < found[4]::integer;
        document := replace(
            document, found[1],
            format('"experiment":{"%s":[%s]}', found[2], coalesce(named, format('"p%s-%s"', found[3], found[4]::integer - 1))));
    END LOOP;
    RETURN document;
END
$$;

-- Returns the feeds whose live or scheduled revisions name an experiment in the target of a section or of a pin.
CREATE FUNCTION feeds_with_experiment(asked text) RETURNS SETOF text LANGUAGE sql STABLE
AS $$
    SELECT DISTINCT publications.feed
    FROM vitrine.publication_spans
    JOIN vitrine.publications ON id = publication
    JOIN vitrine.revisions ON (revisions.feed, number) = (publications.feed, revision)
    CROSS JOIN LATERAL vitrine.readable_document(document) AS readable
    WHERE coalesce(upper(during), 'infinity') > clock_timestamp() AND strpos(readable, '"experiment":{') > 0 AND (
        jsonb_path_exists(
            readable::jsonb, '$.sections[*].target.experiment.keyvalue() ? (@.key == $asked)', jsonb_build_object('asked', asked))
        OR jsonb_path_exists(
            readable::jsonb, '$.sections[*].pins[*].target.experiment.keyvalue() ? (@.key == $asked)', jsonb_build_object('asked', asked)))
    ORDER BY publications.feed
$$;
