-- Items as whoever edits the catalog sees them: all of them, in all storefronts and locales, withdrawn or not.

-- name: items.list
-- A page behind a serial number; NULL is every kind. Titles are English ones where there are some.
SELECT
    items.id, items.kind::text AS kind, items.slug, items.source, items.serial_number, items.version,
    items.deleted_at IS NOT NULL AS is_withdrawn,
    (SELECT title FROM vitrine.item_texts WHERE item_id = items.id ORDER BY locale <> 'en', locale LIMIT 1) AS title
FROM vitrine.items
WHERE items.serial_number > $1::bigint
    AND ($2::text IS NULL OR items.kind::text = $2::text)
    AND ($3::boolean OR items.deleted_at IS NULL)
ORDER BY items.serial_number
LIMIT $4::bigint;

-- name: items.named
-- Those whose slugs begin with $1, of the kind $2 or of all, behind the slug $4 of the kind $5.
SELECT
    items.id, items.kind::text AS kind, items.slug, items.source, items.serial_number, items.version,
    items.deleted_at IS NOT NULL AS is_withdrawn,
    (SELECT title FROM vitrine.item_texts WHERE item_id = items.id ORDER BY locale <> 'en', locale LIMIT 1) AS title
FROM vitrine.items
WHERE slug COLLATE "C" >= greatest($1::text COLLATE "C", $4::text COLLATE "C") AND slug COLLATE "C" < $1::text || '~'
    AND ($4::text IS NULL OR (slug COLLATE "C", items.kind::text COLLATE "C") > ($4 COLLATE "C", $5::text COLLATE "C"))
    AND ($2::text IS NULL OR items.kind::text = $2::text)
    AND ($3::boolean OR items.deleted_at IS NULL)
ORDER BY slug COLLATE "C", items.kind::text COLLATE "C"
LIMIT $6::bigint;

-- name: items.records
-- As records of a catalog file, but for opening hours, which come as minutes from Monday, 00:00.
SELECT
    items.id, items.version, items.deleted_at IS NOT NULL AS is_withdrawn,
    jsonb_strip_nulls(jsonb_build_object(
        'kind', items.kind, 'source', items.source, 'id', items.id, 'serialNumber', items.serial_number, 'slug', items.slug,
        'title', (SELECT jsonb_object_agg(locale, title) FROM vitrine.item_texts WHERE item_id = items.id),
        'subtitle', (SELECT jsonb_object_agg(locale, subtitle) FROM vitrine.item_texts WHERE item_id = items.id AND subtitle IS NOT NULL),
        'image', nullif(
            jsonb_strip_nulls(jsonb_build_object(
                'url', items.image_url, 'width', items.image_width, 'height', items.image_height, 'color', items.image_color,
                'blurhash', items.image_blurhash,
                'alt', (
                    SELECT jsonb_object_agg(locale, image_alt) FROM vitrine.item_texts
                    WHERE item_id = items.id AND image_alt IS NOT NULL)
            )), '{}'),
        'categories', (SELECT jsonb_agg(category ORDER BY rank) FROM vitrine.item_categories WHERE item_id = items.id),
        'rating', CASE WHEN items.rating_count IS NOT NULL THEN
            jsonb_build_object('average', items.rating_average, 'count', items.rating_count) END,
        'availability', CASE WHEN NOT items.is_everywhere THEN coalesce((
            SELECT jsonb_object_agg(storefront, (
                SELECT jsonb_agg(jsonb_build_object(
                    'from', to_char(lower(window_of_time) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                    'until', to_char(upper(window_of_time) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
                ) ORDER BY window_of_time) FROM unnest(during) AS window_of_time))
            FROM vitrine.item_availability WHERE item_id = items.id), '{}') END,
        'prices', (
            SELECT jsonb_object_agg(storefront, jsonb_build_object('amountMinor', amount_minor, 'currency', currency))
            FROM vitrine.item_prices WHERE item_id = items.id AND role = 'price'),
        'bundleID', top_apps.bundle_id, 'developer', top_apps.developer, 'appVersion', top_apps.app_version,
        'sizeBytes', top_apps.size_bytes, 'minimumOS', top_apps.minimum_os, 'platforms', top_apps.platforms,
        'ageRating', top_apps.age_rating, 'homepage', top_apps.homepage,
        'brand', food_apps.brand, 'cuisines', food_apps.cuisines, 'dietaryTags', food_apps.dietary_tags,
        'deliveryMinutes', CASE WHEN food_apps.item_id IS NOT NULL THEN
            jsonb_build_object('from', food_apps.delivery_minutes_from, 'to', food_apps.delivery_minutes_to) END,
        'priceBand', food_apps.price_band,
        'minimumOrder', (
            SELECT jsonb_object_agg(storefront, jsonb_build_object('amountMinor', amount_minor, 'currency', currency))
            FROM vitrine.item_prices WHERE item_id = items.id AND role = 'minimumOrder'),
        'deliveryFee', (
            SELECT jsonb_object_agg(storefront, jsonb_build_object('amountMinor', amount_minor, 'currency', currency))
            FROM vitrine.item_prices WHERE item_id = items.id AND role = 'deliveryFee'),
        'releaseDate', coalesce(top_apps.release_date, food_apps.release_date)
    ))::text AS record,
    ARRAY(SELECT lower(span) FROM unnest(food_apps.opening_hours) AS span ORDER BY span) AS opens,
    ARRAY(SELECT upper(span) FROM unnest(food_apps.opening_hours) AS span ORDER BY span) AS closes
FROM vitrine.items
LEFT JOIN vitrine.top_apps ON top_apps.item_id = items.id
LEFT JOIN vitrine.food_apps ON food_apps.item_id = items.id
WHERE items.id = ANY ($1::uuid[])
ORDER BY items.serial_number;

-- name: items.find
-- The items that a word may mean, in this order: an id, a slug behind its kind, or a slug or a source alone. Each part is looked up in an index
-- of its own, which begins with the kind.
WITH kinds AS MATERIALIZED (
    SELECT kind FROM unnest(enum_range(NULL::vitrine.item_kind)) AS kind WHERE $2::text IS NULL OR kind::text = $2
)
SELECT found.id
FROM (
    SELECT id, slug, serial_number FROM vitrine.items WHERE id = $1::uuid
    UNION
    SELECT items.id, slug, serial_number FROM kinds JOIN vitrine.items ON items.kind = kinds.kind AND slug = $3::text
    UNION
    SELECT items.id, slug, serial_number FROM kinds JOIN vitrine.items ON items.kind = kinds.kind AND source = $3::text
) AS found
ORDER BY found.id IS DISTINCT FROM $1::uuid, slug <> $3::text, serial_number
LIMIT 10;
