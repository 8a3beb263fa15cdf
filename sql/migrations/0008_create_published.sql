-- The published documents. Each is self-contained and has the version that the sequencer assigned. Only the sequencer
-- writes here, in transactions that lock the head, so versions have no gaps and follow the order of commits.

CREATE TABLE sync_head (
    is_only boolean NOT NULL DEFAULT true,
    version bigint NOT NULL DEFAULT 0,
    -- The version up to which tombstones are purged. A client with a lower version may have missed a deletion.
    floor bigint NOT NULL DEFAULT 0,
    -- The time up to which changes of the clock are published.
    moment timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT sync_head_pkey PRIMARY KEY (is_only),
    CONSTRAINT sync_head_is_only_check CHECK (is_only),
    CONSTRAINT sync_head_version_check CHECK (version >= 0),
    CONSTRAINT sync_head_floor_check CHECK (floor BETWEEN 0 AND version)
);

INSERT INTO sync_head DEFAULT VALUES;

-- The order within one drain. A document comes after the documents that it refers to.
CREATE TYPE published_kind AS ENUM ('layout', 'item', 'membership', 'section', 'placement', 'feed');

CREATE TABLE published (
    kind published_kind NOT NULL,
    -- The hash of a layout, the id of an item, or the path of a part of a feed: today, today/hero, today/hero/s9. A
    -- membership has the key of its feed, a slash, and the id of the item or layout. For the whole catalog of a
    -- storefront, its feed is *.
    id text NOT NULL,
    -- The storefront that has the document, or * for all.
    storefront text NOT NULL,
    feed text,
    -- The item of a placement or of a membership.
    item_id uuid,
    -- Whether an item is in every storefront at all times. Other items have a membership in each storefront where they
    -- are now.
    is_everywhere boolean,
    version bigint NOT NULL,
    -- NULL for a tombstone.
    document json,
    hash bytea,
    -- The time of the deletion.
    gone_at timestamptz,
    -- The next time at which the clock changes a feed. It has no version, because a scheduled change is not yet
    -- visible.
    valid_until timestamptz,
    CONSTRAINT published_pkey PRIMARY KEY (kind, id, storefront),
    CONSTRAINT published_version_key UNIQUE (version),
    CONSTRAINT published_storefront_check CHECK ((storefront = '*') = (kind IN ('layout', 'item'))),
    CONSTRAINT published_feed_check CHECK (
        (feed IS NULL) = (kind IN ('layout', 'item') OR kind = 'membership' AND starts_with(id, '*/') AND item_id IS NOT NULL)),
    CONSTRAINT published_item_id_check CHECK (kind = 'membership' OR (item_id IS NOT NULL) = (kind = 'placement')),
    CONSTRAINT published_is_everywhere_check CHECK ((is_everywhere IS NOT NULL) = (kind = 'item')),
    CONSTRAINT published_hash_check CHECK (num_nulls(document, hash) IN (0, 2) AND octet_length(hash) = 16),
    CONSTRAINT published_gone_at_check CHECK ((gone_at IS NULL) = (document IS NOT NULL)),
    CONSTRAINT published_version_check CHECK (version >= 1)
);

CREATE INDEX published_by_feed ON published (storefront, feed, version) WHERE feed IS NOT NULL;
CREATE INDEX published_by_item ON published (item_id) WHERE kind = 'placement' AND document IS NOT NULL;
-- For clients with a local copy of the whole catalog.
CREATE INDEX published_items_by_version ON published (version) WHERE kind = 'item';
CREATE INDEX published_catalog_by_version ON published (storefront, version) WHERE kind = 'membership' AND feed IS NULL;
CREATE INDEX published_gone ON published (gone_at) WHERE gone_at IS NOT NULL;

