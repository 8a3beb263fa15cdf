-- Platforms and rating schemes are edited by routes. What the reader of a record checks, the database checks as well: the
-- platforms that a platform runs exist, and no two platforms run each other, not even through others.

-- Drains lock the head and then read platforms and labels. In another order, this migration and a drain would wait for each
-- other.
LOCK TABLE sync_head IN EXCLUSIVE MODE;

-- One transaction at a time changes platforms. Otherwise two could each add half of a cycle.
CREATE FUNCTION lock_platforms() RETURNS trigger LANGUAGE plpgsql
AS $$
BEGIN
    -- The lock that edits take, by the path of the list.
    PERFORM pg_advisory_xact_lock(hashtextextended('platforms', 0));
    RETURN NULL;
END
$$;

CREATE FUNCTION check_platforms() RETURNS trigger LANGUAGE plpgsql
AS $$
DECLARE
    wrong record;
BEGIN
    SELECT key, platform INTO wrong
    FROM vitrine.platforms CROSS JOIN unnest(runs) AS platform
    WHERE NOT EXISTS (SELECT FROM vitrine.platforms AS others WHERE others.key = platform)
    ORDER BY key COLLATE "C", platform COLLATE "C" LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'platform %: it runs %, which does not exist', wrong.key, wrong.platform
            USING ERRCODE = 'foreign_key_violation', SCHEMA = TG_TABLE_SCHEMA, TABLE = TG_TABLE_NAME, CONSTRAINT = 'platforms_runs_fkey';
    END IF;
    WITH RECURSIVE steps AS MATERIALIZED (
        SELECT key, platform FROM vitrine.platforms CROSS JOIN unnest(runs) AS platform WHERE platform <> key
    ), reached AS (
        SELECT key, platform FROM steps
        UNION
        SELECT reached.key, steps.platform FROM reached JOIN steps ON steps.key = reached.platform
    )
    SELECT key INTO wrong FROM reached WHERE platform = key ORDER BY key COLLATE "C" LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'platform %: it runs a platform that runs it', wrong.key
            USING ERRCODE = 'check_violation', SCHEMA = TG_TABLE_SCHEMA, TABLE = TG_TABLE_NAME, CONSTRAINT = 'platforms_runs_cycle_check';
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER lock_platforms BEFORE INSERT OR UPDATE OR DELETE ON platforms
    FOR EACH STATEMENT EXECUTE FUNCTION lock_platforms();
ALTER TABLE platforms ENABLE ALWAYS TRIGGER lock_platforms;
CREATE TRIGGER check_platforms AFTER INSERT OR UPDATE OR DELETE ON platforms
    FOR EACH STATEMENT EXECUTE FUNCTION check_platforms();
ALTER TABLE platforms ENABLE ALWAYS TRIGGER check_platforms;

-- Whether a platform is served changes no fact of an item, so an update of that alone does not queue all items.
DROP TRIGGER queue_changed_facts ON platforms;
CREATE TRIGGER queue_changed_facts AFTER INSERT OR UPDATE OF key, runs OR DELETE ON platforms
    FOR EACH STATEMENT EXECUTE FUNCTION queue_changed_facts();
ALTER TABLE platforms ENABLE ALWAYS TRIGGER queue_changed_facts;

-- The actions on rating schemes have two words before the dot: ratingScheme.save.
ALTER TABLE audit_entries
    DROP CONSTRAINT audit_entries_action_check,
    ADD CONSTRAINT audit_entries_action_check CHECK (action ~ '^[a-z]+([A-Z][a-z]+)*\.[a-z]+$');

-- Checked at the end of a statement, so that one can exchange the ages of two labels.
ALTER TABLE rating_labels
    DROP CONSTRAINT rating_labels_minimum_age_key,
    ADD CONSTRAINT rating_labels_minimum_age_key UNIQUE (scheme, minimum_age) DEFERRABLE INITIALLY IMMEDIATE;

-- Returns the feeds whose live or scheduled revisions name a platform in a rule, in a badge, or in a target.
CREATE FUNCTION feeds_with_platform(asked text) RETURNS SETOF text LANGUAGE sql STABLE
AS $$
    SELECT DISTINCT publications.feed
    FROM vitrine.publication_spans
    JOIN vitrine.publications ON id = publication
    JOIN vitrine.revisions ON (revisions.feed, number) = (publications.feed, revision)
    CROSS JOIN LATERAL vitrine.readable_document(document) AS readable
    WHERE coalesce(upper(during), 'infinity') > clock_timestamp() AND strpos(readable, to_json(asked)::text) > 0
        AND jsonb_path_exists(
            readable::jsonb,
            '$.sections[*].** ? (@.platform == $asked || @.platforms[*] == $asked || exists (@.runsOn.keyvalue() ? (@.key == $asked)))',
            jsonb_build_object('asked', asked))
    ORDER BY publications.feed
$$;
