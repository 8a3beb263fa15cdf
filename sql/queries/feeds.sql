-- The documents and publications of curators. A transaction that changes a feed locks its row first, and reads after
-- that.

-- name: feeds.create
INSERT INTO vitrine.feeds (key) VALUES ($1::text) ON CONFLICT (key) DO NOTHING;

-- name: feeds.lock
SELECT archived_at IS NOT NULL AS is_archived FROM vitrine.feeds WHERE key = $1::text FOR UPDATE;

-- name: feeds.newest_number
SELECT coalesce(max(number), 0) AS number FROM vitrine.revisions WHERE feed = $1::text;

-- name: feeds.save
SELECT vitrine.save_revision($1::text, $2::text, $3::text) AS number FROM vitrine.feeds WHERE key = $1 AND archived_at IS NULL;

-- name: feeds.list
-- Returns all feeds with the draft of the main line, and the live revision at $1 or now with its scheduled end.
SELECT
    key, archived_at, (SELECT max(number) FROM vitrine.revisions WHERE revisions.feed = key AND line = 'main') AS draft,
    live.revision, live.layer::text AS layer, live.until_moment
FROM vitrine.feeds
LEFT JOIN vitrine.live_revisions(coalesce($1::timestamptz, clock_timestamp())) AS live ON live.feed = key
ORDER BY key COLLATE "C";

-- name: feeds.drafts
-- Returns the newest revision of each line of the feed $1.
SELECT DISTINCT ON (line) number, line, encode(hash, 'hex') AS hash, saved_at
FROM vitrine.revisions
WHERE feed = $1::text
ORDER BY line, number DESC;

-- name: feeds.revisions
-- Returns the newest revisions of the feed $1 with a number below $3, on the line $2 or on all lines.
SELECT number, line, encode(hash, 'hex') AS hash, saved_at
FROM vitrine.revisions
WHERE feed = $1::text AND ($2::text IS NULL OR line = $2) AND ($3::integer IS NULL OR number < $3)
ORDER BY number DESC
LIMIT $4::bigint;

-- name: feeds.revision
SELECT number, line, encode(hash, 'hex') AS hash, saved_at, document FROM vitrine.revisions WHERE feed = $1::text AND number = $2::integer;

-- name: feeds.publications
-- Returns the publications of the feed $1 or of all feeds that have not ended at $2.
SELECT id, feed, layer::text AS layer, revision, lower(during) AS from_moment, upper(during) AS until_moment, time_zone
FROM vitrine.publications
WHERE ($1::text IS NULL OR feed = $1) AND ($2::timestamptz IS NULL OR during && tstzrange($2, NULL))
ORDER BY feed COLLATE "C", lower(during), layer;

-- name: feeds.publication
SELECT id, feed, layer::text AS layer, revision, lower(during) AS from_moment, upper(during) AS until_moment, time_zone
FROM vitrine.publications
WHERE id = $1::bigint;

-- name: feeds.publish
-- Publishes revision $3 of the feed $1 on the layer $2 from $4 until $5. Returns the publication, or the one that
-- conflicts.
SELECT
    CASE WHEN obstacles.id IS NULL THEN
        vitrine.publish(key, $2::text::vitrine.publication_layer, $3::integer, $4::timestamptz, $5::timestamptz, $6::text)
    END AS published,
    obstacles.id AS obstacle
FROM vitrine.feeds
CROSS JOIN coalesce($4, clock_timestamp()) AS start
LEFT JOIN LATERAL (
    SELECT id
    FROM vitrine.publications
    WHERE feed = key AND layer = $2::text::vitrine.publication_layer AND CASE $2::text
        WHEN 'base' THEN lower(during) = $4
        ELSE during && tstzrange(start, CASE WHEN $5 < start THEN start ELSE $5 END)
    END
    ORDER BY lower(during)
    LIMIT 1
) AS obstacles ON true
WHERE key = $1::text AND archived_at IS NULL;

