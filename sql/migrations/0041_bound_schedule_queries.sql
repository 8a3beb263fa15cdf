-- Bounds the cost of what drains and servers read of schedules. With 200 storefronts, there are tens of thousands of spans.

-- For the next start in each storefront.
CREATE INDEX publication_spans_by_storefront ON publication_spans (storefront, lower(during));

-- Returns the takeovers that have not ended, of feeds that are not archived. is_above_base is whether a base is live at
-- the end of the takeover, or, if it has no end, whether a base without an end is live or scheduled. The bases of a feed in
-- a storefront are read once, not once for each takeover.
CREATE OR REPLACE FUNCTION takeovers_ahead(at_moment timestamptz)
    RETURNS TABLE (
        feed text, storefront text, publication bigint, revision integer, start timestamptz, finish timestamptz, is_above_base boolean
    ) LANGUAGE sql STABLE
AS $$
    WITH ahead AS MATERIALIZED (
        SELECT span.feed, span.storefront, span.publication, span.layer, span.during
        FROM vitrine.publication_spans AS span
        JOIN vitrine.feeds ON feeds.key = span.feed AND archived_at IS NULL
        JOIN vitrine.storefronts ON storefronts.key = span.storefront AND closed_at IS NULL
        WHERE coalesce(upper(span.during), 'infinity') > at_moment
    ), bases AS MATERIALIZED (
        SELECT ahead.feed, ahead.storefront, range_agg(ahead.during) AS periods
        FROM ahead
        WHERE ahead.layer = 'base'
        GROUP BY ahead.feed, ahead.storefront
    )
    SELECT
        ahead.feed, ahead.storefront, ahead.publication, publications.revision, lower(ahead.during), upper(ahead.during),
        coalesce(CASE WHEN upper_inf(ahead.during) THEN upper_inf(periods) ELSE periods @> upper(ahead.during) END, false)
    FROM ahead
    JOIN vitrine.publications ON publications.id = ahead.publication
    LEFT JOIN bases ON (bases.feed, bases.storefront) = (ahead.feed, ahead.storefront)
    WHERE ahead.layer = 'takeover'
$$;

-- Returns the feeds whose live or scheduled revisions name a platform in a rule, in a badge, or in a target. A revision that
-- has spans in many storefronts is read once.
CREATE OR REPLACE FUNCTION feeds_with_platform(asked text) RETURNS SETOF text LANGUAGE sql STABLE
AS $$
    WITH ahead AS MATERIALIZED (
        SELECT DISTINCT publications.feed, publications.revision
        FROM vitrine.publication_spans
        JOIN vitrine.publications ON id = publication
        WHERE coalesce(upper(during), 'infinity') > (SELECT clock_timestamp())
    )
    SELECT DISTINCT ahead.feed
    FROM ahead
    JOIN vitrine.revisions ON (revisions.feed, number) = (ahead.feed, revision)
    CROSS JOIN LATERAL vitrine.readable_document(document) AS readable
    WHERE strpos(readable, to_json(asked)::text) > 0
        AND jsonb_path_exists(
            readable::jsonb,
            '$.sections[*].** ? (@.platform == $asked || @.platforms[*] == $asked || exists (@.runsOn.keyvalue() ? (@.key == $asked)))',
            jsonb_build_object('asked', asked))
    ORDER BY ahead.feed
$$;
