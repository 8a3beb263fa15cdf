-- The changes for clients with a local copy: everything published after their version, each response from one snapshot.

-- name: sync.catalog
-- Returns the next $4 changes of the catalog of the storefront $1 after version $2, without tombstones up to version
-- $3, and the published storefront.
--
-- An item that is not everywhere has the version of its membership if that is higher. At most $6 rows of each index are
-- scanned, so that a page returns soon even if few of them belong to the storefront. The page includes all changes up
-- to end_version. It ends after $5 stored bytes, of which each item has $7 more than its document.
WITH passed AS MATERIALIZED (
    SELECT least(
        (
            SELECT CASE WHEN count(*) = $6::bigint THEN max(version) END
            FROM (
                SELECT version FROM vitrine.published WHERE kind = 'item' AND version > $2::bigint ORDER BY version LIMIT $6::bigint
            ) AS next_items),
        (
            SELECT CASE WHEN count(*) = $6::bigint THEN max(version) END
            FROM (
                SELECT version
                FROM vitrine.published
                WHERE kind = 'membership' AND feed IS NULL AND storefront = $1::text AND version > $2::bigint
                ORDER BY version
                LIMIT $6::bigint
            ) AS next_members),
        version) AS end_version
    FROM vitrine.sync_head
), changes AS MATERIALIZED (
    SELECT
        version, own_version, id, hash, document, row_number() OVER (ORDER BY version) AS place,
        coalesce(
            sum(pg_column_size(document) + $7::integer) OVER (ORDER BY version ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0
        ) AS bytes_before
    FROM (
        SELECT version, own_version, id, hash, document
        FROM (
            (
                SELECT items.version, items.version AS own_version, items.id, items.hash, items.document
                FROM vitrine.published AS items
                WHERE items.kind = 'item' AND items.version > $2::bigint AND items.version <= (SELECT end_version FROM passed)
                    AND (items.document IS NOT NULL OR items.version > $3::bigint)
                    AND (
                        items.is_everywhere
                        OR EXISTS (
                            SELECT FROM vitrine.published AS members
                            WHERE members.kind = 'membership' AND members.id = '*/' || items.id AND members.storefront = $1::text
                                AND members.document IS NOT NULL AND members.version < items.version))
                ORDER BY items.version
                LIMIT $4::integer
            )
            UNION ALL
            (
                SELECT
                    members.version, items.version AS own_version, members.item_id::text AS id,
                    CASE WHEN members.document IS NOT NULL THEN items.hash END AS hash,
                    CASE WHEN members.document IS NOT NULL THEN items.document END AS document
                FROM vitrine.published AS members
                LEFT JOIN vitrine.published AS items ON items.kind = 'item' AND items.id = members.item_id::text AND items.storefront = '*'
                WHERE members.kind = 'membership' AND members.feed IS NULL AND members.storefront = $1::text
                    AND members.version > $2::bigint AND members.version <= (SELECT end_version FROM passed)
                    AND (members.document IS NOT NULL OR members.version > $3::bigint)
                    AND items.is_everywhere IS NOT TRUE AND (members.document IS NULL OR members.version > items.version)
                ORDER BY members.version
                LIMIT $4::integer
            )
        ) AS streams
        ORDER BY version
        LIMIT $4::integer
    ) AS merged
)
SELECT
    sync_head.version AS head, floor, is_complete,
    coalesce((SELECT min(version) - 1 FROM changes WHERE bytes_before >= $5::bigint), end_version) AS end_version,
    CASE WHEN place IS NULL OR place = 1 THEN ARRAY(SELECT vitrine.half_of(nonce, 1) FROM vitrine.sync_epoch ORDER BY number) END AS nonces,
    CASE WHEN place IS NULL OR place = 1 THEN ARRAY(SELECT start_version FROM vitrine.sync_epoch ORDER BY number) END AS starts,
    CASE WHEN place IS NULL OR place = 1 THEN storefronts.version END AS storefront_version,
    CASE WHEN place IS NULL OR place = 1 THEN storefronts.document END AS storefront,
    changes.version, own_version, 'item' AS kind, id, encode(hash, 'hex') AS hash, changes.document
FROM vitrine.sync_head
CROSS JOIN passed
LEFT JOIN vitrine.published_storefronts AS storefronts ON storefront = $1::text
LEFT JOIN changes ON bytes_before < $5::bigint
ORDER BY changes.version;

-- name: sync.feeds
-- The same for the feeds $2 of the storefront $1 after version $3, without tombstones up to version $4, at most $5
-- changes.
--
-- An item or a layout has the highest version of its own and its memberships, and is deleted with the last membership.
-- Tombstones up to version $4 do not count: a purge of one would lower the version of an item that another feed has, below the
-- cursor of a first load.
-- If fewer than $7 items changed, these are looked up among the members. Otherwise the members are looked up among the
-- changed items. $7 is at most 500, because the planner cannot distinguish it from many thousand. The page ends after
-- $6 stored bytes, of which each item has $8 more than its document, and includes all changes up to end_version.
WITH few AS MATERIALIZED (
    SELECT count(*) < $7::bigint AS is_few
    FROM (
        SELECT FROM (SELECT FROM vitrine.published WHERE kind = 'item' AND version > $3::bigint LIMIT $7::bigint) AS changed LIMIT 500
    ) AS next_items
), members AS MATERIALIZED (
    SELECT kind, id
    FROM (
        SELECT
            CASE WHEN item_id IS NULL THEN 'layout' ELSE 'item' END::vitrine.published_kind AS kind,
            split_part(published.id, '/', 2) AS id
        FROM vitrine.published
        WHERE storefront = $1::text AND feed = ANY($2::text[]) AND version > $3::bigint AND kind = 'membership'
        UNION
        SELECT 'item', id
        FROM (
            SELECT id
            FROM (
                SELECT id FROM vitrine.published WHERE kind = 'item' AND version > $3::bigint ORDER BY version LIMIT $7::bigint
            ) AS changed
            LIMIT 500
        ) AS next_items
        WHERE (SELECT is_few FROM few)
        UNION
        SELECT 'item', members.item_id::text
        FROM vitrine.published AS members
        CROSS JOIN LATERAL (
            SELECT version FROM vitrine.published WHERE kind = 'item' AND id = members.item_id::text AND storefront = '*' OFFSET 0
        ) AS items
        WHERE NOT (SELECT is_few FROM few) AND members.storefront = $1::text AND members.feed = ANY($2::text[])
            AND members.kind = 'membership' AND members.document IS NOT NULL AND items.version > $3::bigint
    ) AS touched
), found AS MATERIALIZED (
    SELECT kind, id, version, version AS own_version, true AS is_living
    FROM vitrine.published
    WHERE storefront = $1::text AND feed = ANY($2::text[]) AND version > $3::bigint AND kind IN ('section', 'placement', 'list', 'entry', 'feed')
    UNION ALL
    SELECT
        members.kind, members.id, CASE WHEN is_living THEN greatest(joined.version, own.version) ELSE joined.version END, own.version, is_living
    FROM members
    CROSS JOIN LATERAL (
        SELECT
            max(memberships.version) FILTER (WHERE memberships.document IS NOT NULL OR memberships.version > $4::bigint) AS version,
            bool_or(memberships.document IS NOT NULL) AS is_living
        FROM unnest($2::text[]) AS asked (feed)
        JOIN vitrine.published AS memberships
            ON memberships.kind = 'membership' AND memberships.id = asked.feed || '/' || members.id AND memberships.storefront = $1::text
    ) AS joined
    -- Looked up one by one, here and below. Otherwise all items would be read for those of one feed.
    LEFT JOIN LATERAL (
        SELECT version FROM vitrine.published WHERE kind = members.kind AND id = members.id AND storefront = '*' OFFSET 0
    ) AS own ON true
    WHERE joined.version IS NOT NULL
), changes AS MATERIALIZED (
    SELECT
        version, own_version, kind, id, hash, document, row_number() OVER (ORDER BY version) AS place,
        coalesce(
            sum(pg_column_size(document) + CASE kind WHEN 'item' THEN $8::integer ELSE 0 END)
                OVER (ORDER BY version ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0
        ) AS bytes_before
    FROM (
        SELECT
            found.version, found.own_version, found.kind, found.id, CASE WHEN is_living THEN hash END AS hash,
            CASE WHEN is_living THEN document END AS document
        FROM found
        LEFT JOIN LATERAL (
            SELECT hash, document
            FROM vitrine.published
            WHERE kind = found.kind AND id = found.id
                AND storefront = CASE WHEN found.kind IN ('item', 'layout') THEN '*' ELSE $1::text END
            OFFSET 0
        ) AS published ON true
        WHERE found.version > $3::bigint AND (is_living AND document IS NOT NULL OR found.version > $4::bigint)
        ORDER BY found.version
        LIMIT $5::integer
    ) AS next_found
)
SELECT
    sync_head.version AS head, floor, is_complete,
    coalesce((SELECT min(version) - 1 FROM changes WHERE bytes_before >= $6::bigint), sync_head.version) AS end_version,
    CASE WHEN place IS NULL OR place = 1 THEN ARRAY(SELECT vitrine.half_of(nonce, 1) FROM vitrine.sync_epoch ORDER BY number) END AS nonces,
    CASE WHEN place IS NULL OR place = 1 THEN ARRAY(SELECT start_version FROM vitrine.sync_epoch ORDER BY number) END AS starts,
    CASE WHEN place IS NULL OR place = 1 THEN storefronts.version END AS storefront_version,
    CASE WHEN place IS NULL OR place = 1 THEN storefronts.document END AS storefront,
    changes.version, own_version, kind::text AS kind, id, encode(hash, 'hex') AS hash, changes.document
FROM vitrine.sync_head
LEFT JOIN vitrine.published_storefronts AS storefronts ON storefront = $1::text
LEFT JOIN changes ON bytes_before < $6::bigint
ORDER BY changes.version;

-- name: sync.catalog_buckets
-- Returns all entities of the catalog of the storefront $1, in buckets by the first $2 bits of the hashes of their IDs.
SELECT
    sync_head.version AS head, buckets.bucket, entries, high, low
FROM vitrine.sync_head
LEFT JOIN (
    SELECT
        bucket >> (16 - $2::integer) AS bucket, sum(entries)::bigint AS entries, bit_xor(high) AS high, bit_xor(low) AS low
    FROM vitrine.sync_buckets
    WHERE storefront IN ('*', $1::text)
    GROUP BY 1
    HAVING sum(entries) > 0
) AS buckets ON true
ORDER BY buckets.bucket;

-- name: sync.catalog_proof
-- Returns the digest of the catalog of the storefront $1, with its head and the epochs in order: their nonces and start
-- versions.
SELECT
    version, floor,
    ARRAY(SELECT vitrine.half_of(nonce, 1) FROM vitrine.sync_epoch ORDER BY number) AS nonces,
    ARRAY(SELECT start_version FROM vitrine.sync_epoch ORDER BY number) AS starts,
    NULL::text AS feed, entries, high, low
FROM vitrine.sync_head
CROSS JOIN (
    SELECT coalesce(sum(entries), 0)::bigint AS entries, coalesce(bit_xor(high), 0) AS high, coalesce(bit_xor(low), 0) AS low
    FROM vitrine.sync_catalogs
    WHERE storefront IN ('*', $1::text)
) AS proof;

-- name: sync.catalog_entries
-- Returns the entities of the first of the buckets $3 of $2 bits, in the catalog of the storefront $1.
--
-- It returns as many whole buckets as have at most $4 entries by their digests, and at least the first. At most $4 + 1
-- entries are read, even if the digests are wrong.
WITH counted AS MATERIALIZED (
    SELECT asked.bucket, asked.place, sum(held.entries) OVER (ORDER BY asked.place) AS total
    FROM unnest($3::integer[]) WITH ORDINALITY AS asked (bucket, place)
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(entries), 0) AS entries
        FROM vitrine.sync_buckets
        WHERE storefront IN ('*', $1::text)
            AND bucket >= asked.bucket << (16 - $2::integer) AND bucket < (asked.bucket + 1) << (16 - $2::integer)
    ) AS held
), chosen AS MATERIALIZED (
    SELECT bucket FROM counted WHERE place = 1 OR total <= $4::integer
)
SELECT
    sync_head.version AS head, ARRAY(SELECT bucket FROM chosen ORDER BY bucket) AS listed, 'item' AS kind, id, entries.version, own_version,
    hash