-- name: feeds.cancel
SELECT vitrine.cancel_publication($1::bigint)::text AS cancelled;

-- name: feeds.shown_before
-- Returns the last revision on the base of the feed $1 that differs from the live one. Uses the clock after the lock of
-- the feed.
SELECT revision
FROM vitrine.publications AS past
WHERE feed = $1::text AND layer = 'base' AND lower(during) <= clock_timestamp() AND NOT EXISTS (
    SELECT FROM vitrine.publications
    WHERE publications.feed = past.feed AND layer = 'base' AND during @> clock_timestamp() AND publications.revision = past.revision)
ORDER BY lower(during) DESC
LIMIT 1;

-- name: feeds.archive
UPDATE vitrine.feeds SET archived_at = coalesce(archived_at, now()) WHERE key = $1::text RETURNING true AS is_done;

-- name: feeds.restore
UPDATE vitrine.feeds SET archived_at = NULL WHERE key = $1::text RETURNING true AS is_done;

-- name: feeds.words
-- Returns the existing ones of the categories $1, the cuisines $2 and the charts $3. A chart includes its storefront.
SELECT 'category' AS kind, key AS word FROM vitrine.categories WHERE key = ANY ($1::text[])
UNION ALL
SELECT DISTINCT 'cuisine', cuisine
FROM unnest($2::text[]) AS cuisine
JOIN vitrine.listing_counts ON facet = 'cuisine:' || cuisine AND items + timed > 0
UNION ALL
SELECT 'chart', storefront || '/' || name FROM vitrine.charts WHERE name = ANY ($3::text[]);

-- name: feeds.availability
-- Returns when each of the items $1 is available per storefront, without withdrawn items. An item that is everywhere or
-- nowhere has a row without a storefront.
SELECT items.id, is_everywhere, storefront, lower(span) AS from_moment, upper(span) AS until_moment
FROM vitrine.items
LEFT JOIN vitrine.item_availability ON item_id = items.id AND NOT is_everywhere
LEFT JOIN LATERAL unnest(during) AS span ON true
WHERE items.id = ANY ($1::uuid[]) AND deleted_at IS NULL
ORDER BY items.id, storefront, span;

-- name: feeds.openings
-- Returns the feeds $1 that exist, with their publications from $2 until $3 and the documents of these. A feed without
-- publications, or one that is archived, has a row without them.
SELECT
    feeds.key, layer::text AS layer, lower(during) AS from_moment, upper(during) AS until_moment, revisions.document
FROM vitrine.feeds
LEFT JOIN vitrine.publications
    ON publications.feed = feeds.key AND feeds.archived_at IS NULL AND during && tstzrange($2::timestamptz, $3::timestamptz)
LEFT JOIN vitrine.revisions ON (revisions.feed, number) = (publications.feed, revision)
WHERE feeds.key = ANY ($1::text[]);

-- name: feeds.item_documents
SELECT document FROM vitrine.item_documents($1::uuid[]);

-- name: feeds.storefronts
-- Like sequencer.storefronts, at the time $1 or now.
SELECT
    key, currency, time_zone, default_locale,
    ARRAY(SELECT locale FROM vitrine.storefront_locales WHERE storefront = key ORDER BY rank) AS locales,
    least(greatest((moment AT TIME ZONE time_zone)::date, '0001-01-01'), '9999-12-31') AS today,
    least(vitrine.beginning_of_day((moment AT TIME ZONE time_zone)::date + 1, time_zone), '9999-12-31T23:59:59.999999Z') AS midnight
FROM vitrine.storefronts CROSS JOIN coalesce($1::timestamptz, now()) AS clock (moment)
ORDER BY key COLLATE "C";

-- name: feeds.time
SELECT coalesce($1::timestamptz, now()) AS moment;

-- name: feeds.clock
-- Later than the start of the transaction, which may have waited for another.
SELECT clock_timestamp() AS moment;
