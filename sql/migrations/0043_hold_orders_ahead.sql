-- An order for all storefronts holds its experiments and its platforms also if no storefront has a span of it ahead, because each one
-- has a base for listed storefronts. A storefront that is added later shows the order.

-- Returns the revisions that are live or scheduled in a storefront, and those of the orders for all storefronts that one which is added
-- now would show. Its zone is unknown. The clock of a zone is between UTC-12 and UTC+14. A base is over when another one has
-- started after it in all zones.
CREATE FUNCTION revisions_ahead() RETURNS TABLE (feed text, revision integer) LANGUAGE sql STABLE
AS $$
    WITH orders AS MATERIALIZED (
        SELECT
            id, publications.feed, layer, publications.revision, from_text, cancelled_at, is_local,
            greatest(
                CASE WHEN is_local THEN (from_text::timestamp AT TIME ZONE 'UTC') - interval '14 hours' ELSE from_text::timestamptz END, ordered_at
            ) AS first_start,
            greatest(
                CASE WHEN is_local THEN (from_text::timestamp AT TIME ZONE 'UTC') + interval '12 hours' ELSE from_text::timestamptz END, ordered_at
            ) AS last_start,
            CASE
                WHEN vitrine.is_wall_clock(until_text) THEN (until_text::timestamp AT TIME ZONE 'UTC') + interval '12 hours'
                ELSE coalesce(until_text::timestamptz, 'infinity')
            END AS last_finish
        FROM vitrine.publications CROSS JOIN LATERAL vitrine.is_wall_clock(from_text) AS given (is_local)
        WHERE storefronts IS NULL
    ), started AS MATERIALIZED (
        -- One that was canceled after its start has ended the base before it.
        SELECT id, orders.feed, from_text, is_local, first_start
        FROM orders
        WHERE layer = 'base' AND last_start <= clock_timestamp() AND coalesce(cancelled_at, 'infinity') > last_start
    ), newest AS MATERIALIZED (
        SELECT started.feed, max(first_start) AS first_start FROM started GROUP BY started.feed
    )
    SELECT publications.feed, publications.revision
    FROM vitrine.publication_spans JOIN vitrine.publications ON id = publication
    WHERE coalesce(upper(during), 'infinity') > (SELECT clock_timestamp())
    UNION
    SELECT orders.feed, orders.revision
    FROM orders LEFT JOIN newest ON newest.feed = orders.feed
    WHERE cancelled_at IS NULL AND CASE layer
        WHEN 'takeover' THEN last_finish > clock_timestamp()
        ELSE last_start >= coalesce(newest.first_start, '-infinity')
            -- Two wall clocks are in the same order in all zones.
            AND NOT EXISTS (
                SELECT FROM started
                WHERE started.feed = orders.feed AND started.is_local AND orders.is_local AND started.from_text > orders.from_text
                    AND started.id > orders.id)
    END
$$;

-- Returns the arms of an experiment that live or scheduled revisions name, with their feeds. It reads each revision once,
-- however many spans it has.
CREATE OR REPLACE FUNCTION experiment_uses(asked text) RETURNS TABLE (feed text, arm text) LANGUAGE sql STABLE
AS $$
    SELECT DISTINCT ahead.feed, named.arm
    FROM vitrine.revisions_ahead() AS ahead
    JOIN vitrine.revisions ON (revisions.feed, number) = (ahead.feed, ahead.revision)
    CROSS JOIN LATERAL vitrine.named_arms(document) AS named
    WHERE named.experiment = asked
    ORDER BY ahead.feed, named.arm
$$;

-- Returns the feeds whose live or scheduled revisions name a platform in a rule, in a badge, or in a target. A revision that
-- has spans in many storefronts is read once.
CREATE OR REPLACE FUNCTION feeds_with_platform(asked text) RETURNS SETOF text LANGUAGE sql STABLE
AS $$
    SELECT DISTINCT ahead.feed
    FROM vitrine.revisions_ahead() AS ahead
    JOIN vitrine.revisions ON (revisions.feed, number) = (ahead.feed, ahead.revision)
    CROSS JOIN LATERAL vitrine.readable_document(document) AS readable
    WHERE strpos(readable, to_json(asked)::text) > 0
        AND jsonb_path_exists(
            readable::jsonb,
            '$.sections[*].** ? (@.platform == $asked || @.platforms[*] == $asked || exists (@.runsOn.keyvalue() ? (@.key == $asked)))',
            jsonb_build_object('asked', asked))
    ORDER BY ahead.feed
$$;
