-- What is read of the catalog. Pages are found first, as ids, each by walking an index; their items are read in the next round trip. A LIMIT of
-- 101 is the largest page and one more.

-- name: catalog.cursor_key
SELECT cursor_key FROM vitrine.secrets;

-- name: catalog.storefronts
-- In the order of their keys; with $1, one of them.
SELECT
    key, currency, time_zone, default_locale,
    ARRAY(SELECT locale FROM vitrine.storefront_locales WHERE storefront = key ORDER BY rank) AS locales
FROM vitrine.storefronts
WHERE $1::text IS NULL OR key = $1
ORDER BY key COLLATE "C";

-- name: catalog.items
-- What is published of those of $1 that are, in the order of $1. An item that was written a moment ago is not there yet, and one that was
-- withdrawn a moment ago still is, as a whole.
SELECT version, document
FROM unnest($1::uuid[]) WITH ORDINALITY AS asked (item_id, place)
JOIN vitrine.published ON kind = 'item' AND published.id = asked.item_id::text AND storefront = '*'
WHERE document IS NOT NULL
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
        SELECT category, step
        FROM vitrine.listing_moments
        WHERE scope = ANY ($1) AND moment <= $2::timestamptz AND ($3 IS NULL OR kind = $3::vitrine.item_kind)
    ) AS counted
    GROUP BY facet
)
SELECT
    key, item_kind::text,
    coalesce((SELECT json_object_agg(locale, title) FROM vitrine.category_texts WHERE category = key), '{}') AS titles,
    coalesce(counts.items, 0)::bigint AS items
FROM vitrine.categories LEFT JOIN counts ON counts.facet = 'category:' || key
WHERE $3 IS NULL OR coalesce(item_kind, $3::vitrine.item_kind) = $3::vitrine.item_kind
ORDER BY key COLLATE "C";

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

-- name: catalog.title_locales
-- Of the facets $3, which are `all` and such as `title:en`, and of the first eight other locales by their bytes: how many listings have each in the
-- scopes $1 and of the kinds $2, and how many in all.
SELECT facet, found, passed
FROM (
    SELECT
        facet,
        coalesce(sum(items + timed) FILTER (WHERE scope = ANY ($1::text[]) AND kind = ANY ($2::text[]::vitrine.item_kind[])), 0)::bigint AS found,
        sum(items + timed)::bigint AS passed
    FROM vitrine.listing_counts
    WHERE facet = ANY ($3::text[]) OR facet LIKE 'title:%'
    GROUP BY facet
) AS counted
WHERE found > 0
ORDER BY facet = ANY ($3) DESC, facet COLLATE "C"
LIMIT cardinality($3) + 8;

-- name: catalog.browse_by_rating
-- In the scopes $1, each of the kind in the same place of $2, at the moment $4: with the facets $5, without those of $6, rated at least $7;
-- behind ($10, $11, $12). A walk looks at 5,000 listings at most; where its page is not full by then, a row without an id has the place of the last.
-- What $9 finds in the scopes $3 is sorted: that is for facets that so few have that a walk would pass by more than they are.
-- The planner takes a CASE for true of nearly all rows, and walks; and knows nothing of a query that it gets row by row, so it neither guesses
-- that much is found nor reads all listings for it. As they are, it would take the one for false and the other for independent of the scope.
SELECT page.item_id, page.rating_average::text AS rating_average, page.rating_count, page.serial_number
FROM (
    SELECT walked.item_id, walked.rating_average, walked.rating_count, walked.serial_number
    FROM unnest($1::text[], $2::text[]::vitrine.item_kind[]) AS parts (scope, kind)
    CROSS JOIN LATERAL (
        (
            SELECT item_id, rating_average, rating_count, serial_number
            FROM (
                SELECT item_id, rating_average, rating_count, serial_number, facets, during
                FROM vitrine.listings
                WHERE listings.scope = parts.scope AND listings.kind = parts.kind AND rating_average >= $7::numeric
                    AND (rating_average, rating_count, serial_number) < ($10::numeric, $11::bigint, $12::bigint)
                ORDER BY rating_average DESC, rating_count DESC, serial_number DESC
                LIMIT 5000
            ) AS looked_at
            WHERE CASE
                WHEN (during IS NULL OR during @> $4::timestamptz) AND facets @> $5::text[] AND NOT facets && $6::text[] THEN true
            END IS NOT NULL
            LIMIT 101
        )
        UNION ALL
        (
            SELECT NULL, rating_average, rating_count, serial_number
            FROM (
                SELECT rating_average, rating_count, serial_number, row_number() OVER () AS place
                FROM (
                    SELECT rating_average, rating_count, serial_number
                    FROM vitrine.listings
                    WHERE listings.scope = parts.scope AND listings.kind = parts.kind AND rating_average >= $7
                        AND (rating_average, rating_count, serial_number) < ($10, $11, $12)
                    ORDER BY rating_average DESC, rating_count DESC, serial_number DESC
                    LIMIT 5000
                ) AS looked_at
            ) AS numbered
            WHERE place = 5000
        )
        LIMIT 101
    ) AS walked
    UNION ALL
    SELECT listings.item_id, rating_average, rating_count, serial_number
    FROM unnest(ARRAY[$9::tsquery]) AS asked (wanted)
    CROSS JOIN LATERAL vitrine.matching_items(asked.wanted, NULL) AS matching
    JOIN vitrine.listings ON listings.item_id = matching.item_id
    WHERE scope = ANY ($3::text[]) AND (during IS NULL OR during @> $4) AND facets @> $5 AND NOT facets && $6
        AND rating_average >= $7 AND (rating_average, rating_count, serial_number) < ($10, $11, $12)
) AS page
ORDER BY page.rating_average DESC, page.rating_count DESC, page.serial_number DESC, page.item_id IS NULL
LIMIT $8::bigint;

