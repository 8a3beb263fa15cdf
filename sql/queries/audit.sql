-- The consistency check of published documents, in slices.

-- name: audit.storefronts
-- Returns the existing storefronts, and those with published parts of feeds.
SELECT key FROM vitrine.storefronts
UNION
SELECT storefront FROM vitrine.published WHERE feed IS NOT NULL AND document IS NOT NULL
ORDER BY key;

-- name: audit.items
-- Returns the published items and catalog memberships that differ from their sources, in the next $2 items from the ID
-- $1 on.
--
-- Returns also the start of the next slice and the number of compared entities. It excludes items that wait to be
-- published, and changes by the clock at this time.
WITH catalog_ids AS MATERIALIZED (
    SELECT id FROM vitrine.items WHERE id >= $1::uuid ORDER BY id LIMIT $2::integer + 1
), published_ids AS MATERIALIZED (
    SELECT id::uuid AS id FROM vitrine.published WHERE kind = 'item' AND id >= $1::uuid::text ORDER BY published.id LIMIT $2::integer + 1
), next AS MATERIALIZED (
    SELECT (array_agg(id ORDER BY id))[1] AS id
    FROM (
        SELECT (array_agg(id ORDER BY id))[$2::integer + 1] AS id FROM catalog_ids
        UNION ALL
        SELECT (array_agg(id ORDER BY id))[$2::integer + 1] FROM published_ids
    ) AS ends
    WHERE id IS NOT NULL
), slice AS MATERIALIZED (
    SELECT id
    FROM (SELECT id FROM catalog_ids UNION SELECT id FROM published_ids) AS ids
    WHERE (id < (SELECT id FROM next)) IS NOT FALSE
        AND id <> ALL (ARRAY(SELECT unnest(ids) FROM vitrine.sync_outbox WHERE kind = 'item'))
), documents AS MATERIALIZED (
    SELECT item_id, is_everywhere, document::text AS document FROM vitrine.item_documents(ARRAY(SELECT id FROM slice))
), item_differences AS (
    SELECT
        'item' AS kind, slice.id::text AS id, '*' AS storefront,
        CASE
            WHEN documents.item_id IS NULL THEN 'surplus'
            WHEN published.document IS NULL THEN 'missing'
            WHEN hash <> substring(vitrine.digest_of(published.document::text) FOR 16) THEN 'damaged'
            ELSE 'other'
        END AS flaw
    FROM slice
    LEFT JOIN documents ON documents.item_id = slice.id
    LEFT JOIN vitrine.published ON kind = 'item' AND published.id = slice.id::text AND storefront = '*'
    WHERE CASE
        WHEN documents.item_id IS NULL THEN published.document IS NOT NULL
        ELSE published.document IS NULL OR published.document::text <> documents.document
            OR hash <> substring(vitrine.digest_of(documents.document) FOR 16) OR published.is_everywhere <> documents.is_everywhere
    END
), wanted AS MATERIALIZED (
    SELECT item_id AS id, storefront, during @> moment AS was_wanted, during @> clock_timestamp() AS is_wanted
    FROM documents JOIN vitrine.item_availability USING (item_id) CROSS JOIN vitrine.sync_head
    WHERE NOT is_everywhere
), present AS MATERIALIZED (
    SELECT
        slice.id, storefront, document IS NOT NULL AS is_living,
        document::text = '{"item":"' || slice.id || '"}' AND item_id = slice.id
            AND hash = substring(vitrine.digest_of(document::text) FOR 16) AS is_whole
    FROM slice JOIN vitrine.published ON kind = 'membership' AND published.id = '*/' || slice.id
), members AS MATERIALIZED (
    SELECT
        id, storefront, coalesce(was_wanted, false) AS was_wanted, coalesce(is_wanted, false) AS is_wanted,
        coalesce(is_living, false) AS is_living, coalesce(is_whole, true) AS is_whole
    FROM wanted FULL JOIN present USING (id, storefront)
), differences AS (
    SELECT kind, id, storefront, flaw FROM item_differences
    UNION ALL
    SELECT
        'membership', '*/' || id, storefront,
        CASE WHEN is_wanted AND NOT is_living THEN 'missing' WHEN NOT is_wanted THEN 'surplus' ELSE 'damaged' END
    FROM members
    WHERE was_wanted <> is_living AND is_wanted <> is_living OR is_living AND NOT is_whole
)
SELECT
    next.id AS next, (SELECT count(*) FROM slice) AS items, (SELECT count(*) FROM members WHERE is_living OR is_wanted) AS memberships, kind,
    differences.id, storefront, flaw
FROM next LEFT JOIN differences ON true
ORDER BY kind, differences.id, storefront;

-- name: audit.buckets
-- Returns the wrong buckets from $1 to before $2, and the number of compared ones.
WITH counted AS MATERIALIZED (
    SELECT storefront, bucket, entries, high, low FROM vitrine.counted_buckets($1::integer, $2::integer)
), present AS MATERIALIZED (
    SELECT sync_buckets.storefront, bucket, entries, high, low
    FROM (SELECT key FROM vitrine.storefronts UNION SELECT '*') AS storefronts
    JOIN vitrine.sync_buckets ON storefront = key AND bucket >= $1::integer AND bucket < $2::integer
), compared AS (
    SELECT
        storefront, bucket,
        (coalesce(counted.entries, 0), coalesce(counted.high, 0), coalesce(counted.low, 0))
            = (coalesce(present.entries, 0), coalesce(present.high, 0), coalesce(present.low, 0)) AS is_right
    FROM counted FULL JOIN present USING (storefront, bucket)
)
SELECT
    count(*) AS compared, coalesce(array_agg(storefront) FILTER (WHERE NOT is_right), '{}') AS storefronts,
    coalesce(array_agg(bucket) FILTER (WHERE NOT is_right), '{}') AS buckets
FROM compared;

-- name: audit.settle_buckets
-- Repairs the buckets at the same positions of both arrays.
SELECT vitrine.settle_buckets($1::text[], $2::integer[]);

-- name: audit.catalogs
-- Returns the catalogs whose digests are not the sums of their buckets, and the number of compared ones.
WITH counted AS MATERIALIZED (
    SELECT storefront, sum(entries)::bigint AS entries, bit_xor(high) AS high, bit_xor(low) AS low FROM vitrine.sync_buckets GROUP BY storefront
), compared AS (
    SELECT
        storefront,
        (coalesce(counted.entries, 0), coalesce(counted.high, 0), coalesce(counted.low, 0))
            = (coalesce(present.entries, 0), coalesce(present.high, 0), coalesce(present.low, 0)) AS is_right
    FROM counted FULL JOIN vitrine.sync_catalogs AS present USING (storefront)
)
SELECT count(*) AS compared, coalesce(array_agg(storefront) FILTER (WHERE NOT is_right), '{}') AS storefronts FROM compared;

-- name: audit.settle_catalogs
-- Repairs the digests of the catalogs of these storefronts.
SELECT vitrine.settle_catalogs($1::text[]);

-- name: audit.republish_items
-- Requests the publication of these items, even if they are unchanged.
INSERT INTO vitrine.sync_outbox (kind, ids) VALUES ('doubtedItem', $1::uuid[]);

-- name: audit.republish_keys
-- Requests that these published parts of feeds are composed again, or that these layouts are published again.
INSERT INTO vitrine.sync_outbox (kind, keys) VALUES ($1::text, $2::text[]);