-- Returns the documents of these items for clients, in all locales and storefronts, without withdrawn items.
CREATE FUNCTION item_documents(asked uuid[]) RETURNS TABLE (item_id uuid, is_everywhere boolean, document json) LANGUAGE sql STABLE
AS $$
    SELECT items.id, items.is_everywhere, json_strip_nulls(json_build_object(
        'id', items.id, 'serialNumber', items.serial_number, 'slug', items.slug,
        'texts', (
            SELECT json_object_agg(locale, json_build_object('title', title, 'subtitle', subtitle, 'imageAlt', image_alt) ORDER BY locale)
            FROM vitrine.item_texts WHERE item_texts.item_id = items.id),
        'image', CASE WHEN image_width IS NOT NULL THEN json_build_object(
            'url', image_url, 'width', image_width, 'height', image_height, 'color', image_color, 'blurhash', image_blurhash) END,
        'categories', (SELECT json_agg(category ORDER BY rank) FROM vitrine.item_categories WHERE item_categories.item_id = items.id),
        'rating', CASE WHEN rating_count IS NOT NULL THEN json_build_object('average', rating_average, 'count', rating_count) END,
        'availability', CASE WHEN NOT is_everywhere THEN (
            SELECT coalesce(json_object_agg(storefront, (
                SELECT json_agg(json_build_object(
                    'from', (extract(epoch FROM lower(span)) * 1000000)::bigint,
                    'until', (extract(epoch FROM upper(span)) * 1000000)::bigint) ORDER BY span)
                FROM unnest(during) AS span) ORDER BY storefront), '{}')
            FROM vitrine.item_availability WHERE item_availability.item_id = items.id) END,
        'prices', (
            SELECT json_agg(json_build_object(
                'storefront', storefront, 'role', role, 'amountMinor', amount_minor, 'currency', currency) ORDER BY storefront, role)
            FROM vitrine.item_prices WHERE item_prices.item_id = items.id),
        'topApp', CASE WHEN top_apps.item_id IS NOT NULL THEN json_build_object(
            'bundleId', bundle_id, 'developer', developer, 'appVersion', app_version, 'sizeBytes', size_bytes, 'minimumOsVersion', minimum_os,
            'platforms', platforms, 'ageRating', age_rating, 'releaseDate', top_apps.release_date, 'homepage', homepage) END,
        'foodApp', CASE WHEN food_apps.item_id IS NOT NULL THEN json_build_object(
            'brand', brand, 'cuisines', cuisines, 'dietaryTags', dietary_tags, 'deliveryMinutesFrom', delivery_minutes_from,
            'deliveryMinutesTo', delivery_minutes_to, 'priceBand', price_band, 'releaseDate', food_apps.release_date,
            'openMinutes', ARRAY(SELECT ARRAY[lower(span), upper(span)] FROM unnest(opening_hours) AS span ORDER BY span)) END
    ))
    FROM unnest(asked) AS wanted (id)
    JOIN vitrine.items ON items.id = wanted.id AND deleted_at IS NULL
    LEFT JOIN vitrine.top_apps ON top_apps.item_id = items.id
    LEFT JOIN vitrine.food_apps ON food_apps.item_id = items.id
$$;

-- The digest buckets of catalogs: the number of items and the XOR of their digests. With them, a client finds the
-- differences of its local copy. Items that are everywhere are counted once, under *.
CREATE TABLE sync_buckets (
    storefront text NOT NULL,
    -- The first two bytes of the hash of an id.
    bucket integer NOT NULL,
    entries bigint NOT NULL,
    -- The XOR of the digests, in two halves.
    high bigint NOT NULL,
    low bigint NOT NULL,
    CONSTRAINT sync_buckets_pkey PRIMARY KEY (storefront, bucket),
    CONSTRAINT sync_buckets_bucket_check CHECK (bucket BETWEEN 0 AND 65535)
) WITH (fillfactor = 70);

