-- The queries of the catalog API. A page is first found as IDs by an index scan, and its items are read in the next
-- round trip. The LIMIT 101 is the largest page plus one.

-- name: catalog.cursor_key
SELECT cursor_key FROM vitrine.secrets;

-- name: catalog.storefronts
-- Returns the open storefronts in the order of their keys, or only the storefront $1.
SELECT
    key, currency, time_zone, default_locale,
    ARRAY(SELECT locale FROM vitrine.storefront_locales WHERE storefront = key ORDER BY rank) AS locales,
    rating_scheme, (SELECT vitrine.rating_scheme_documents()) AS rating_schemes
FROM vitrine.storefronts
WHERE closed_at IS NULL AND ($1::text IS NULL OR key = $1)
ORDER BY key COLLATE "C";

-- name: catalog.platforms
-- Returns the platforms of clients in the order of their keys, each with whether it is served.
SELECT key, is_served FROM vitrine.platforms ORDER BY key COLLATE "C";

-- name: catalog.items
-- Returns the published items of $1, in the order of $1. Changes that are not yet published are not visible.
SELECT version, document
FROM unnest($1::uuid[]) WITH ORDINALITY AS asked (item_id, place)
JOIN vitrine.published ON kind = 'item' AND published.id = asked.item_id::text AND storefront = '*'
WHERE document IS NOT NULL
ORDER BY place;

-- name: catalog.item_named
-- Returns the item with the id $1, or else the item of the kind $2 that has the slug $3, or else the one that had it
-- last.
SELECT id, kind::text AS kind, slug, deleted_at IS NOT NULL AS is_withdrawn
FROM vitrine.items
WHERE id = coalesce(
    $1::uuid,
    (SELECT id FROM vitrine.items WHERE kind = $2::vitrine.item_kind AND slug = $3::text),
    (SELECT item_id FROM vitrine.item_slugs WHERE kind = $2::vitrine.item_kind AND slug = $3::text));

-- name: catalog.categories
-- Returns all categories with their titles, or only those of the kind $3. Counts their items in the scopes $1 at the
-- time $2, and returns the next time at which a count changes.
WITH counts AS (
    SELECT facet, sum(items) AS items, min(change) AS next_change
    FROM (
        SELECT facet, items, NULL::timestamptz AS change
        FROM vitrine.listing_counts
        WHERE scope = ANY ($1::text[]) AND facet LIKE 'category:%' AND ($3::text IS NULL OR kind = $3::vitrine.item_kind)
        UNION ALL
        SELECT
            category, CASE WHEN moment <= $2::timestamptz THEN step ELSE 0 END,
            CASE WHEN moment > $2::timestamptz AND isfinite(moment) THEN moment END
        FROM vitrine.listing_moments
        WHERE scope = ANY ($1) AND step <> 0 AND ($3 IS NULL OR kind = $3::vitrine.item_kind)
    ) AS counted
    GROUP BY facet
)
SELECT
    key, item_kind::text,
    coalesce((SELECT json_object_agg(locale, title) FROM vitrine.category_texts WHERE category = key), '{}') AS titles,
    coalesce(counts.items, 0)::bigint AS items,
    counts.next_change
FROM vitrine.categories LEFT JOIN counts ON counts.facet = 'category:' || key
WHERE $3 IS NULL OR coalesce(item_kind, $3::vitrine.item_kind) = $3::vitrine.item_kind
ORDER BY key COLLATE "C";