FROM vitrine.sync_head
LEFT JOIN (
    SELECT
        items.id, greatest(items.version, members.version) AS version, items.version AS own_version, encode(items.hash, 'hex') AS hash
    FROM chosen
    JOIN vitrine.published AS items
        ON items.kind = 'item' AND items.document IS NOT NULL
        AND vitrine.bucket_of(items.id) >= chosen.bucket << (16 - $2::integer)
        AND vitrine.bucket_of(items.id) < (chosen.bucket + 1) << (16 - $2::integer)
    -- Looked up one by one. Otherwise all memberships would be read for one bucket.
    LEFT JOIN LATERAL (
        SELECT version
        FROM vitrine.published
        WHERE NOT items.is_everywhere AND kind = 'membership' AND id = '*/' || items.id AND storefront = $1::text AND document IS NOT NULL
        OFFSET 0
    ) AS members ON true
    WHERE items.is_everywhere OR members.version IS NOT NULL
    LIMIT $4::integer + 1
) AS entries ON true
ORDER BY id;

-- name: sync.feed_proof
-- The same for the feeds $2 of the storefront $1: one digest of all feeds, with each entity once, and one per feed with its
-- lists, if they are among the feeds.
WITH digests AS MATERIALIZED (
    SELECT feed, kind, id, vitrine.half_of(digest, 1) AS high, vitrine.half_of(digest, 9) AS low
    FROM (
        SELECT feed, kind, id, vitrine.entity_digest(kind::text, id, hash) AS digest
        FROM vitrine.feed_entries($1::text, $2::text[])
        OFFSET 0
    ) AS entries
)
SELECT
    version, floor,
    ARRAY(SELECT vitrine.half_of(nonce, 1) FROM vitrine.sync_epoch ORDER BY number) AS nonces,
    ARRAY(SELECT start_version FROM vitrine.sync_epoch ORDER BY number) AS starts,
    feed, entries, high, low
