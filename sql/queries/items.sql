-- The items of the catalog for curators: all items, in all storefronts and locales, withdrawn or not.

-- name: items.list
-- Returns a page after the serial number $1, of the kind $2 or of all kinds. Each title is in the first of the
-- locales $5 that it has, or else in the first locale by bytes.
SELECT
    items.id, items.kind::text AS kind, items.slug, items.source, items.serial_number, items.version,
    items.deleted_at IS NOT NULL AS is_withdrawn,
    (
        SELECT title FROM vitrine.item_texts WHERE item_id = items.id ORDER BY array_position($5::text[], locale), locale COLLATE "C" LIMIT 1
    ) AS title,
    ARRAY(SELECT platform FROM vitrine.item_platforms WHERE item_id = items.id ORDER BY platform COLLATE "C") AS platforms
FROM vitrine.items
WHERE items.serial_number > $1::bigint
    AND ($2::text IS NULL OR items.kind::text = $2::text)
    AND ($3::boolean OR items.deleted_at IS NULL)
ORDER BY items.serial_number
LIMIT $4::bigint;

-- name: items.named
-- Returns the items whose slugs begin with $1, of the kind $2 or of all kinds, after the slug $4 of the kind $5.
-- Each title is in the first of the locales $7 that it has, or else in the first locale by bytes.
SELECT
    items.id, items.kind::text AS kind, items.slug, items.source, items.serial_number, items.version,
    items.deleted_at IS NOT NULL AS is_withdrawn,
    (
        SELECT title FROM vitrine.item_texts WHERE item_id = items.id ORDER BY array_position($7::text[], locale), locale COLLATE "C" LIMIT 1
    ) AS title,
    ARRAY(SELECT platform FROM vitrine.item_platforms WHERE item_id = items.id ORDER BY platform COLLATE "C") AS platforms
FROM vitrine.items
WHERE slug COLLATE "C" >= greatest($1::text COLLATE "C", $4::text COLLATE "C") AND slug COLLATE "C" < $1::text || '~'
    AND ($4::text IS NULL OR (slug COLLATE "C", items.kind::text COLLATE "C") > ($4 COLLATE "C", $5::text COLLATE "C"))
    AND ($2::text IS NULL OR items.kind::text = $2::text)
    AND ($3::boolean OR items.deleted_at IS NULL)
ORDER BY slug COLLATE "C", items.kind::text COLLATE "C"
LIMIT $6::bigint;

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
