-- What is read of the catalog. Pages are found first, as ids, each by walking one index; their items are read in the same round trip or the
-- next. The LIMIT of 101 is the largest page and one more: a number that the planner can see keeps it on the index.

-- name: catalog.storefronts
-- In the order of their keys; with $1, one of them.
SELECT
    key, currency, time_zone, default_locale,
    ARRAY(SELECT locale FROM vitrine.storefront_locales WHERE storefront = key ORDER BY rank) AS locales
FROM vitrine.storefronts
WHERE $1::text IS NULL OR key = $1
ORDER BY key;

-- name: catalog.items
-- Those of $1 that are in storefront $2 at the moment $3, in the order of $1, each as one document.
SELECT
    json_strip_nulls(json_build_object(
        'id', items.id, 'version', items.version, 'serialNumber', items.serial_number, 'slug', items.slug,
        'contentHash', encode(items.content_hash, 'hex'),
        'texts', (
            SELECT json_object_agg(locale, json_build_object('title', title, 'subtitle', subtitle, 'imageAlt', image_alt))
            FROM vitrine.item_texts WHERE item_id = items.id),
        'image', CASE WHEN image_width IS NOT NULL THEN json_build_object(
            'url', image_url, 'width', image_width, 'height', image_height, 'color', image_color, 'blurhash', image_blurhash) END,
        'categories', (SELECT json_agg(category ORDER BY rank) FROM vitrine.item_categories WHERE item_id = items.id),
        'rating', CASE WHEN rating_count IS NOT NULL THEN json_build_object('average', rating_average, 'count', rating_count) END,
        'availability', CASE WHEN NOT is_everywhere THEN (
            SELECT coalesce(json_object_agg(storefront, (
                SELECT json_agg(json_build_object(
                    'from', (extract(epoch FROM lower(span)) * 1000000)::bigint,
                    'until', (extract(epoch FROM upper(span)) * 1000000)::bigint))
                FROM unnest(during) AS span)), '{}')
            FROM vitrine.item_availability WHERE item_id = items.id) END,
        'prices', (
            SELECT json_agg(json_build_object(
                'storefront', storefront, 'role', role, 'amountMinor', amount_minor, 'currency', currency) ORDER BY storefront, role)
            FROM vitrine.item_prices WHERE item_id = items.id),
        'topApp', CASE WHEN top_apps.item_id IS NOT NULL THEN json_build_object(
            'bundleID', bundle_id, 'developer', developer, 'appVersion', app_version, 'sizeBytes', size_bytes, 'minimumOS', minimum_os,
            'platforms', platforms, 'ageRating', age_rating, 'releaseDate', top_apps.release_date, 'homepage', homepage) END,
        'foodApp', CASE WHEN food_apps.item_id IS NOT NULL THEN json_build_object(
            'brand', brand, 'cuisines', cuisines, 'dietaryTags', dietary_tags, 'deliveryMinutesFrom', delivery_minutes_from,
            'deliveryMinutesTo', delivery_minutes_to, 'priceBand', price_band, 'releaseDate', food_apps.release_date,
            'openMinutes', ARRAY(SELECT ARRAY[lower(span), upper(span)] FROM unnest(opening_hours) AS span)) END
    )) AS document
FROM unnest($1::uuid[]) WITH ORDINALITY AS asked (id, place)
JOIN vitrine.items ON items.id = asked.id
LEFT JOIN vitrine.top_apps ON top_apps.item_id = items.id
LEFT JOIN vitrine.food_apps ON food_apps.item_id = items.id
WHERE deleted_at IS NULL AND (
    is_everywhere OR (SELECT during @> $3::timestamptz FROM vitrine.item_availability WHERE item_id = items.id AND storefront = $2))
ORDER BY place;

