-- What pages are made of: published documents, and nothing else.

-- name: pages.head
-- The version of all that is published, and the time by the clock that publications go by.
SELECT version, clock_timestamp() AS moment FROM vitrine.sync_head;

-- name: pages.ends
-- What is shown, and when the clock changes it. That has no version: a switch that is planned is nothing new to show.
SELECT storefront, id, valid_until FROM vitrine.published WHERE kind = 'feed' AND document IS NOT NULL;

-- name: pages.touched
-- The feeds that something has been published of behind version $1, an item of theirs included.
SELECT DISTINCT storefront, feed
FROM (
    SELECT storefront, feed FROM vitrine.published WHERE version > $1::bigint AND feed IS NOT NULL
    UNION ALL
    SELECT members.storefront, members.feed
    FROM vitrine.published AS items
    JOIN vitrine.published AS members ON members.item_id = items.id::uuid AND members.kind = 'placement' AND members.document IS NOT NULL
    WHERE items.version > $1 AND items.kind = 'item'
) AS touched;

-- name: pages.parts
-- The feed $2 in the storefront $1.
SELECT kind::text AS kind, id, version, document, valid_until
FROM vitrine.published
WHERE storefront = $1::text AND feed = $2::text AND kind IN ('feed', 'section', 'placement') AND document IS NOT NULL;

-- name: pages.items
-- Those that stand in it; with what they are where that was published behind version $3.
SELECT items.id::uuid AS id, items.version, CASE WHEN items.version > $3::bigint THEN items.document END AS document
FROM vitrine.published AS members
JOIN vitrine.published AS items ON items.kind = 'item' AND items.id = members.item_id::text AND items.storefront = '*'
WHERE members.storefront = $1::text AND members.feed = $2::text AND members.kind = 'membership' AND members.document IS NOT NULL
    AND items.document IS NOT NULL;

-- name: pages.some_items
SELECT id::uuid AS id, version, document
FROM vitrine.published
WHERE kind = 'item' AND id = ANY ($1::uuid[]::text[]) AND storefront = '*' AND document IS NOT NULL;

-- name: pages.layouts
-- Those that were published behind version $1.
SELECT id, version, document FROM vitrine.published WHERE kind = 'layout' AND version > $1::bigint AND document IS NOT NULL ORDER BY version;
