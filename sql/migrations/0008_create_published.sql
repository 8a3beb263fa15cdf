-- What clients read: documents that look nothing else up, each with the version that it got when the sequencer wrote it. Only the sequencer
-- writes here, in transactions that hold the head, so versions have no gaps and come in the order of commits.

CREATE TABLE sync_head (
    is_only boolean NOT NULL DEFAULT true,
    version bigint NOT NULL DEFAULT 0,
    CONSTRAINT sync_head_pkey PRIMARY KEY (is_only),
    CONSTRAINT sync_head_is_only_check CHECK (is_only),
    CONSTRAINT sync_head_version_check CHECK (version >= 0)
);

INSERT INTO sync_head DEFAULT VALUES;

-- In this order within one drain: what is referred to comes first.
CREATE TYPE published_kind AS ENUM ('layout', 'item', 'membership', 'section', 'placement', 'feed');

CREATE TABLE published (
    kind published_kind NOT NULL,
    -- Of a layout its hash, of an item its id; today, today/hero, today/hero/s9 and so on of the parts of a feed.
    id text NOT NULL,
    -- Which sees it so; * for all.
    storefront text NOT NULL,
    feed text,
    -- Of a membership and a placement.
    item_id uuid,
    version bigint NOT NULL,
    -- NULL once it is gone.
    document json,
    hash bytea,
    -- Of a feed: when the clock next changes what is shown. Tells nobody anything new, so it has no version.
    valid_until timestamptz,
    CONSTRAINT published_pkey PRIMARY KEY (kind, id, storefront),
    CONSTRAINT published_version_key UNIQUE (version),
    CONSTRAINT published_storefront_check CHECK ((storefront = '*') = (kind IN ('layout', 'item'))),
    CONSTRAINT published_feed_check CHECK ((feed IS NULL) = (kind IN ('layout', 'item'))),
    CONSTRAINT published_item_id_check CHECK ((item_id IS NULL) = (kind NOT IN ('membership', 'placement'))),
    CONSTRAINT published_hash_check CHECK (num_nulls(document, hash) IN (0, 2) AND octet_length(hash) = 16),
    CONSTRAINT published_version_check CHECK (version >= 1)
);

CREATE INDEX published_by_feed ON published (storefront, feed, version) WHERE feed IS NOT NULL;
CREATE INDEX published_by_item ON published (item_id) WHERE kind = 'placement' AND document IS NOT NULL;

-- Of each of these items that is not withdrawn, all that a client may be shown of it, in all locales and storefronts.
CREATE FUNCTION item_documents(asked uuid[]) RETURNS TABLE (item_id uuid, document json) LANGUAGE sql STABLE
AS $$
    SELECT items.id, json_strip_nulls(json_build_object(
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
            'bundleID', bundle_id, 'developer', developer, 'appVersion', app_version, 'sizeBytes', size_bytes, 'minimumOS', minimum_os,
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

-- Publishes these items as they are, behind the version of the head; a withdrawn one leaves its row without a document. Answers how many
-- versions it gave. What clients see of an item that is written anew and the same does not get another.
CREATE FUNCTION publish_items(touched uuid[], head bigint) RETURNS bigint LANGUAGE plpgsql
SET plan_cache_mode = force_custom_plan
SET jit = off
AS $$
DECLARE
    written bigint;
BEGIN
    WITH ids AS MATERIALIZED (
        SELECT DISTINCT id FROM unnest(touched) AS id
    ), documents AS MATERIALIZED (
        SELECT item_id, document, substring(vitrine.digest_of(document::text) FOR 16) AS hash
        FROM vitrine.item_documents(touched)
    ), changed AS MATERIALIZED (
        SELECT ids.id, documents.document, documents.hash, row_number() OVER (ORDER BY ids.id) AS place
        FROM ids
        LEFT JOIN documents ON documents.item_id = ids.id
        LEFT JOIN LATERAL (
            SELECT published.hash FROM vitrine.published WHERE kind = 'item' AND published.id = ids.id::text AND storefront = '*'
        ) AS present ON true
        WHERE present.hash IS DISTINCT FROM documents.hash
    ), upserted AS (
        INSERT INTO vitrine.published (kind, id, storefront, version, document, hash)
        SELECT 'item', id, '*', head + place, document, hash FROM changed
        ON CONFLICT (kind, id, storefront) DO UPDATE SET version = excluded.version, document = excluded.document, hash = excluded.hash
    )
    SELECT count(*) INTO written FROM changed;
    RETURN written;
END
$$;

-- When an item comes or goes in a storefront by the clock alone.
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