-- name: catalog.categories
-- All categories with their titles, and how many items each has in the scopes $1 at the moment $2; with $3 those of one kind alone.
WITH counts AS (
    SELECT facet, sum(items) AS items
    FROM (
        SELECT facet, items
        FROM vitrine.listing_counts
        WHERE scope = ANY ($1::text[]) AND facet LIKE 'category:%' AND ($3::text IS NULL OR kind = $3::vitrine.item_kind)
        UNION ALL
        SELECT facet, 1
        FROM vitrine.listings CROSS JOIN unnest(facets) AS facet
        WHERE scope = ANY ($1) AND during IS NOT NULL AND during @> $2::timestamptz AND facet LIKE 'category:%'
            AND ($3 IS NULL OR kind = $3::vitrine.item_kind)
    ) AS counted
    GROUP BY facet
)
SELECT
    key, item_kind::text,
    coalesce((SELECT json_object_agg(locale, title) FROM vitrine.category_texts WHERE category = key), '{}') AS titles,
    coalesce(counts.items, 0)::bigint AS items
FROM vitrine.categories LEFT JOIN counts ON counts.facet = 'category:' || key
WHERE $3 IS NULL OR coalesce(item_kind, $3::vitrine.item_kind) = $3::vitrine.item_kind
ORDER BY key;

-- name: catalog.facet_counts
-- Of each of the scopes $1 with each of the kinds $2: how many listings have the facets $3, those that are not there now included.
SELECT
    scopes.scope, kinds.kind::text AS kind,
    ARRAY(
        SELECT coalesce((
            SELECT items + timed FROM vitrine.listing_counts
            WHERE listing_counts.scope = scopes.scope AND listing_counts.kind = kinds.kind AND listing_counts.facet = asked.facet), 0)
        FROM unnest($3::text[]) WITH ORDINALITY AS asked (facet, place) ORDER BY place
    ) AS counts
FROM unnest($1::text[]) AS scopes (scope) CROSS JOIN unnest($2::text[]::vitrine.item_kind[]) AS kinds (kind);

-- name: catalog.has_category
SELECT EXISTS (SELECT FROM vitrine.categories WHERE key = $1::text) AS has_category;

-- name: catalog.has_chart
SELECT EXISTS (SELECT FROM vitrine.charts WHERE storefront = $1::text AND name = $2::text) AS has_chart;

-- name: catalog.chart_page
-- Of chart $2 in storefront $1, behind rank $3, what is there at the moment $4 with the facets $5, without those of $6, rated at least $7
-- and of the kinds $8.
SELECT rank, item_id
FROM vitrine.chart_entries
WHERE storefront = $1::text AND chart = $2::text AND rank > $3::integer AND (
    SELECT true FROM vitrine.listings
    WHERE listings.item_id = chart_entries.item_id AND scope IN ('*', $1) AND (during IS NULL OR during @> $4::timestamptz)
        AND facets @> $5::text[] AND NOT facets && $6::text[] AND rating_average >= $7::numeric
        AND kind = ANY ($8::text[]::vitrine.item_kind[])
    LIMIT 1)
ORDER BY rank
LIMIT $9::bigint;

-- name: catalog.browse_by_rating
-- In the scopes $1, each of the kind in the same place of $2, at the moment $3: with the facets $4, without those of $5, rated at least $6; behind ($8, $9, $10).
-- In this form, the planner takes the conditions for true of nearly all rows and walks the index; as they are, it would take them for so rare
-- that it reads and sorts everything.
SELECT page.item_id, page.rating_average::text AS rating_average, page.rating_count, page.serial_number
FROM unnest($1::text[], $2::text[]::vitrine.item_kind[]) AS parts (scope, kind)
CROSS JOIN LATERAL (
    SELECT item_id, rating_average, rating_count, serial_number
    FROM vitrine.listings
    WHERE listings.scope = parts.scope AND listings.kind = parts.kind
        AND (rating_average, rating_count, serial_number) < ($8::numeric, $9::bigint, $10::bigint)
        AND rating_average >= $6::numeric
        AND CASE WHEN (during IS NULL OR during @> $3::timestamptz) AND facets @> $4::text[] AND NOT facets && $5::text[] THEN true END IS NOT NULL
    ORDER BY rating_average DESC, rating_count DESC, serial_number DESC
    LIMIT 101
) AS page
ORDER BY page.rating_average DESC, page.rating_count DESC, page.serial_number DESC
LIMIT $7::bigint;

