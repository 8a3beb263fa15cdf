import Postgres
import TestDatabase

/// A database whose functions read their clock from a setting.
enum OrderDatabase {
    /// Replaces the clock of the functions and creates the functions of the tests. Real statements never see this database.
    static let script = """
        SET search_path = vitrine, public;
        CREATE FUNCTION test_clock() RETURNS timestamptz LANGUAGE sql STABLE AS $$ SELECT current_setting('test.now')::timestamptz $$;
        DO $$
        DECLARE
            definition text;
        BEGIN
            FOR definition IN
                SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'vitrine'::regnamespace AND prosrc LIKE '%clock_timestamp()%'
            LOOP
                EXECUTE replace(definition, 'clock_timestamp()', 'vitrine.test_clock()');
            END LOOP;
        END
        $$;
        -- The number of a publication from 1, and its id.
        CREATE FUNCTION place_of(published bigint) RETURNS text LANGUAGE sql VOLATILE AS $$ SELECT count(*)::text FROM vitrine.publications WHERE id <= published $$;
        CREATE FUNCTION id_of(place bigint) RETURNS bigint LANGUAGE sql VOLATILE AS $$
            SELECT coalesce((SELECT id FROM vitrine.publications ORDER BY id OFFSET place - 1 LIMIT 1), 0)
        $$;
        CREATE FUNCTION live_at(at_moment timestamptz, has_next boolean DEFAULT true) RETURNS text LANGUAGE sql VOLATILE AS $$
            SELECT string_agg(
                concat_ws(
                    ' ', feed || '/' || storefront, coalesce(place_of(publication) || ' ' || revision || ' ' || layer, '-'),
                    CASE WHEN has_next THEN to_char(until_moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS') END),
                E'\\n' ORDER BY feed COLLATE "C", storefront COLLATE "C")
            FROM vitrine.live_revisions(at_moment)
            WHERE has_next OR publication IS NOT NULL
        $$;
        -- Like the previous function at several times, each of which starts its lines.
        CREATE FUNCTION live_at_each(moments timestamptz[]) RETURNS text LANGUAGE sql VOLATILE AS $$
            WITH places AS MATERIALIZED (SELECT id, row_number() OVER (ORDER BY id) AS place FROM vitrine.publications)
            SELECT string_agg(
                concat_ws(
                    ' ', to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS'), feed || '/' || storefront,
                    coalesce(place || ' ' || revision || ' ' || layer, '-'), to_char(until_moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')),
                E'\\n' ORDER BY number, feed COLLATE "C", storefront COLLATE "C")
            FROM unnest(moments) WITH ORDINALITY AS asked (moment, number)
            CROSS JOIN LATERAL vitrine.live_revisions(moment)
            LEFT JOIN places ON id = publication
        $$;
        -- Runs statements at their times, and returns what each one returns or why it is rejected.
        CREATE FUNCTION run_history(times timestamptz[], statements text[]) RETURNS text[] LANGUAGE plpgsql AS $$
        DECLARE
            answers text[] := '{}';
            answer text;
            broken text;
        BEGIN
            FOR step IN 1 .. cardinality(statements) LOOP
                PERFORM set_config('test.now', times[step]::text, true);
                BEGIN
                    EXECUTE statements[step] INTO answer;
                EXCEPTION WHEN OTHERS THEN
                    GET STACKED DIAGNOSTICS broken = CONSTRAINT_NAME;
                    -- The storefronts end the message.
                    answer := concat_ws(' ', coalesce(nullif(broken, ''), SQLSTATE), substring(SQLERRM FROM ' (?:in|of|named) ([a-z]{2}(?:, [a-z]{2})*)$'));
                END;
                IF coalesce(current_setting('vitrine.present', true), '') <> '' THEN
                    answer := 'vitrine.present is left set';
                END IF;
                answers := answers || coalesce(answer, '');
            END LOOP;
            RETURN answers;
        END
        $$;
        INSERT INTO feeds (key) VALUES ('today'), ('games');
        INSERT INTO revisions (feed, number, line, document)
        SELECT
            key, number, 'main',
            format(
                '{"format": 2, "feed": "%1$s", "title": {"en": "%2$s"}, "sections": [{"key": "r%2$s", "layout": {"list": {}}, "cell": "row", "pins": [{"slot": 0, "card": {"key": "c", "title": {"en": "%2$s"}}}]}]}',
                key, number)
        FROM feeds CROSS JOIN generate_series(1, 5) AS number;
        """
}
