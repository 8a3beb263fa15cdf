-- Holds the experiments that a publication names, so that none of them is deleted and no draft loses a named arm while it
-- is published.

-- Whether these are arms with valid names, whose ranges cover the places 0 to 99 exactly once. An arm can have no range.
-- It checks each type before it converts a value, because it runs in parallel workers, which cannot catch errors.
CREATE OR REPLACE FUNCTION are_arms(arms jsonb) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
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
    IF EXISTS (
        SELECT FROM jsonb_each(arms) AS arm (name, ranges)
        CROSS JOIN jsonb_array_elements(ranges) AS bounds
        WHERE CASE jsonb_typeof(bounds)
            WHEN 'array' THEN
                jsonb_array_length(bounds) <> 2 OR jsonb_typeof(bounds -> 0) <> 'number' OR jsonb_typeof(bounds -> 1) <> 'number'
            ELSE true
        END)
    THEN
        RETURN false;
    END IF;
    FOR part IN
        SELECT (bounds -> 0)::numeric AS low, (bounds -> 1)::numeric AS high
        FROM jsonb_each(arms) AS arm (name, ranges)
        CROSS JOIN jsonb_array_elements(ranges) AS bounds
        ORDER BY low
    LOOP
        IF part.low <> next_place OR part.high <= part.low OR part.high > 100 OR part.high <> trunc(part.high) THEN
            RETURN false;
        END IF;
        next_place := part.high;
    END LOOP;
    RETURN next_place = 100;
END
$$;

-- Returns the arms of experiments that the targets of sections and pins in a document name.
CREATE FUNCTION named_arms(document text) RETURNS TABLE (experiment text, arm text) LANGUAGE sql STABLE
AS $$
    SELECT DISTINCT named ->> 'key', name #>> '{}'
    FROM (
        SELECT vitrine.readable_document(document)::jsonb
        WHERE strpos(document, '"experiment":{') > 0 OR strpos(document, '"bucket":{') > 0
    ) AS given (readable)
    CROSS JOIN unnest('{$.sections[*].target, $.sections[*].pins[*].target}'::jsonpath[]) AS targets
    CROSS JOIN LATERAL jsonb_path_query(readable, targets, silent => true) AS target
    CROSS JOIN LATERAL jsonb_path_query(target, '$.experiment.keyvalue()', silent => true) AS named
    CROSS JOIN LATERAL jsonb_path_query(named, '$.value[*]') AS name
$$;

-- Returns the arms of an experiment that live or scheduled revisions name, with their feeds. It reads each revision once,
-- however many spans it has.
CREATE FUNCTION experiment_uses(asked text) RETURNS TABLE (feed text, arm text) LANGUAGE sql STABLE
AS $$
    WITH ahead AS MATERIALIZED (
        SELECT DISTINCT publications.feed, revision
        FROM vitrine.publication_spans JOIN vitrine.publications ON id = publication
        WHERE coalesce(upper(during), 'infinity') > clock_timestamp()
    )
    SELECT DISTINCT ahead.feed, named.arm
    FROM ahead
    JOIN vitrine.revisions ON (revisions.feed, number) = (ahead.feed, revision)
    CROSS JOIN LATERAL vitrine.named_arms(document) AS named
    WHERE named.experiment = asked
    ORDER BY ahead.feed, named.arm
$$;

-- Returns the feeds whose live or scheduled revisions name an experiment in the target of a section or of a pin.
CREATE OR REPLACE FUNCTION feeds_with_experiment(asked text) RETURNS SETOF text LANGUAGE sql STABLE
AS $$ SELECT DISTINCT feed FROM vitrine.experiment_uses(asked) ORDER BY feed $$;

-- Locks the experiments that a new publication names until the end of the transaction. A session that deletes one of them
-- or changes its arms waits, and sees the publication. A publication that waited for such a session sees its result.
CREATE FUNCTION hold_experiments() RETURNS trigger LANGUAGE plpgsql
AS $$
DECLARE
    named record;
    present jsonb;
    missing text;
BEGIN
    FOR named IN
        SELECT experiment, array_agg(arm ORDER BY arm) AS arms
        FROM vitrine.revisions CROSS JOIN LATERAL vitrine.named_arms(document)
        WHERE feed = new.feed AND number = new.revision
        GROUP BY experiment
        ORDER BY experiment
    LOOP
        SELECT arms INTO present FROM vitrine.experiments WHERE key = named.experiment FOR SHARE;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'the experiment % does not exist', named.experiment
                USING ERRCODE = 'foreign_key_violation', SCHEMA = TG_TABLE_SCHEMA, TABLE = TG_TABLE_NAME,
                    CONSTRAINT = 'publications_experiments_fkey';
        END IF;
        SELECT string_agg(arm, ', ') INTO missing FROM unnest(named.arms) AS arm WHERE NOT present ? arm;
        IF missing IS NOT NULL THEN
            RAISE EXCEPTION 'the experiment % has no arm %', named.experiment, missing
                USING ERRCODE = 'foreign_key_violation', SCHEMA = TG_TABLE_SCHEMA, TABLE = TG_TABLE_NAME, CONSTRAINT = 'publications_arms_fkey';
        END IF;
    END LOOP;
    RETURN NULL;
END
$$;

CREATE TRIGGER hold_experiments AFTER INSERT ON publications FOR EACH ROW EXECUTE FUNCTION hold_experiments();
ALTER TABLE publications ENABLE ALWAYS TRIGGER hold_experiments;

-- Checks an experiment after each write. An experiment starts as a draft. Once it runs, only its ranges can change,
-- because a client would otherwise change its arm unnoticed. Its end is final. What live or scheduled revisions name
-- remains. A new key has no colon, because a verb follows a colon in the paths of the API.
CREATE OR REPLACE FUNCTION check_experiment() RETURNS trigger LANGUAGE plpgsql
AS $$
DECLARE
    broken text;
    reason text;
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF old.state = 'running' THEN
            broken := 'experiments_running_check';
            reason := 'a running experiment cannot be deleted';
        ELSIF EXISTS (SELECT FROM vitrine.experiment_uses(old.key)) THEN
            broken := 'experiments_in_use_check';
            reason := 'live or scheduled revisions name it';
        END IF;
    ELSIF TG_OP = 'INSERT' AND strpos(new.key, ':') > 0 THEN
        broken := 'experiments_key_check';
        reason := 'a new key has no colon';
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
    ELSIF TG_OP = 'UPDATE' AND new.arms <> old.arms THEN
        -- Only a draft can lose an arm.
        IF EXISTS (SELECT FROM jsonb_object_keys(old.arms) AS lost (arm) WHERE NOT new.arms ? arm)
            AND EXISTS (SELECT FROM vitrine.experiment_uses(new.key) WHERE old.arms ? arm AND NOT new.arms ? arm)
        THEN
            broken := 'experiments_in_use_check';
            reason := 'live or scheduled revisions name an arm that would be lost';
        END IF;
    END IF;
    IF broken IS NOT NULL THEN
        RAISE EXCEPTION 'experiment %: %', coalesce(new.key, old.key), reason
            USING ERRCODE = 'check_violation', SCHEMA = TG_TABLE_SCHEMA, TABLE = TG_TABLE_NAME, CONSTRAINT = broken;
    END IF;
    RETURN NULL;
END
$$;