-- name: catalog.browse_by_release
-- As above, behind ($10, $11).
SELECT page.item_id, page.released_on, page.serial_number
FROM (
    SELECT walked.item_id, walked.released_on, walked.serial_number
    FROM unnest($1::text[], $2::text[]::vitrine.item_kind[]) AS parts (scope, kind)
    CROSS JOIN LATERAL (
        (
            SELECT item_id, released_on, serial_number
            FROM (
                SELECT item_id, released_on, serial_number, rating_average, facets, during
                FROM vitrine.listings
                WHERE listings.scope = parts.scope AND listings.kind = parts.kind AND (released_on, serial_number) < ($10::date, $11::bigint)
                ORDER BY released_on DESC, serial_number DESC
                LIMIT 5000
            ) AS looked_at
            WHERE CASE
                WHEN (during IS NULL OR during @> $4::timestamptz) AND facets @> $5::text[] AND NOT facets && $6::text[]
                    AND rating_average >= $7::numeric
                THEN true
            END IS NOT NULL
            LIMIT 101
        )
        UNION ALL
        (
            SELECT NULL, released_on, serial_number
            FROM (
                SELECT released_on, serial_number, row_number() OVER () AS place
                FROM (
                    SELECT released_on, serial_number
                    FROM vitrine.listings
                    WHERE listings.scope = parts.scope AND listings.kind = parts.kind AND (released_on, serial_number) < ($10, $11)
                    ORDER BY released_on DESC, serial_number DESC
                    LIMIT 5000
                ) AS looked_at
            ) AS numbered
            WHERE place = 5000
        )
        LIMIT 101
    ) AS walked
    UNION ALL
    SELECT listings.item_id, released_on, serial_number
    FROM unnest(ARRAY[$9::tsquery]) AS asked (wanted)
    CROSS JOIN LATERAL vitrine.matching_items(asked.wanted, NULL) AS matching
    JOIN vitrine.listings ON listings.item_id = matching.item_id
    WHERE scope = ANY ($3::text[]) AND (during IS NULL OR during @> $4) AND facets @> $5 AND NOT facets && $6
        AND rating_average >= $7 AND (released_on, serial_number) < ($10, $11)
) AS page
ORDER BY page.released_on DESC, page.serial_number DESC, page.item_id IS NULL
LIMIT $8::bigint;