FROM vitrine.sync_head
CROSS JOIN (
    SELECT NULL AS feed, count(*) AS entries, coalesce(bit_xor(high), 0) AS high, coalesce(bit_xor(low), 0) AS low
    FROM (SELECT DISTINCT kind, id, high, low FROM digests) AS entities
    UNION ALL
    SELECT feed, count(*), bit_xor(high), bit_xor(low)
    FROM (SELECT DISTINCT split_part(feed, '+', 1) AS feed, kind, id, high, low FROM digests) AS entities
    GROUP BY feed
) AS proofs
ORDER BY feed;

-- name: sync.feed_entries
-- Returns all entities of the feeds $2 of the storefront $1, with their buckets of 65,536. own_version is the version
-- of the document only.
SELECT
    sync_head.version AS head, entries.kind::text AS kind, entries.id, entries.version, own.version AS own_version,
    encode(entries.hash, 'hex') AS hash, bucket, high, low
FROM vitrine.sync_head
LEFT JOIN (
    SELECT
        kind, id, version, hash, vitrine.bucket_of(id) AS bucket, vitrine.half_of(digest, 1) AS high, vitrine.half_of(digest, 9) AS low
    FROM (
        SELECT kind, id, version, hash, vitrine.entity_digest(kind::text, id, hash) AS digest
        FROM (
            -- An entity in several feeds has several versions.
            SELECT DISTINCT ON (kind, id) kind, id, version, hash
            FROM vitrine.feed_entries($1::text, $2::text[])
            ORDER BY kind, id, version DESC
        ) AS distinct_entries
        OFFSET 0
    ) AS digests
) AS entries ON true
-- Looked up one by one. Otherwise all items would be read for those of one feed.
LEFT JOIN LATERAL (
    SELECT version
    FROM vitrine.published
    WHERE kind = entries.kind AND id = entries.id
        AND storefront = CASE WHEN entries.kind IN ('item', 'layout') THEN '*' ELSE $1::text END
    OFFSET 0
) AS own ON true
ORDER BY entries.kind, entries.id;

-- name: sync.new_epoch
-- Starts an epoch for a history with an undetected loss. It runs after the lock of the head.
SELECT vitrine.begin_epoch(true) AS is_another, version FROM (SELECT version FROM vitrine.sync_head FOR UPDATE) AS head;
