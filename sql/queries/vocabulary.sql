-- The storefronts, categories, charts, platforms and rating schemes for curators. An edit locks the row of its record, for which
-- imports that change it wait, and reads the record after that.

-- name: vocabulary.take_turn
-- Allows one edit at a time of the record with the path $1, which may not exist yet. The lock lasts until the
-- transaction ends.
SELECT pg_advisory_xact_lock(hashtextextended($1::text, 0)) AS turn;

-- name: vocabulary.hold_$table in storefronts, categories, platforms, rating_schemes
-- Transactions that use the record do not wait, unless the currency of a storefront changes.
SELECT FROM vitrine.$table WHERE key = $1::text FOR NO KEY UPDATE;

-- name: vocabulary.hold_uses_of_$table in storefronts, categories, platforms, rating_schemes
-- Waits for transactions that use the record, such as one that adds an item to a category, and makes later ones wait.
SELECT FROM vitrine.$table WHERE key = $1::text FOR UPDATE;

-- name: vocabulary.remove_$table in storefronts, categories, platforms, rating_schemes
DELETE FROM vitrine.$table WHERE key = $1::text;

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

-- name: vocabulary.items_in_category
-- Returns the number of items in the category, and the number of withdrawn ones among them.
SELECT count(*) AS items, count(*) FILTER (WHERE deleted_at IS NOT NULL) AS withdrawn
FROM vitrine.item_categories JOIN vitrine.items ON items.id = item_id
WHERE category = $1::text;

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

-- name: vocabulary.close_storefront
UPDATE vitrine.storefronts SET closed_at = transaction_timestamp() WHERE key = $1::text AND closed_at IS NULL;

-- name: vocabulary.open_storefront
-- A trigger adds the publications for all storefronts that were made while it was closed.
UPDATE vitrine.storefronts SET closed_at = NULL WHERE key = $1::text AND closed_at IS NOT NULL;

-- name: vocabulary.uses_of_storefront
-- Returns the number of items with prices, price periods or availability in the storefront, and the number of its charts.
SELECT
    (
        SELECT count(*) FROM (
            SELECT item_id FROM vitrine.item_prices WHERE storefront = $1::text
            UNION SELECT item_id FROM vitrine.item_price_periods WHERE storefront = $1::text
            UNION SELECT item_id FROM vitrine.item_availability WHERE storefront = $1::text
        ) AS items
    ) AS items,
    (SELECT count(*) FROM vitrine.charts WHERE storefront = $1::text) AS charts;

-- name: vocabulary.was_storefront_shown
-- Whether a publication ever started in the storefront.
SELECT EXISTS (
    SELECT FROM vitrine.publication_spans WHERE storefront = $1::text AND lower(during) <= clock_timestamp()
) AS was_shown;

-- name: vocabulary.platforms
-- Returns all platforms, or only the platform $1.
SELECT key, runs, is_served FROM vitrine.platforms WHERE $1::text IS NULL OR key = $1 ORDER BY key COLLATE "C";

-- name: vocabulary.add_platform
INSERT INTO vitrine.platforms (key, runs, is_served) VALUES ($1::text, $2::text[], $3::boolean);

-- name: vocabulary.set_runs
-- The facts of all items are computed again.
UPDATE vitrine.platforms SET runs = $2::text[] WHERE key = $1::text;

-- name: vocabulary.set_served
UPDATE vitrine.platforms SET is_served = $2::boolean WHERE key = $1::text;

-- name: vocabulary.uses_of_platform
-- Returns the number of items that are made for the platform $1, the number of withdrawn ones among them, the other platforms
-- that run it, and the feeds whose live or scheduled revisions name it.
SELECT
    (SELECT count(*) FROM vitrine.item_platforms WHERE platform = $1::text) AS items,
    (
        SELECT count(*) FROM vitrine.item_platforms JOIN vitrine.items ON items.id = item_id
        WHERE platform = $1::text AND deleted_at IS NOT NULL
    ) AS withdrawn,
    ARRAY(SELECT key FROM vitrine.platforms WHERE $1::text = ANY (runs) AND key <> $1::text ORDER BY key COLLATE "C") AS platforms,
    ARRAY(SELECT feed FROM vitrine.feeds_with_platform($1::text) AS feed) AS feeds;

-- name: vocabulary.rating_schemes
-- Returns all rating schemes, or only the scheme $1, each with its labels and their ages by age.
SELECT
    key,
    ARRAY(SELECT label FROM vitrine.rating_labels WHERE scheme = key ORDER BY minimum_age) AS labels,
    ARRAY(SELECT minimum_age::integer FROM vitrine.rating_labels WHERE scheme = key ORDER BY minimum_age) AS ages
FROM vitrine.rating_schemes
WHERE $1::text IS NULL OR key = $1
ORDER BY key COLLATE "C";

-- name: vocabulary.hold_rating_labels
-- Waits for transactions that give one of the labels to an item, and makes later ones wait.
SELECT FROM vitrine.rating_labels WHERE scheme = $1::text FOR UPDATE;

-- name: vocabulary.add_rating_scheme
INSERT INTO vitrine.rating_schemes (key) VALUES ($1::text);

-- name: vocabulary.remove_rating_labels
-- The facts of all items are computed again, also by the next two statements.
DELETE FROM vitrine.rating_labels WHERE scheme = $1::text AND label = ANY ($2::text[]);

-- name: vocabulary.change_rating_labels
UPDATE vitrine.rating_labels SET minimum_age = given.age
FROM unnest($2::text[], $3::integer[]) AS given (label, age)
WHERE scheme = $1::text AND rating_labels.label = given.label;

-- name: vocabulary.add_rating_labels
INSERT INTO vitrine.rating_labels (scheme, label, minimum_age)
SELECT $1::text, label, age FROM unnest($2::text[], $3::integer[]) AS given (label, age);

-- name: vocabulary.uses_of_rating_scheme
-- Returns the number of items that have a label of the scheme $1, the number of withdrawn ones among them, and the storefronts
-- that show its labels, open or closed.
SELECT
    (SELECT count(*) FROM vitrine.item_age_ratings WHERE scheme = $1::text) AS items,
    (
        SELECT count(*) FROM vitrine.item_age_ratings JOIN vitrine.items ON items.id = item_id
        WHERE scheme = $1::text AND deleted_at IS NOT NULL
    ) AS withdrawn,
    ARRAY(SELECT key FROM vitrine.storefronts WHERE rating_scheme = $1::text ORDER BY key COLLATE "C") AS storefronts;

-- name: vocabulary.uses_of_rating_labels
-- Returns the labels $2 of the scheme $1 that items have, each with the number of items and of withdrawn ones among them.
SELECT label, count(*) AS items, count(*) FILTER (WHERE deleted_at IS NOT NULL) AS withdrawn
FROM vitrine.item_age_ratings JOIN vitrine.items ON items.id = item_id
WHERE scheme = $1::text AND label = ANY ($2::text[])
GROUP BY label;