-- name: catalog.browse_by_release
-- As above, behind ($8, $9).
SELECT page.item_id, page.released_on, page.serial_number
FROM unnest($1::text[], $2::text[]::vitrine.item_kind[]) AS parts (scope, kind)
CROSS JOIN LATERAL (
    SELECT item_id, released_on, serial_number
    FROM vitrine.listings
    WHERE listings.scope = parts.scope AND listings.kind = parts.kind
        AND (released_on, serial_number) < ($8::date, $9::bigint)
        AND CASE
            WHEN (during IS NULL OR during @> $3::timestamptz) AND facets @> $4::text[] AND NOT facets && $5::text[]
                AND rating_average >= $6::numeric
            THEN true
        END IS NOT NULL
    ORDER BY released_on DESC, serial_number DESC
    LIMIT 101
) AS page
ORDER BY page.released_on DESC, page.serial_number DESC
LIMIT $7::bigint;

-- name: catalog.browse_by_title
-- In the scopes $1 and of the kinds $2, as above, behind ($8, $9), in the order of the titles that the locales of $10 show, the first before the next.
SELECT page.item_id, page.title
FROM (
    SELECT item_id, title
    FROM vitrine.item_texts
    WHERE (title COLLATE "und-x-icu", item_id) > ($8::text COLLATE "und-x-icu", $9::uuid)
        AND locale = (
            SELECT shown.locale FROM vitrine.item_texts AS shown
            WHERE shown.item_id = item_texts.item_id ORDER BY array_position($10::text[], shown.locale), shown.locale LIMIT 1)
        AND (
            SELECT true FROM vitrine.listings
            WHERE listings.item_id = item_texts.item_id AND scope = ANY ($1::text[]) AND kind = ANY ($2::text[]::vitrine.item_kind[])
                AND (during IS NULL OR during @> $3::timestamptz)
                AND facets @> $4::text[] AND NOT facets && $5::text[] AND rating_average >= $6::numeric
            LIMIT 1)
    ORDER BY title COLLATE "und-x-icu", item_id
    LIMIT 101
) AS page
ORDER BY page.title COLLATE "und-x-icu", page.item_id
LIMIT $7::bigint;

-- name: catalog.browse_by_title_ar
-- The same in the order of another language, for which there is another index.
SELECT page.item_id, page.title
FROM (
    SELECT item_id, title
    FROM vitrine.item_texts
    WHERE (title COLLATE "ar-x-icu", item_id) > ($8::text COLLATE "ar-x-icu", $9::uuid)
        AND locale = (
            SELECT shown.locale FROM vitrine.item_texts AS shown
            WHERE shown.item_id = item_texts.item_id ORDER BY array_position($10::text[], shown.locale), shown.locale LIMIT 1)
        AND (
            SELECT true FROM vitrine.listings
            WHERE listings.item_id = item_texts.item_id AND scope = ANY ($1::text[]) AND kind = ANY ($2::text[]::vitrine.item_kind[])
                AND (during IS NULL OR during @> $3::timestamptz)
                AND facets @> $4::text[] AND NOT facets && $5::text[] AND rating_average >= $6::numeric
            LIMIT 1)
    ORDER BY title COLLATE "ar-x-icu", item_id
    LIMIT 101
) AS page
ORDER BY page.title COLLATE "ar-x-icu", page.item_id
LIMIT $7::bigint;

