-- The storefronts, categories and charts of the catalog for curators. An edit locks the row of its record, for which
-- imports wait, and reads the record after that.

-- name: vocabulary.take_turn
-- Allows one edit at a time of the record with the path $1, which may not exist yet. The lock lasts until the
-- transaction ends.
SELECT pg_advisory_xact_lock(hashtextextended($1::text, 0)) AS turn;

-- name: vocabulary.has_storefront
SELECT EXISTS (SELECT FROM vitrine.storefronts WHERE key = $1::text) AS has_storefront;

-- name: vocabulary.categories
-- Returns the categories after the key $2, or only the category $1, with their titles by locale.
SELECT
    key, item_kind::text AS item_kind,
    ARRAY(SELECT locale FROM vitrine.category_texts WHERE category = key ORDER BY locale COLLATE "C") AS locales,
    ARRAY(SELECT title FROM vitrine.category_texts WHERE category = key ORDER BY locale COLLATE "C") AS titles
FROM vitrine.categories
WHERE ($1::text IS NULL OR key = $1) AND key COLLATE "C" > $2::text COLLATE "C"
ORDER BY key COLLATE "C"
LIMIT $3::bigint;

-- name: vocabulary.hold_category
-- Transactions that add items to the category do not wait.
SELECT FROM vitrine.categories WHERE key = $1::text FOR NO KEY UPDATE;

-- name: vocabulary.hold_category_and_items
-- Waits for transactions that add items to the category, and makes later ones wait.
SELECT FROM vitrine.categories WHERE key = $1::text FOR UPDATE;

-- name: vocabulary.items_in_category
-- Returns the number of items in the category, and the number of withdrawn ones among them.
SELECT count(*) AS items, count(*) FILTER (WHERE deleted_at IS NOT NULL) AS withdrawn
FROM vitrine.item_categories JOIN vitrine.items ON items.id = item_id
WHERE category = $1::text;

-- name: vocabulary.remove_category
DELETE FROM vitrine.categories WHERE key = $1::text;

-- name: vocabulary.charts
-- Returns the charts of the storefront $1 after the name $2, each with the number of its items.
SELECT
    name,
    (SELECT count(*) FROM vitrine.chart_entries WHERE chart_entries.storefront = charts.storefront AND chart = name) AS items
FROM vitrine.charts
WHERE storefront = $1::text AND name COLLATE "C" > $2::text COLLATE "C"
ORDER BY name COLLATE "C"
LIMIT $3::bigint;

-- name: vocabulary.chart
-- Returns the IDs, kinds and slugs of the items of the chart $2 in the storefront $1 by rank, or no row if it does not
-- exist.
SELECT
    ARRAY(
        SELECT item_id FROM vitrine.chart_entries
        WHERE chart_entries.storefront = charts.storefront AND chart = name ORDER BY rank) AS ids,
    ARRAY(
        SELECT items.kind::text FROM vitrine.chart_entries JOIN vitrine.items ON items.id = item_id
        WHERE chart_entries.storefront = charts.storefront AND chart = name ORDER BY rank) AS kinds,
    ARRAY(
        SELECT slug FROM vitrine.chart_entries JOIN vitrine.items ON items.id = item_id
        WHERE chart_entries.storefront = charts.storefront AND chart = name ORDER BY rank) AS slugs
FROM vitrine.charts
WHERE storefront = $1::text AND name = $2::text;

-- name: vocabulary.remove_chart
DELETE FROM vitrine.charts WHERE storefront = $1::text AND name = $2::text;

-- name: vocabulary.storefronts
-- Returns all storefronts, or only the storefront $1, open or closed.
SELECT
    key, currency, time_zone, default_locale,
    ARRAY(SELECT locale FROM vitrine.storefront_locales WHERE storefront = key ORDER BY rank) AS locales,
    rating_scheme, closed_at
FROM vitrine.storefronts
WHERE $1::text IS NULL OR key = $1
ORDER BY key COLLATE "C";

-- name: vocabulary.hold_storefront
-- Transactions that add prices, availability and charts do not wait, unless the currency changes.
SELECT FROM vitrine.storefronts WHERE key = $1::text FOR NO KEY UPDATE;

-- name: vocabulary.hold_storefront_and_uses
-- Waits for transactions that add prices, availability or charts, and makes later ones wait.
SELECT FROM vitrine.storefronts WHERE key = $1::text FOR UPDATE;

-- name: vocabulary.close_storefront
UPDATE vitrine.storefronts SET closed_at = transaction_timestamp() WHERE key = $1::text AND closed_at IS NULL;

-- name: vocabulary.uses_of_storefront
-- Returns the number of items with prices or availability in the storefront, and the number of its charts.
SELECT
    (
        SELECT count(*) FROM (
            SELECT item_id FROM vitrine.item_prices WHERE storefront = $1::text
            UNION SELECT item_id FROM vitrine.item_availability WHERE storefront = $1::text
        ) AS items
    ) AS items,
    (SELECT count(*) FROM vitrine.charts WHERE storefront = $1::text) AS charts;

-- name: vocabulary.was_storefront_shown
-- Whether a publication ever started in the storefront.
SELECT EXISTS (
    SELECT FROM vitrine.publication_spans WHERE storefront = $1::text AND lower(during) <= clock_timestamp()
) AS was_shown;

-- name: vocabulary.remove_storefront
DELETE FROM vitrine.storefronts WHERE key = $1::text;