-- name: catalog.browse_by_title_$alphabet in und, ar, es, ja
-- As above, but in any of the scopes $1 and of any of the kinds $2, behind ($10, $11): in the order of an alphabet, for which there is an index,
-- by the titles that the locales of $12 show, the first before the next. A walk goes through the titles of each of the locales $13, of which
-- most are to be shown, and nothing that is shown in these is looked for. It passes by 50,000 at most in the index, by their marks, and looks at
-- the listings of 5,000.
SELECT page.item_id, page.title
FROM (
    SELECT walked.item_id, walked.title
    FROM (
        SELECT coalesce(bit_or(vitrine.mark(word)), 0) AS marks
        FROM unnest($5::text[] || CASE WHEN ($2::text[])[1] = ALL ($2) THEN ($2)[1:1] END) AS word
    ) AS wanted
    CROSS JOIN unnest($13::text[]) AS walks (locale)
    CROSS JOIN LATERAL (
        (
            SELECT looked_at.item_id, looked_at.title
            FROM (
                SELECT passed.item_id, passed.title
                FROM (
                    SELECT item_id, title, marks
                    FROM vitrine.listed_titles
                    WHERE listed_titles.locale = walks.locale
                        AND (title COLLATE "$alphabet-x-icu", item_id) > ($10::text COLLATE "$alphabet-x-icu", $11::uuid)
                    ORDER BY title COLLATE "$alphabet-x-icu", item_id
                    LIMIT 50000
                ) AS passed
                WHERE passed.marks & wanted.marks = wanted.marks
                LIMIT 5000
            ) AS looked_at
            WHERE CASE
                WHEN (
                    SELECT true FROM vitrine.listings
                    WHERE listings.item_id = looked_at.item_id AND scope = ANY ($1::text[]) AND kind = ANY ($2::text[]::vitrine.item_kind[])
                        AND (during IS NULL OR during @> $4::timestamptz) AND facets @> $5 AND NOT facets && $6::text[]
                        AND rating_average >= $7::numeric
                    LIMIT 1
                ) THEN walks.locale = (
                    SELECT shown.locale FROM vitrine.listed_titles AS shown
                    WHERE shown.item_id = looked_at.item_id
                    ORDER BY array_position($12::text[], shown.locale), shown.locale COLLATE "C" LIMIT 1)
            END IS TRUE
            LIMIT 101
        )
        UNION ALL
        (
            SELECT NULL, walks.locale
            WHERE 50000 < (
                SELECT count(*)
                FROM (
                    SELECT FROM vitrine.listed_titles
                    WHERE listed_titles.locale = walks.locale
                        AND (title COLLATE "$alphabet-x-icu", item_id) > ($10 COLLATE "$alphabet-x-icu", $11)
                    LIMIT 50001
                ) AS rest
            ) OR 5000 < (
                SELECT count(*)
                FROM (
                    SELECT FROM vitrine.listed_titles
                    WHERE listed_titles.locale = walks.locale AND listed_titles.marks & wanted.marks = wanted.marks
                        AND (title COLLATE "$alphabet-x-icu", item_id) > ($10 COLLATE "$alphabet-x-icu", $11)
                    LIMIT 5001
                ) AS rest)
        )
        LIMIT 101
    ) AS walked
    UNION ALL
    SELECT listings.item_id, shown.title
    FROM unnest(ARRAY[$9::tsquery]) AS asked (wanted)
    CROSS JOIN LATERAL vitrine.matching_items(asked.wanted, NULL) AS matching
    JOIN vitrine.listings ON listings.item_id = matching.item_id
    CROSS JOIN LATERAL (
        SELECT locale, title FROM vitrine.listed_titles
        WHERE listed_titles.item_id = listings.item_id ORDER BY array_position($12, locale), locale COLLATE "C" LIMIT 1
    ) AS shown
    WHERE scope = ANY ($3::text[]) AND (during IS NULL OR during @> $4) AND facets @> $5 AND NOT facets && $6 AND shown.locale <> ALL ($13)
        AND rating_average >= $7 AND (shown.title COLLATE "$alphabet-x-icu", listings.item_id) > ($10 COLLATE "$alphabet-x-icu", $11)
) AS page
ORDER BY page.item_id IS NOT NULL, page.title COLLATE "$alphabet-x-icu", page.item_id
LIMIT $8::bigint;

-- name: catalog.read_search
-- What is compared of what was typed: as a whole, as the words of the index, as what stands between blanks, and the part of that which is
-- written without blanks: only there is a text that stands twice more than one word.
SELECT
    typed.text, vitrine.folded_words(typed.text) AS words, parts.spaced, parts.unspaced
FROM (SELECT vitrine.fold($1::text) AS text) AS typed
CROSS JOIN LATERAL (
    SELECT
        coalesce(array_agg(part) FILTER (WHERE NOT is_unspaced), '{}') AS spaced,
        coalesce(array_agg(part) FILTER (WHERE is_unspaced), '{}') AS unspaced
    FROM (
        SELECT part, cardinality(vitrine.folded_words(part || part)) > 1 AS is_unspaced
        FROM unnest(string_to_array(typed.text, ' ')) AS part
    ) AS told
) AS parts;