-- name: catalog.browse_by_title_es
-- The same in the order of another language, for which there is another index.
SELECT page.item_id, page.title
FROM (
    SELECT item_id, title
    FROM vitrine.item_texts
    WHERE (title COLLATE "es-x-icu", item_id) > ($8::text COLLATE "es-x-icu", $9::uuid)
        AND locale = (
            SELECT shown.locale FROM vitrine.item_texts AS shown
            WHERE shown.item_id = item_texts.item_id ORDER BY array_position($10::text[], shown.locale), shown.locale LIMIT 1)
        AND (
            SELECT true FROM vitrine.listings
            WHERE listings.item_id = item_texts.item_id AND scope = ANY ($1::text[]) AND kind = ANY ($2::text[]::vitrine.item_kind[])
                AND (during IS NULL OR during @> $3::timestamptz)
                AND facets @> $4::text[] AND NOT facets && $5::text[] AND rating_average >= $6::numeric
            LIMIT 1)
    ORDER BY title COLLATE "es-x-icu", item_id
    LIMIT 101
) AS page
ORDER BY page.title COLLATE "es-x-icu", page.item_id
LIMIT $7::bigint;

-- name: catalog.browse_by_title_ja
-- The same in the order of another language, for which there is another index.
SELECT page.item_id, page.title
FROM (
    SELECT item_id, title
    FROM vitrine.item_texts
    WHERE (title COLLATE "ja-x-icu", item_id) > ($8::text COLLATE "ja-x-icu", $9::uuid)
        AND locale = (
            SELECT shown.locale FROM vitrine.item_texts AS shown
            WHERE shown.item_id = item_texts.item_id ORDER BY array_position($10::text[], shown.locale), shown.locale LIMIT 1)
        AND (
            SELECT true FROM vitrine.listings
            WHERE listings.item_id = item_texts.item_id AND scope = ANY ($1::text[]) AND kind = ANY ($2::text[]::vitrine.item_kind[])
                AND (during IS NULL OR during @> $3::timestamptz)
                AND facets @> $4::text[] AND NOT facets && $5::text[] AND rating_average >= $6::numeric
            LIMIT 1)
    ORDER BY title COLLATE "ja-x-icu", item_id
    LIMIT 101
) AS page
ORDER BY page.title COLLATE "ja-x-icu", page.item_id
LIMIT $7::bigint;

-- name: catalog.browse_rare_by_rating
-- As browse_by_rating in the scopes $1 and of the kinds $2, for facets that so few have that all of them, by the index of $11, are fewer than
-- the listings that would be passed by.
SELECT listings.item_id, rating_average::text AS rating_average, rating_count, serial_number
FROM vitrine.matching_items($11::tsquery, NULL) AS matching
JOIN vitrine.listings ON listings.item_id = matching.item_id
WHERE scope = ANY ($1::text[]) AND kind = ANY ($2::text[]::vitrine.item_kind[])
    AND (rating_average, rating_count, serial_number) < ($8::numeric, $9::bigint, $10::bigint)
    AND (during IS NULL OR during @> $3::timestamptz)
    AND facets @> $4::text[] AND NOT facets && $5::text[] AND rating_average >= $6::numeric
ORDER BY listings.rating_average DESC, rating_count DESC, serial_number DESC
LIMIT $7::bigint;

-- name: catalog.browse_rare_by_release
SELECT listings.item_id, released_on, serial_number
FROM vitrine.matching_items($10::tsquery, NULL) AS matching
JOIN vitrine.listings ON listings.item_id = matching.item_id
WHERE scope = ANY ($1::text[]) AND kind = ANY ($2::text[]::vitrine.item_kind[])
    AND (released_on, serial_number) < ($8::date, $9::bigint)
    AND (during IS NULL OR during @> $3::timestamptz)
    AND facets @> $4::text[] AND NOT facets && $5::text[] AND rating_average >= $6::numeric
ORDER BY released_on DESC, serial_number DESC
LIMIT $7::bigint;