-- name: catalog.facet_counts
-- Returns for each of the scopes $1 and kinds $2 the number of listings with each of the facets $3, including those not
-- available now.
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
-- Returns the entries of the chart $2 in the storefront $1 after rank $3. They are available at the time $4, have the
-- facets $5 but none of $6, are rated at least $7 and have one of the kinds $8.
SELECT rank, item_id
FROM vitrine.chart_entries
WHERE storefront = $1::text AND chart = $2::text AND rank > $3::integer AND (
    SELECT true FROM vitrine.listings
    WHERE listings.item_id = chart_entries.item_id AND scope IN ('*', $1) AND (during IS NULL OR during @> $4::timestamptz)
        AND vitrine.facets_at(facets, listings.item_id, $1, $4) @> $5::text[]
        AND NOT vitrine.facets_at(facets, listings.item_id, $1, $4) && $6::text[] AND rating_average >= $7::numeric
        AND kind = ANY ($8::text[]::vitrine.item_kind[])
    LIMIT 1)
ORDER BY rank
LIMIT $9::bigint;

-- name: catalog.title_locales
-- Returns the number of listings with each of the facets $3 in the scopes $1 and of the kinds $2, and the number in all
-- scopes. The facets are `all` and such as `title:en`. Includes the first eight other title locales in byte order.
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
-- Returns the items in the scopes $1, each with the kind at the same position of $2, that are available at the time $4.
-- They have the facets $5 but none of $6 in the storefront $13, are rated at least $7 and come after ($10, $11, $12).
--
-- An index scan reads at most 5,000 listings. If its page is not full by then, a row without an ID has the sort values
-- of the last one. The results of the search $9 in the scopes $3 are sorted. That is for rare facets, for which an
-- index scan would read more rows than it finds.
--
-- The planner assumes that a CASE is true for nearly all rows, and therefore chooses the index scan. It cannot estimate
-- a search query that comes from a row, so it neither expects many results nor reads all listings for them. Without
-- these two forms it would expect no matches, and treat the search as independent of the scope.
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
                WHEN (during IS NULL OR during @> $4::timestamptz)
                    AND vitrine.facets_at(facets, item_id, $13::text, $4) @> $5::text[] AND NOT vitrine.facets_at(facets, item_id, $13, $4) && $6::text[]
                THEN true
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
    WHERE scope = ANY ($3::text[]) AND (during IS NULL OR during @> $4)
        AND vitrine.facets_at(facets, listings.item_id, $13, $4) @> $5 AND NOT vitrine.facets_at(facets, listings.item_id, $13, $4) && $6
        AND rating_average >= $7 AND (rating_average, rating_count, serial_number) < ($10, $11, $12)
) AS page
ORDER BY page.rating_average DESC, page.rating_count DESC, page.serial_number DESC, page.item_id IS NULL
LIMIT $8::bigint;

-- name: catalog.browse_by_release
-- Like catalog.browse_by_rating, after ($10, $11) in the storefront $12.
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
                WHEN (during IS NULL OR during @> $4::timestamptz)
                    AND vitrine.facets_at(facets, item_id, $12::text, $4) @> $5::text[] AND NOT vitrine.facets_at(facets, item_id, $12, $4) && $6::text[]
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
    WHERE scope = ANY ($3::text[]) AND (during IS NULL OR during @> $4)
        AND vitrine.facets_at(facets, listings.item_id, $12, $4) @> $5 AND NOT vitrine.facets_at(facets, listings.item_id, $12, $4) && $6
        AND rating_average >= $7 AND (released_on, serial_number) < ($10, $11)
) AS page
ORDER BY page.released_on DESC, page.serial_number DESC, page.item_id IS NULL
LIMIT $8::bigint;