-- Returns the bucket of an id. The planner inlines the cast, but not convert_to. A cast interprets backslashes as
-- escapes, and published ids contain none.
CREATE FUNCTION bucket_of(id text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT get_byte(sha256(id::bytea), 0) << 8 | get_byte(sha256(id::bytea), 1) $$;

CREATE INDEX published_items_by_bucket ON published (bucket_of(id)) WHERE kind = 'item';

-- Returns the digest of an entity in one state.
CREATE FUNCTION entity_digest(kind text, id text, hash bytea) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT substring(sha256((kind || E'\n' || id || E'\n' || encode(hash, 'hex'))::bytea) FOR 16) $$;

-- Returns the half of a digest that starts at this byte as a number, because only numbers can be XORed.
CREATE FUNCTION half_of(digest bytea, place integer) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT ('x' || encode(substring(digest FROM place FOR 8), 'hex'))::bit(64)::bigint $$;

-- Publishes the current documents of these items, and their memberships in catalogs at this time, with versions after
-- the head. A withdrawn item becomes a tombstone. Returns the number of versions. An item whose document did not change
-- gets no version, unless it is one of the doubted items: its stored document may not match its hash.
CREATE FUNCTION publish_items(touched uuid[], head bigint, moment timestamptz, doubted uuid[] DEFAULT '{}') RETURNS bigint LANGUAGE plpgsql
SET plan_cache_mode = force_custom_plan
SET jit = off
AS $$
DECLARE
    written bigint;
BEGIN
    WITH documents AS MATERIALIZED (
        SELECT item_id, is_everywhere, document, substring(sha256(convert_to(document::text, 'UTF8')) FOR 16) AS hash
        FROM vitrine.item_documents(touched)
    ), items AS MATERIALIZED (
        SELECT
            ids.id, documents.hash, coalesce(documents.is_everywhere, present.is_everywhere) AS is_everywhere,
            present.hash AS old_hash, present.is_everywhere AS was_everywhere,
            ids.id = ANY(doubted) AND num_nonnulls(documents.item_id, present.is_everywhere) > 0 AS is_doubted
        FROM (SELECT DISTINCT id FROM unnest(touched) AS id) AS ids
        LEFT JOIN documents ON documents.item_id = ids.id
        LEFT JOIN LATERAL (
            SELECT published.hash, published.is_everywhere
            FROM vitrine.published
            WHERE kind = 'item' AND published.id = ids.id::text AND storefront = '*'
        ) AS present ON true
    ), changed AS MATERIALIZED (
        SELECT id, is_everywhere, row_number() OVER (ORDER BY id) AS place FROM items WHERE hash IS DISTINCT FROM old_hash OR is_doubted
    ), upserted AS (
        INSERT INTO vitrine.published (kind, id, storefront, is_everywhere, version, document, hash, gone_at)
        SELECT 'item', id, '*', changed.is_everywhere, head + place, document, hash, CASE WHEN document IS NULL THEN now() END
        FROM changed LEFT JOIN documents ON item_id = id
        ON CONFLICT (kind, id, storefront) DO UPDATE SET
            is_everywhere = excluded.is_everywhere, version = excluded.version, document = excluded.document, hash = excluded.hash,
            gone_at = excluded.gone_at
    ), restricted AS MATERIALIZED (
        -- Items that are not everywhere, or were not before.
        SELECT
            id, hash, old_hash, is_doubted, hash IS NOT NULL AND NOT is_everywhere AS is_restricted,
            hash IS NOT NULL AND NOT is_everywhere AND coalesce(was_everywhere, false) AS begins
        FROM items
        WHERE hash IS NOT NULL AND NOT is_everywhere OR NOT was_everywhere OR is_doubted
    ), wanted AS MATERIALIZED (
        SELECT id, storefront
        FROM restricted
        JOIN vitrine.item_availability ON item_id = id
        WHERE is_restricted AND during @> moment
    ), present_members AS MATERIALIZED (
        SELECT restricted.id, members.storefront, members.is_living
        FROM restricted
        CROSS JOIN LATERAL (
            SELECT storefront, document IS NOT NULL AS is_living
            FROM vitrine.published
            WHERE kind = 'membership' AND published.id = '*/' || restricted.id
        ) AS members
    ), members AS MATERIALIZED (
        SELECT id, storefront, wanted.id IS NOT NULL AS is_wanted, coalesce(is_living, false) AS is_living
        FROM wanted FULL JOIN present_members USING (id, storefront)
    ), changed_members AS MATERIALIZED (
        SELECT id, storefront, is_wanted, row_number() OVER (ORDER BY id, storefront) + (SELECT count(*) FROM changed) AS place
        FROM (
            SELECT id, storefront, is_wanted
            FROM members JOIN restricted USING (id)
            WHERE is_wanted <> is_living OR is_wanted AND is_doubted
            UNION
            -- An item that was everywhere leaves the other storefronts.
            SELECT id, key, false
            FROM restricted CROSS JOIN vitrine.storefronts
            WHERE begins AND NOT EXISTS (SELECT FROM wanted WHERE (wanted.id, wanted.storefront) = (restricted.id, key))
        ) AS told
    ), upserted_members AS (
        INSERT INTO vitrine.published (kind, id, storefront, item_id, version, document, hash, gone_at)
        SELECT
            'membership', '*/' || id, storefront, id, head + place, document::json, substring(sha256(document::bytea) FOR 16),
            CASE WHEN document IS NULL THEN now() END
        FROM changed_members CROSS JOIN LATERAL (SELECT CASE WHEN is_wanted THEN '{"item":"' || id || '"}' END AS document) AS documents
        ON CONFLICT (kind, id, storefront) DO UPDATE SET
            item_id = excluded.item_id, version = excluded.version, document = excluded.document, hash = excluded.hash,
            gone_at = excluded.gone_at
    ), swaps AS (
        -- Removes the previous digests and adds the current ones.
        SELECT '*' AS storefront, id, old_hash AS hash, -1 AS entries
        FROM items
        WHERE was_everywhere AND (hash IS DISTINCT FROM old_hash OR NOT is_everywhere)
        UNION ALL
        SELECT '*', id, hash, 1 FROM items WHERE is_everywhere AND (hash IS DISTINCT FROM old_hash OR NOT was_everywhere)
        UNION ALL
        SELECT storefront, id, old_hash, -1
        FROM members JOIN restricted USING (id)
        WHERE is_living AND (NOT is_wanted OR hash IS DISTINCT FROM old_hash)
        UNION ALL
        SELECT storefront, id, hash, 1
        FROM members JOIN restricted USING (id)
        WHERE is_wanted AND (NOT is_living OR hash IS DISTINCT FROM old_hash)
    ), digests AS MATERIALIZED (
        SELECT storefront, vitrine.bucket_of(id::text) AS bucket, entries, vitrine.entity_digest('item', id::text, hash) AS digest
        FROM swaps WHERE hash IS NOT NULL
    ), settled AS (
        INSERT INTO vitrine.sync_buckets AS present (storefront, bucket, entries, high, low)
        SELECT storefront, bucket, sum(entries), bit_xor(vitrine.half_of(digest, 1)), bit_xor(vitrine.half_of(digest, 9))
        FROM digests
        GROUP BY storefront, bucket
        ON CONFLICT (storefront, bucket) DO UPDATE SET
            entries = present.entries + excluded.entries, high = present.high # excluded.high, low = present.low # excluded.low
    )
    SELECT (SELECT count(*) FROM changed) + (SELECT count(*) FROM changed_members) INTO written;
    RETURN written;
END
$$;

-- The times at which the clock changes the availability of an item in a storefront.
CREATE TABLE availability_bounds (
    storefront text NOT NULL,
    moment timestamptz NOT NULL,
    item_id uuid NOT NULL,
    CONSTRAINT availability_bounds_pkey PRIMARY KEY (storefront, moment, item_id)
);

INSERT INTO availability_bounds (storefront, moment, item_id)
SELECT DISTINCT storefront, moment, item_id
FROM item_availability CROSS JOIN unnest(during) AS span CROSS JOIN unnest(ARRAY[lower(span), upper(span)]) AS moment
WHERE during <> '{(,)}' AND isfinite(moment);

CREATE INDEX availability_bounds_by_item ON availability_bounds (item_id);

CREATE FUNCTION bound_availability() RETURNS trigger LANGUAGE plpgsql
AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM vitrine.availability_bounds
        USING old_rows
        WHERE (availability_bounds.item_id, availability_bounds.storefront) = (old_rows.item_id, old_rows.storefront);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO vitrine.availability_bounds (storefront, moment, item_id)
        SELECT DISTINCT storefront, moment, item_id
        FROM new_rows CROSS JOIN unnest(during) AS span CROSS JOIN unnest(ARRAY[lower(span), upper(span)]) AS moment
        WHERE during <> '{(,)}' AND isfinite(moment);
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER bound_inserted AFTER INSERT ON item_availability REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION bound_availability();
CREATE TRIGGER bound_updated AFTER UPDATE ON item_availability REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION bound_availability();
CREATE TRIGGER bound_deleted AFTER DELETE ON item_availability REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION bound_availability();
ALTER TABLE item_availability ENABLE ALWAYS TRIGGER bound_inserted, ENABLE ALWAYS TRIGGER bound_updated, ENABLE ALWAYS TRIGGER bound_deleted;