-- name: catalog.search
-- The best of what is found: by all words as they are, with $12, and by the queries of $1: by words that begin so where the first finds no page,
-- as that costs the more the larger the catalog is; titles that begin as the text does, and titles that are the text. It is in a scope of $4 at
-- the moment $5 and rated at least $6; so many of each are looked at, those with the most ratings first by their bands, and in whatever
-- order within the last band. Compared with the text $2, its words $3 and what of it is written without blanks, $7: titles that are the text,
-- begin with it, have its words, have words that begin so; then what is found by anything else. Among equals, the most rated.
WITH whole AS MATERIALIZED (
    SELECT matching_items.item_id
    FROM unnest(ARRAY[$12::tsquery]) AS asked (wanted)
    CROSS JOIN LATERAL vitrine.matching_items(asked.wanted, NULL)
    WHERE (
        SELECT true FROM vitrine.listings
        WHERE listings.item_id = matching_items.item_id AND scope = ANY ($4::text[]) AND (during IS NULL OR during @> $5::timestamptz)
            AND rating_average >= $6::numeric
        LIMIT 1)
    LIMIT 150
), matching AS MATERIALIZED (
    SELECT item_id FROM whole
    UNION
    SELECT found.item_id
    FROM unnest($1::text[]::tsquery[], ARRAY[CASE WHEN (SELECT count(*) FROM whole) < 100 THEN 500 ELSE 0 END, 60, 30]::bigint[])
        AS asked (wanted, most)
    CROSS JOIN LATERAL (
        SELECT matching_items.item_id
        FROM vitrine.matching_items(asked.wanted, NULL)
        WHERE (
            SELECT true FROM vitrine.listings
            WHERE listings.item_id = matching_items.item_id AND scope = ANY ($4::text[]) AND (during IS NULL OR during @> $5::timestamptz)
                AND rating_average >= $6::numeric
            LIMIT 1)
        LIMIT asked.most
    ) AS found
), scored AS MATERIALIZED (
    SELECT
        search_documents.item_id, rating_count,
        CASE
            WHEN titles LIKE '%| ' || $2::text || ' |%' THEN 4
            WHEN titles LIKE '%| ' || $2 || '%' THEN 3
            WHEN EXISTS (SELECT FROM unnest($7::text[]) AS part WHERE strpos(titles, part) = 0) THEN 0
            WHEN NOT EXISTS (SELECT FROM unnest($3::text[]) AS word WHERE titles NOT LIKE '% ' || word || ' %') THEN 2
            WHEN NOT EXISTS (SELECT FROM unnest($3) AS word WHERE titles NOT LIKE '% ' || word || '%') THEN 1
            ELSE 0
        END AS class
    FROM matching JOIN vitrine.search_documents ON search_documents.item_id = matching.item_id
)
SELECT item_id, class, rating_count
FROM scored
WHERE (class, rating_count, item_id) < ($9::integer, $10::bigint, $11::uuid)
ORDER BY class DESC, rating_count DESC, item_id DESC
LIMIT $8::bigint;

-- name: catalog.similar_words
-- Of each word of $1, with the query of $2 that finds what begins so, where that finds nothing: the place of the word, and the twenty words
-- that share the most trigrams with it, of those that are found within the bounds $3. Words are never taken out of search_words, so both are
-- asked of the documents. A folded word has no quotes.
SELECT asked.place::integer AS place, near.word
FROM unnest($1::text[], $2::text[]::tsquery[]) WITH ORDINALITY AS asked (word, beginning, place)
CROSS JOIN LATERAL (
    SELECT similar_words.word
    FROM (
        SELECT search_words.word
        FROM vitrine.search_words
        WHERE search_words.word % asked.word
        ORDER BY similarity(search_words.word, asked.word) DESC, search_words.word
        LIMIT 100
    ) AS similar_words
    WHERE EXISTS (SELECT FROM vitrine.matching_items(('''' || similar_words.word || '''')::tsquery && $3::tsquery, NULL))
    LIMIT 20
) AS near
WHERE NOT EXISTS (SELECT FROM vitrine.matching_items(asked.beginning, NULL))
ORDER BY place;

-- name: catalog.take_time
-- In the transaction of what follows: 500 items with as much text as they may have take minutes, and a connection that answers requests has
-- seconds.
SELECT set_config('statement_timeout', '600s', true), set_config('lock_timeout', '600s', true);

-- name: catalog.derive
-- Some of the items that wait for it: 0 if none waits, NULL if another session is at it.
SELECT CASE WHEN pg_try_advisory_xact_lock(7234017283807667301) THEN vitrine.derive_items(500) END AS items;