-- name: catalog.browse_by_title_$alphabet in und, ar, es, ja
-- Like catalog.browse_by_rating, but in any of the scopes $1 and of any of the kinds $2, after ($10, $11) in the
-- storefront $14. The order is alphabetical by the titles in the locales $12, in order of preference. Each alphabet has
-- an index.
--
-- An index scan reads the titles of each of the locales $13, in which most titles are shown. Items shown in these are
-- excluded from the sorted search results. A scan reads at most 50,000 index entries, which it filters by their marks,
-- and the listings of 5,000.
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
                        AND (during IS NULL OR during @> $4::timestamptz)
                        AND vitrine.facets_at(facets, listings.item_id, $14::text, $4) @> $5
                        AND NOT vitrine.facets_at(facets, listings.item_id, $14, $4) && $6::text[]
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
    WHERE scope = ANY ($3::text[]) AND (during IS NULL OR during @> $4)
        AND vitrine.facets_at(facets, listings.item_id, $14, $4) @> $5 AND NOT vitrine.facets_at(facets, listings.item_id, $14, $4) && $6
        AND shown.locale <> ALL ($13)
        AND rating_average >= $7 AND (shown.title COLLATE "$alphabet-x-icu", listings.item_id) > ($10 COLLATE "$alphabet-x-icu", $11)
) AS page
ORDER BY page.item_id IS NOT NULL, page.title COLLATE "$alphabet-x-icu", page.item_id
LIMIT $8::bigint;

-- name: catalog.read_search
-- Returns the parts of the search text $1 to compare: the whole text, the words of the index, those of its words that are one
-- letter of a script without spaces, and the parts between spaces. Parts of such a script are separate: in it, a text written
-- twice is more than one word. Also returns whether at least half of all items are in the scopes $2, by the statistics.
SELECT
    typed.text, words,
    ARRAY(
        SELECT word FROM unnest(words) AS word WHERE char_length(word) = 1 AND cardinality(vitrine.folded_words(word || word)) > 1
    ) AS letters,
    parts.spaced, parts.unspaced,
    coalesce((SELECT reltuples FROM pg_class WHERE oid = 'vitrine.search_documents'::regclass) BETWEEN 1 AND 2 * (
        SELECT sum(items + timed) FROM vitrine.listing_counts
        WHERE scope = ANY ($2::text[]) AND kind = ANY (enum_range(NULL::vitrine.item_kind)) AND facet = 'all'
    ), false) AS is_wide
