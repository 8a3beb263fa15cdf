-- The published documents from which pages are rendered.

-- name: pages.head
-- Returns the published version, whether all earlier commits are published, the epoch, and the clock of publications.
SELECT
    version, is_complete, (SELECT vitrine.half_of(nonce, 1) FROM vitrine.sync_epoch ORDER BY number DESC LIMIT 1) AS epoch, clock_timestamp() AS moment
FROM vitrine.sync_head;

-- name: pages.beginnings
-- Returns the next start of a publication in each open storefront with a scheduled one. That publication may be of a feed
-- without published documents. The clock is read once, so that the index is used.
SELECT key AS storefront, next_beginning
FROM vitrine.storefronts
CROSS JOIN LATERAL (
    SELECT lower(during) AS next_beginning
    FROM vitrine.publication_spans
    WHERE publication_spans.storefront = key AND lower(during) > (SELECT clock_timestamp())
    ORDER BY lower(during)
    LIMIT 1
) AS next
WHERE closed_at IS NULL;

-- name: pages.feeds
-- Returns the published feeds.
SELECT storefront, id FROM vitrine.published WHERE kind = 'feed' AND document IS NOT NULL;

-- name: pages.ends
-- Returns the feeds whose next change by the clock is another one since the change with the number $1, with its time and the number
-- of the change. The time has no version, because a scheduled change is not yet visible, and it can change while the head stays.
SELECT ends.storefront, ends.feed, feeds.valid_until, ends.number
FROM vitrine.published_ends AS ends
-- Looked up one by one. Otherwise all feeds could be read.
LEFT JOIN LATERAL (
    SELECT valid_until
    FROM vitrine.published
    WHERE kind = 'feed' AND id = ends.feed AND storefront = ends.storefront AND document IS NOT NULL
    OFFSET 0
) AS feeds ON true
WHERE ends.number > $1::bigint;

-- name: pages.touched
-- Returns the feeds with changes after version $1, including changes of their lists and items, and whether more than items
-- changed. Returns none if there are more than $2 versions.
SELECT storefront, split_part(feed, '+', 1) AS feed, bool_or(is_part) AS has_changed_parts
FROM (
    SELECT storefront, feed, true AS is_part FROM vitrine.published WHERE version > $1::bigint AND feed IS NOT NULL
    UNION ALL
    SELECT members.storefront, members.feed, false
    FROM vitrine.published AS items
    JOIN vitrine.published AS members ON members.item_id = items.id::uuid AND members.kind IN ('placement', 'entry') AND members.document IS NOT NULL
    WHERE items.version > $1 AND items.kind = 'item'
) AS touched
WHERE (SELECT version FROM vitrine.sync_head) <= $1 + $2::bigint
GROUP BY storefront, split_part(feed, '+', 1);

-- name: pages.changed_items
-- Returns the items in feeds that were published after version $1. Returns none if there are more than $2 versions.
SELECT items.id::uuid AS id, items.version, items.document
FROM vitrine.published AS items
WHERE items.version > $1::bigint AND items.kind = 'item' AND items.document IS NOT NULL
    AND EXISTS (
        SELECT
        FROM vitrine.published AS members
        WHERE members.item_id = items.id::uuid AND members.kind IN ('placement', 'entry') AND members.document IS NOT NULL
    )
    AND (SELECT version FROM vitrine.sync_head) <= $1 + $2::bigint;

-- name: pages.parts
-- Returns the parts of the feeds $2 and of their lists in the storefronts at the same positions of $1, counted from 1.
SELECT asked.place, kind::text AS kind, id, version, document, valid_until
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (storefront, feed, place)
CROSS JOIN LATERAL (VALUES (asked.feed), (asked.feed || '+lists')) AS names (name)
JOIN vitrine.published ON published.storefront = asked.storefront AND published.feed = name
WHERE kind IN ('feed', 'section', 'placement', 'list', 'entry') AND document IS NOT NULL;

-- name: pages.versions
-- Returns the newest version of each of these feeds and its lists. A tombstone counts as well.
SELECT asked.storefront, asked.feed, max(newest.version) AS version
FROM unnest($1::text[], $2::text[]) AS asked (storefront, feed)
CROSS JOIN LATERAL (VALUES (asked.feed), (asked.feed || '+lists')) AS names (name)
CROSS JOIN LATERAL (
    SELECT version
    FROM vitrine.published
    WHERE published.storefront = asked.storefront AND published.feed = name
    ORDER BY version DESC
    LIMIT 1
) AS newest
GROUP BY asked.storefront, asked.feed;

-- name: pages.items
-- Returns the items in these feeds, with their documents if they were published after version $3.
SELECT items.id::uuid AS id, items.version, CASE WHEN items.version > $3::bigint THEN items.document END AS document
FROM (
    SELECT DISTINCT members.item_id
    FROM unnest($1::text[], $2::text[]) AS asked (storefront, feed)
    CROSS JOIN LATERAL (VALUES (asked.feed), (asked.feed || '+lists')) AS names (name)
    JOIN vitrine.published AS members ON members.storefront = asked.storefront AND members.feed = name
    WHERE members.kind = 'membership' AND members.document IS NOT NULL
) AS members
JOIN vitrine.published AS items ON items.kind = 'item' AND items.id = members.item_id::text AND items.storefront = '*'
WHERE items.document IS NOT NULL;

-- name: pages.some_items
SELECT id::uuid AS id, version, document
FROM vitrine.published
WHERE kind = 'item' AND id = ANY ($1::uuid[]::text[]) AND storefront = '*' AND document IS NOT NULL;

-- name: pages.layouts
-- Returns the layouts published after version $1.
SELECT id, version, document FROM vitrine.published WHERE kind = 'layout' AND version > $1::bigint AND document IS NOT NULL ORDER BY version;

-- name: pages.storefronts
-- Returns the open storefronts as they are published, or the current ones before that.
SELECT
    key AS storefront,
    coalesce(
        published.document,
        (SELECT documents.document FROM vitrine.storefront_documents() AS documents WHERE documents.storefront = key)) AS document
FROM vitrine.storefronts
LEFT JOIN vitrine.published_storefronts AS published ON published.storefront = key
WHERE closed_at IS NULL;