-- name: catalog.browse_rare_by_title
-- In the order of language $11; all that there are is sorted anyway.
SELECT listings.item_id, shown.title
FROM vitrine.matching_items($12::tsquery, NULL) AS matching
JOIN vitrine.listings ON listings.item_id = matching.item_id
CROSS JOIN LATERAL (
    SELECT title FROM vitrine.item_texts
    WHERE item_texts.item_id = listings.item_id ORDER BY array_position($10::text[], locale), locale LIMIT 1
) AS shown
WHERE scope = ANY ($1::text[]) AND kind = ANY ($2::text[]::vitrine.item_kind[])
    AND (during IS NULL OR during @> $3::timestamptz)
    AND facets @> $4::text[] AND NOT facets && $5::text[] AND rating_average >= $6::numeric
    AND CASE $11::text
        WHEN 'ar' THEN (title COLLATE "ar-x-icu", listings.item_id) > ($8::text COLLATE "ar-x-icu", $9::uuid)
        WHEN 'es' THEN (title COLLATE "es-x-icu", listings.item_id) > ($8::text COLLATE "es-x-icu", $9::uuid)
        WHEN 'ja' THEN (title COLLATE "ja-x-icu", listings.item_id) > ($8::text COLLATE "ja-x-icu", $9::uuid)
        ELSE (title COLLATE "und-x-icu", listings.item_id) > ($8::text COLLATE "und-x-icu", $9::uuid)
    END
ORDER BY
    CASE WHEN $11 = 'ar' THEN title END COLLATE "ar-x-icu",
    CASE WHEN $11 = 'es' THEN title END COLLATE "es-x-icu",
    CASE WHEN $11 = 'ja' THEN title END COLLATE "ja-x-icu",
    CASE WHEN $11 NOT IN ('ar', 'es', 'ja') THEN title END COLLATE "und-x-icu",
    listings.item_id
LIMIT $7::bigint;

-- name: catalog.read_search
-- What is compared of what was typed, as a whole and as words.
SELECT vitrine.fold($1::text) AS text, vitrine.folded_words(vitrine.fold($1)) AS words;

-- name: catalog.search
-- The best of what $1 finds, and of the titles that begin as $2 does, compared with the text $3 and its words $4: titles that are the text,
-- begin with it, have its words, have words that begin so; then what is found by anything else. Among equals, the most rated.
WITH matching AS MATERIALIZED (
    SELECT item_id FROM vitrine.matching_items($1::tsquery, 500)
    UNION
    SELECT item_id FROM vitrine.matching_items($2::tsquery, 100)
), scored AS MATERIALIZED (
    SELECT
        search_documents.item_id, rating_count,
        CASE
            WHEN titles LIKE '%| ' || $3::text || ' |%' THEN 4
            WHEN titles LIKE '%| ' || $3 || '%' THEN 3
            WHEN (SELECT bool_and(titles LIKE '% ' || word || ' %') FROM unnest($4::text[]) AS word) THEN 2
            WHEN (SELECT bool_and(titles LIKE '% ' || word || '%') FROM unnest($4) AS word) THEN 1
            ELSE 0
        END AS class
    FROM matching JOIN vitrine.search_documents ON search_documents.item_id = matching.item_id
    WHERE (
        SELECT true FROM vitrine.listings
        WHERE listings.item_id = matching.item_id AND scope = ANY ($5::text[]) AND (during IS NULL OR during @> $6::timestamptz)
            AND rating_average >= $7::numeric
        LIMIT 1)
)
SELECT item_id, class, rating_count
FROM scored
WHERE (class, rating_count, item_id) < ($9::integer, $10::bigint, $11::uuid)
ORDER BY class DESC, rating_count DESC, item_id DESC
LIMIT $8::bigint;

-- name: catalog.similar_words
-- Of each word of $1 that begins no word there is: the place of the word, and the twenty words that share the most trigrams with it.
SELECT asked.place::integer AS place, near.word
FROM unnest($1::text[]) WITH ORDINALITY AS asked (word, place)
CROSS JOIN LATERAL (
    SELECT search_words.word
    FROM vitrine.search_words
    WHERE search_words.word % asked.word
    ORDER BY similarity(search_words.word, asked.word) DESC, search_words.word
    LIMIT 20
) AS near
WHERE NOT EXISTS (
    SELECT FROM vitrine.search_words
    WHERE search_words.word >= asked.word COLLATE "C" AND search_words.word < (asked.word || chr(1114111)) COLLATE "C")
ORDER BY place;