FROM (SELECT vitrine.fold($1::text) AS text) AS typed
CROSS JOIN LATERAL vitrine.folded_words(typed.text) AS words
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
-- Returns the best search results. Candidates come from the queries $1, one after another. Each reads at most as many as the
-- number at the same position of $2, in the order of their bands, and in any order within the last band. The first query
-- finds titles that begin with the text, and the second one titles that equal it. The second one runs only if the first one
-- reaches its limit of 60. Another one runs only if none between the second one and it has found as many as the number at its
-- position of $13.
--
-- The candidates are in a scope of $3 at the time $4 and rated at least $5. An item in the scope * always is. Their class
-- depends on the text $6, its words $7 and its parts without spaces $8. From best to worst, a title equals the text, begins
-- with it, contains it, has its words, contains it up to a part of a word, or has words that begin with its words. Other
-- results come last. Within a class, items with more ratings come first.
--
-- If $14, most items are in the scopes, and a query reads at most its first 999 matches in any scope. If it has more and has not
-- reached its limit, it runs again within the query $15 for the scopes, and so do all after it: most of its matches can be in
-- other storefronts. $15 has the longest lists of the index, so checking the items of a few other scopes costs less.
--
-- The recursion has one plan for all queries, with a scan for every band.
WITH RECURSIVE found AS (
    SELECT
        0 AS step, 0 AS most, NOT $14::boolean AS is_scoped, false AS is_cut,
        NULL::uuid[] AS ids, NULL::bigint[] AS counts, NULL::text[] AS titles
    UNION ALL
    SELECT
        CASE WHEN page.is_cut THEN step ELSE step + 1 END,
        CASE WHEN step < 2 THEN 0 ELSE greatest(most, cardinality(page.ids)) END,
        is_scoped OR page.is_cut, page.is_cut, page.ids, page.counts, page.titles
    FROM found
    CROSS JOIN LATERAL (
        SELECT
            coalesce(bool_or(is_end), false) AS is_cut, array_agg(item_id) FILTER (WHERE NOT is_end) AS ids,
            array_agg(rating_count) FILTER (WHERE NOT is_end) AS counts,
            array_agg(candidates.titles) FILTER (WHERE NOT is_end) AS titles
        FROM (
            SELECT item_id, rating_count, read.titles, is_end
            FROM (
                SELECT
                    item_id, rating_count, matching_documents.titles, document,
                    NOT found.is_scoped AND row_number() OVER () = 1000 AS is_end
                FROM unnest(ARRAY[
                    CASE
                        WHEN found.is_scoped THEN (($1::text[])[step + 1])::tsquery && $15::tsquery
                        ELSE (($1::text[])[step + 1])::tsquery
                    END]) AS asked (wanted)
                CROSS JOIN LATERAL vitrine.matching_documents(asked.wanted)
                LIMIT CASE WHEN NOT found.is_scoped THEN 1000 END
            ) AS read
            WHERE is_end OR $5::numeric = 0 AND document @@ '''@*'''::tsquery OR (
                SELECT true FROM vitrine.listings
                WHERE listings.item_id = read.item_id AND scope = ANY ($3::text[])
                    AND (during IS NULL OR during @> $4::timestamptz) AND rating_average >= $5
                LIMIT 1)
            LIMIT CASE
                -- The results before a cut do not make the second run unnecessary.
                WHEN NOT found.is_cut AND (most >= ($13::bigint[])[step + 1] OR step = 1 AND found.ids[60] IS NULL) THEN 0
                ELSE ($2::bigint[])[step + 1]
            END
        ) AS candidates
    ) AS page
    WHERE step < cardinality($1)
), candidates AS (
    SELECT DISTINCT ON (item_id) item_id, rating_count, listed.titles
    FROM found CROSS JOIN unnest(ids, counts, found.titles) AS listed (item_id, rating_count, titles)
), scored AS MATERIALIZED (
    SELECT
        item_id, rating_count,
        CASE
            WHEN titles LIKE '%| ' || $6::text || ' |%' THEN 6
            WHEN titles LIKE '%| ' || $6 || '%' THEN 5
            WHEN titles LIKE '% ' || $6 || ' %' THEN 4
            WHEN EXISTS (SELECT FROM unnest($8::text[]) AS part WHERE strpos(titles, part) = 0) THEN 0
            WHEN NOT EXISTS (SELECT FROM unnest($7::text[]) AS word WHERE titles NOT LIKE '% ' || word || ' %') THEN 3
            WHEN titles LIKE '% ' || $6 || '%' THEN 2
            WHEN NOT EXISTS (SELECT FROM unnest($7) AS word WHERE titles NOT LIKE '% ' || word || '%') THEN 1
            ELSE 0
        END AS class
    FROM candidates
)
SELECT item_id, class, rating_count
FROM scored
WHERE (class, rating_count, item_id) < ($9::integer, $10::bigint, $11::uuid)
ORDER BY class DESC, rating_count DESC, item_id DESC
LIMIT $12::bigint;

-- name: catalog.similar_words
-- Returns up to twenty similar words for each word of $1 whose prefix query of $2 finds nothing. The similar words
-- share the most trigrams with it and are found within the query $3. Words are never removed from search_words, so both
-- conditions are checked against the documents. A folded word contains no quotes.
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
-- Raises the timeouts for the rest of the transaction. 500 items of maximum text size take minutes, but a connection
-- that serves requests has a limit of seconds.
SELECT set_config('statement_timeout', '600s', true), set_config('lock_timeout', '600s', true);

-- name: catalog.derive
-- Indexes up to 500 waiting items, edits first. Returns 0 if none waits, and NULL if another session is indexing or importing. The
-- second lock is free soon, because only edits and indexing hold it.
SELECT
    CASE
        WHEN pg_try_advisory_xact_lock(7234017283807667301) THEN (
            SELECT vitrine.derive_items(500) FROM (SELECT pg_advisory_xact_lock(7234017283807667304)) AS turn)
    END AS items;
