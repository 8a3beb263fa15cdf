-- The items of the catalog for curators: all items, in all storefronts and locales, withdrawn or not.

-- name: items.list
-- Returns a page after the serial number $1, of the kind $2 or of all kinds. Each title is in the first of the
-- locales $5 that it has, or else in the first locale by bytes. The kind is compared as an enum. As a text, the planner
-- would expect few items of it, and read and sort all items instead of an index.
SELECT
    items.id, items.kind::text AS kind, items.slug, items.source, items.serial_number, items.version,
    items.deleted_at IS NOT NULL AS is_withdrawn,
    (
        SELECT title FROM vitrine.item_texts WHERE item_id = items.id ORDER BY array_position($5::text[], locale), locale COLLATE "C" LIMIT 1
    ) AS title
FROM vitrine.items
WHERE items.serial_number > $1::bigint
    AND ($2::text IS NULL OR items.kind = $2::text::vitrine.item_kind)
    AND ($3::boolean OR items.deleted_at IS NULL)
ORDER BY items.serial_number
LIMIT $4::bigint;

-- name: items.named
-- Returns the items whose slugs begin with $1, of the kind $2 or of all kinds, after the slug $4 of the kind $5.
-- Each title is in the first of the locales $7 that it has, or else in the first locale by bytes. The kind is compared as in
-- items.list.
SELECT
    items.id, items.kind::text AS kind, items.slug, items.source, items.serial_number, items.version,
    items.deleted_at IS NOT NULL AS is_withdrawn,
    (
        SELECT title FROM vitrine.item_texts WHERE item_id = items.id ORDER BY array_position($7::text[], locale), locale COLLATE "C" LIMIT 1
    ) AS title
FROM vitrine.items
WHERE slug COLLATE "C" >= greatest($1::text COLLATE "C", $4::text COLLATE "C") AND slug COLLATE "C" < $1::text || '~'
    AND ($4::text IS NULL OR (slug COLLATE "C", items.kind::text COLLATE "C") > ($4 COLLATE "C", $5::text COLLATE "C"))
    AND ($2::text IS NULL OR items.kind = $2::text::vitrine.item_kind)
    AND ($3::boolean OR items.deleted_at IS NULL)
ORDER BY slug COLLATE "C", items.kind::text COLLATE "C"
LIMIT $6::bigint;

-- name: items.facts
-- Returns the facts of items that rules compare, with the prices in effect. Each fact is a lookup by item, because the
-- planner does not know the number of items. The condition IS TRUE makes it search the periods by item. While they have
-- no statistics, it would otherwise search them by time, and read all periods that hold for each item.
SELECT
    items.id,
    json_strip_nulls(json_build_object(
        'platforms', (
            SELECT json_object_agg(platform, json_build_object('minimumOsVersion', minimum_os))
            FROM vitrine.item_platforms WHERE item_id = items.id),
        'ageRatings', (SELECT json_object_agg(scheme, label) FROM vitrine.item_age_ratings WHERE item_id = items.id),
        'developer', (SELECT developer FROM vitrine.top_apps WHERE item_id = items.id),
        'deliveryMinutes', (
            SELECT json_build_object('from', delivery_minutes_from, 'to', delivery_minutes_to)
            FROM vitrine.food_apps WHERE item_id = items.id),
        'dietaryTags', (SELECT nullif(dietary_tags, '{}') FROM vitrine.food_apps WHERE item_id = items.id),
        'tags', nullif(items.tags, '{}'),
        'currentPrices', (
            SELECT json_object_agg(storefront, json_build_object(
                'amountMinor', coalesce(period.amount_minor, regular.amount_minor), 'currency', coalesce(period.currency, regular.currency),
                'former', period.former_minor,
                'until', to_char(period.ends_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')))
            FROM (
                SELECT storefront, amount_minor, currency FROM vitrine.item_prices WHERE item_id = items.id AND role = 'price'
            ) AS regular
            FULL JOIN (
                SELECT storefront, amount_minor, currency, former_minor, upper(during) AS ends_at
                FROM vitrine.item_price_periods WHERE item_id = items.id AND role = 'price' AND (during @> now()) IS TRUE
            ) AS period USING (storefront))
    )) AS facts
FROM vitrine.items
WHERE items.id = ANY ($1::uuid[]);

-- name: items.records
-- Returns the items in the form of published documents, published or not, with the additional fields of a catalog
-- record.
SELECT items.version, is_withdrawn, items.source, document
FROM vitrine.item_records($1::uuid[]) JOIN vitrine.items ON items.id = item_id
ORDER BY items.serial_number;

-- name: items.find
-- Returns the items that a name may refer to, in this order: an ID, a slug with its kind, a slug only or a source only.
-- Each part uses an index that begins with the kind.
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
