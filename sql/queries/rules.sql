-- The candidates of section rules from the catalog.
--
-- A rule is one value: its alternatives, each a row of conditions. A listing must meet all conditions of one
-- alternative. Candidates are found like the lists of the catalog, in two ways:
-- * Index scans in the requested order read a limited number of rows. They skip rows without a facet that the rule
--   requires. If they are cut off before the page is full, the query returns a row without an ID. The first rows of a
--   scan are counted in its order, which holds because PostgreSQL neither flattens nor parallelizes these subqueries.
-- * The results of the search index, the given items, and the items released in a range of days are all sorted.
--
-- The planner assumes that a CASE is true for nearly all rows, and therefore chooses the index scan.
--
-- Each query repeats the conditions. PostgreSQL does not inline a function that has a subquery, such as that of the price: 8,700
-- listings would take 0.25 s instead of 0.09 s, and without a condition on prices 0.18 s instead of 0.003 s.

-- name: rules.savepoint
SAVEPOINT rules;

-- name: rules.release
RELEASE SAVEPOINT rules;

-- name: rules.roll_back
-- Rolls back only the rule that took too long.
ROLLBACK TO SAVEPOINT rules;

-- name: rules.begin
-- Each following statement of the round trip may take $1 milliseconds.
SELECT
    set_config('vitrine.statement_timeout', current_setting('statement_timeout'), true) AS before,
    set_config('statement_timeout', $1::text, true) AS during;

-- name: rules.end
-- Restores the timeout, because the transaction may continue.
SELECT set_config('statement_timeout', current_setting('vitrine.statement_timeout'), true) AS after;

-- name: rules.facts
-- Returns the data that rules use of the items $1 in the storefront $4. The items are in the scopes $2 and available at
-- the time $3.
SELECT
    item_id, kind::text AS kind, vitrine.facets_of_price(facets, $4::text, prices.amount_minor, prices.discount) AS facets,
    (100 * rating_average)::bigint AS rating, rating_count, released_on, serial_number, prices.price, measures
FROM vitrine.listings CROSS JOIN LATERAL vitrine.price_at(item_id, $4, $3::timestamptz) AS prices
WHERE item_id = ANY ($1::uuid[]) AND scope = ANY ($2::text[]) AND (during IS NULL OR during @> $3)
ORDER BY item_id;

-- name: rules.facts_at
-- Like rules.facts, at the times at the same positions of $3, whether or not the items are then available. place is the
-- position.
SELECT
    item_id, kind::text AS kind, vitrine.facets_of_price(facets, $4::text, prices.amount_minor, prices.discount) AS facets,
    (100 * rating_average)::bigint AS rating, rating_count, released_on, serial_number, prices.price, measures, asked.place::integer AS place
FROM unnest($1::uuid[], $3::timestamptz[]) WITH ORDINALITY AS asked (id, moment, place)
JOIN vitrine.listings ON listings.item_id = asked.id AND scope = ANY ($2::text[])
CROSS JOIN LATERAL vitrine.price_at(item_id, $4, asked.moment) AS prices
ORDER BY asked.place;

-- name: rules.folded_names
-- Returns the form in which the index has each of the names $1.
SELECT name, vitrine.folded_name(name) AS folded FROM unnest($1::text[]) AS names (name);

-- name: rules.by_rating_within_$walk in 10000, 40000
-- Returns the available items in the storefront $3 at the time $4 that meet the conditions $5 and are not in $6.
--
-- The index scans read the scopes $1, each with the kind at the same position of $2, and are merged. There are at most
-- four. All conditions require a rating from $8 hundredths and below $9, and one of the facets $10 unless it is NULL. With
-- a limit in each scan, the planner expects to read only the first rows of each. Otherwise, it would sort all of them.
--
-- The scans together end after $walk rows, and so does a single one. The caller expects at most half as many.
WITH conditions AS MATERIALIZED (
    SELECT kinds, facets, other_facets, rating, rating_count, release_day, price, discount, measures, items, other_items
    FROM jsonb_to_recordset($5::jsonb) AS conditions (
        kinds vitrine.item_kind[], facets text[], other_facets text[], rating int8range, rating_count int8range, release_day int4range,
        price int8range, discount int4range, measures jsonpath, items uuid[], other_items uuid[])
)
SELECT
    item_id, kind::text AS kind, vitrine.facets_at(facets, item_id, $3::text, $4::timestamptz) AS facets,
    (100 * rating_average)::bigint AS rating, rating_count, released_on, serial_number,
    (SELECT price FROM vitrine.price_at(item_id, $3, $4)) AS price, measures
FROM (
    (
        SELECT item_id, kind, facets, rating_average, rating_count, released_on, serial_number, measures
        FROM (
            SELECT item_id, kind, facets, rating_average, rating_count, released_on, serial_number, measures, during
            FROM (
                (SELECT item_id, kind, facets, rating_average, rating_count, released_on, serial_number, measures, during FROM vitrine.listings
                WHERE scope = ($1::text[])[1] AND kind = ($2::text[]::vitrine.item_kind[])[1]
                    AND rating_average >= $8::bigint / 100.0 AND rating_average < $9::bigint / 100.0
                ORDER BY rating_average DESC, rating_count DESC, serial_number DESC LIMIT $walk)
                UNION ALL
                (SELECT item_id, kind, facets, rating_average, rating_count, released_on, serial_number, measures, during FROM vitrine.listings
                WHERE scope = ($1::text[])[2] AND kind = ($2::text[]::vitrine.item_kind[])[2]
                    AND rating_average >= $8 / 100.0 AND rating_average < $9 / 100.0
                ORDER BY rating_average DESC, rating_count DESC, serial_number DESC LIMIT $walk)
                UNION ALL
                (SELECT item_id, kind, facets, rating_average, rating_count, released_on, serial_number, measures, during FROM vitrine.listings
                WHERE scope = ($1::text[])[3] AND kind = ($2::text[]::vitrine.item_kind[])[3]
                    AND rating_average >= $8 / 100.0 AND rating_average < $9 / 100.0
                ORDER BY rating_average DESC, rating_count DESC, serial_number DESC LIMIT $walk)
                UNION ALL
                (SELECT item_id, kind, facets, rating_average, rating_count, released_on, serial_number, measures, during FROM vitrine.listings
                WHERE scope = ($1::text[])[4] AND kind = ($2::text[]::vitrine.item_kind[])[4]
                    AND rating_average >= $8 / 100.0 AND rating_average < $9 / 100.0
                ORDER BY rating_average DESC, rating_count DESC, serial_number DESC LIMIT $walk)
            ) AS parts
            ORDER BY rating_average DESC, rating_count DESC, serial_number DESC
            LIMIT $walk
        ) AS listing
        WHERE CASE
            WHEN ($10::text[] IS NULL OR listing.facets && $10) AND (listing.during IS NULL OR listing.during @> $4::timestamptz)
                AND listing.item_id <> ALL ($6::uuid[]) AND EXISTS (
                    SELECT FROM conditions
                    WHERE listing.kind = ANY (conditions.kinds)
                        AND vitrine.facets_at(listing.facets, listing.item_id, $3, $4) @> conditions.facets
                        AND NOT vitrine.facets_at(listing.facets, listing.item_id, $3, $4) && other_facets
                        AND (100 * listing.rating_average)::bigint <@ conditions.rating AND listing.rating_count <@ conditions.rating_count
                        AND listing.released_on - '1970-01-01'::date <@ conditions.release_day
                        AND (items IS NULL OR listing.item_id = ANY (items)) AND listing.item_id <> ALL (other_items)
                        AND (conditions.measures IS NULL OR listing.measures @@ conditions.measures)
                        AND (num_nonnulls(conditions.price, discount) = 0 OR (
                            SELECT (conditions.price IS NULL OR coalesce(amount_minor, 0) <@ conditions.price)
                                AND (conditions.discount IS NULL OR price_at.discount <@ conditions.discount)
                            FROM vitrine.price_at(listing.item_id, $3, $4)))
                )
            THEN true
        END IS NOT NULL
        LIMIT $7::bigint
    )
    UNION ALL
    (
        SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        WHERE $walk < (
            SELECT count(*)
            FROM (
                SELECT
                FROM unnest($1, $2::vitrine.item_kind[]) AS parts (scope, kind)
                CROSS JOIN LATERAL (
                    SELECT FROM vitrine.listings
                    WHERE listings.scope = parts.scope AND listings.kind = parts.kind
                        AND rating_average >= $8 / 100.0 AND rating_average < $9 / 100.0
                    LIMIT $walk + 1
                ) AS looked_at
                LIMIT $walk + 1
            ) AS rest)
    )
    LIMIT $7
) AS page
ORDER BY item_id IS NOT NULL, rating_average DESC, rating_count DESC, serial_number DESC;

-- name: rules.by_release
-- Like rules.by_rating_within_$walk. All conditions require a release day from $8 and before $9.
WITH conditions AS MATERIALIZED (
    SELECT kinds, facets, other_facets, rating, rating_count, release_day, price, discount, measures, items, other_items
    FROM jsonb_to_recordset($5::jsonb) AS conditions (
        kinds vitrine.item_kind[], facets text[], other_facets text[], rating int8range, rating_count int8range, release_day int4range,
        price int8range, discount int4range, measures jsonpath, items uuid[], other_items uuid[])
)
SELECT
    item_id, kind::text AS kind, vitrine.facets_at(facets, item_id, $3::text, $4::timestamptz) AS facets,
    (100 * rating_average)::bigint AS rating, rating_count, released_on, serial_number,
    (SELECT price FROM vitrine.price_at(item_id, $3, $4)) AS price, measures
FROM (
    (
        SELECT item_id, kind, facets, rating_average, rating_count, released_on, serial_number, measures
        FROM (
            SELECT item_id, kind, facets, rating_average, rating_count, released_on, serial_number, measures, during
            FROM (
                (SELECT item_id, kind, facets, rating_average, rating_count, released_on, serial_number, measures, during FROM vitrine.listings
                WHERE scope = ($1::text[])[1] AND kind = ($2::text[]::vitrine.item_kind[])[1]
                    AND released_on >= '1970-01-01'::date + $8::integer AND released_on < '1970-01-01'::date + $9::integer
                ORDER BY released_on DESC, serial_number DESC LIMIT 10000)
                UNION ALL
                (SELECT item_id, kind, facets, rating_average, rating_count, released_on, serial_number, measures, during FROM vitrine.listings
                WHERE scope = ($1::text[])[2] AND kind = ($2::text[]::vitrine.item_kind[])[2]
                    AND released_on >= '1970-01-01'::date + $8 AND released_on < '1970-01-01'::date + $9
                ORDER BY released_on DESC, serial_number DESC LIMIT 10000)
                UNION ALL
                (SELECT item_id, kind, facets, rating_average, rating_count, released_on, serial_number, measures, during FROM vitrine.listings
                WHERE scope = ($1::text[])[3] AND kind = ($2::text[]::vitrine.item_kind[])[3]
                    AND released_on >= '1970-01-01'::date + $8 AND released_on < '1970-01-01'::date + $9
                ORDER BY released_on DESC, serial_number DESC LIMIT 10000)
                UNION ALL
                (SELECT item_id, kind, facets, rating_average, rating_count, released_on, serial_number, measures, during FROM vitrine.listings
                WHERE scope = ($1::text[])[4] AND kind = ($2::text[]::vitrine.item_kind[])[4]
                    AND released_on >= '1970-01-01'::date + $8 AND released_on < '1970-01-01'::date + $9
                ORDER BY released_on DESC, serial_number DESC LIMIT 10000)
            ) AS parts
            ORDER BY released_on DESC, serial_number DESC
            LIMIT 10000
        ) AS listing
        WHERE CASE
            WHEN ($10::text[] IS NULL OR listing.facets && $10) AND (listing.during IS NULL OR listing.during @> $4::timestamptz)
                AND listing.item_id <> ALL ($6::uuid[]) AND EXISTS (
                    SELECT FROM conditions
                    WHERE listing.kind = ANY (conditions.kinds)
                        AND vitrine.facets_at(listing.facets, listing.item_id, $3, $4) @> conditions.facets
                        AND NOT vitrine.facets_at(listing.facets, listing.item_id, $3, $4) && other_facets
                        AND (100 * listing.rating_average)::bigint <@ conditions.rating AND listing.rating_count <@ conditions.rating_count
                        AND listing.released_on - '1970-01-01'::date <@ conditions.release_day
                        AND (items IS NULL OR listing.item_id = ANY (items)) AND listing.item_id <> ALL (other_items)
                        AND (conditions.measures IS NULL OR listing.measures @@ conditions.measures)
                        AND (num_nonnulls(conditions.price, discount) = 0 OR (
                            SELECT (conditions.price IS NULL OR coalesce(amount_minor, 0) <@ conditions.price)
                                AND (conditions.discount IS NULL OR price_at.discount <@ conditions.discount)
                            FROM vitrine.price_at(listing.item_id, $3, $4)))
                )
            THEN true
        END IS NOT NULL
        LIMIT $7::bigint
    )
    UNION ALL
    (
        SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
        WHERE 10000 < (
            SELECT count(*)
            FROM (
                SELECT
                FROM unnest($1, $2::vitrine.item_kind[]) AS parts (scope, kind)
                CROSS JOIN LATERAL (
                    SELECT FROM vitrine.listings
                    WHERE listings.scope = parts.scope AND listings.kind = parts.kind
                        AND released_on >= '1970-01-01'::date + $8 AND released_on < '1970-01-01'::date + $9
                    LIMIT 10000 + 1
                ) AS looked_at
                LIMIT 10000 + 1
            ) AS rest)
    )
    LIMIT $7
) AS page
ORDER BY item_id IS NOT NULL, released_on DESC, serial_number DESC;

-- name: rules.found
-- Returns the available items in the storefront $3 at the time $4 that meet the conditions $5 and are not in $6, the best
-- rated first, or the newest first unless $8. The candidates are in the scopes $1: the results of the search $2, the items
-- $9, and the items released from day $10 and before $11, counted since 1970.
WITH conditions AS MATERIALIZED (
    SELECT kinds, facets, other_facets, rating, rating_count, release_day, price, discount, measures, items, other_items
    FROM jsonb_to_recordset($5::jsonb) AS conditions (
        kinds vitrine.item_kind[], facets text[], other_facets text[], rating int8range, rating_count int8range, release_day int4range,
        price int8range, discount int4range, measures jsonpath, items uuid[], other_items uuid[])
)
SELECT
    item_id, kind::text AS kind, vitrine.facets_at(facets, item_id, $3::text, $4::timestamptz) AS facets,
    (100 * rating_average)::bigint AS rating, rating_count, released_on, serial_number,
    (SELECT price FROM vitrine.price_at(item_id, $3, $4)) AS price, measures
FROM (
    SELECT item_id, kind, facets, rating_average, rating_count, released_on, serial_number, measures
    FROM (
        SELECT item_id, kind, facets, rating_average, rating_count, released_on, serial_number, measures, during
        FROM (
            SELECT matching_items.item_id AS id
            FROM unnest(ARRAY[$2::tsquery]) AS asked (wanted) CROSS JOIN LATERAL vitrine.matching_items(asked.wanted, NULL)
            UNION ALL
            SELECT given.id FROM unnest($9::uuid[]) AS given (id)
        ) AS matching
        CROSS JOIN LATERAL (
            -- At most one row exists. The limit keeps the planner from reading all listings for a few items.
            SELECT item_id, kind, facets, rating_average, rating_count, released_on, serial_number, measures, during FROM vitrine.listings
            WHERE item_id = matching.id AND scope = ANY ($1::text[]) LIMIT 1
        ) AS one
        UNION ALL
        SELECT item_id, kind, facets, rating_average, rating_count, released_on, serial_number, measures, during
        FROM vitrine.listings
        WHERE scope = ANY ($1) AND kind = ANY (enum_range(NULL::vitrine.item_kind))
            AND released_on >= '1970-01-01'::date + $10::integer AND released_on < '1970-01-01'::date + $11::integer
    ) AS listing
    WHERE CASE
        WHEN (listing.during IS NULL OR listing.during @> $4::timestamptz) AND listing.item_id <> ALL ($6::uuid[]) AND EXISTS (
            SELECT FROM conditions
            WHERE listing.kind = ANY (conditions.kinds)
                AND vitrine.facets_at(listing.facets, listing.item_id, $3, $4) @> conditions.facets
                AND NOT vitrine.facets_at(listing.facets, listing.item_id, $3, $4) && other_facets
                AND (100 * listing.rating_average)::bigint <@ conditions.rating AND listing.rating_count <@ conditions.rating_count
                AND listing.released_on - '1970-01-01'::date <@ conditions.release_day
                AND (items IS NULL OR listing.item_id = ANY (items)) AND listing.item_id <> ALL (other_items)
                AND (conditions.measures IS NULL OR listing.measures @@ conditions.measures)
                AND (num_nonnulls(conditions.price, discount) = 0 OR (
                    SELECT (conditions.price IS NULL OR coalesce(amount_minor, 0) <@ conditions.price)
                        AND (conditions.discount IS NULL OR price_at.discount <@ conditions.discount)
                    FROM vitrine.price_at(listing.item_id, $3, $4)))
        )
        THEN true
    END IS NOT NULL
) AS page
ORDER BY
    CASE WHEN $8 THEN rating_average END DESC, CASE WHEN $8 THEN rating_count ELSE released_on - '1970-01-01'::date END DESC, serial_number DESC
LIMIT $7::bigint;

-- name: rules.by_title_$alphabet in und, ar, es, ja
-- Returns the available items in the storefront $10 at the time $4 that meet the conditions $5 and are not in $6, by the
-- titles in the locales $2, in order of preference. All items are in the scopes $1.
--
-- The index scans read the titles in the locales $3, and skip rows without one of the facets $14 unless it is NULL. The
-- other candidates are the results of the search $8, the items $9, and the items released from day $12 and before $13,
-- counted since 1970. letter is the number of the letters $11, which are in alphabetical order, that do not sort after the
-- title. The limit of 4000 is the largest possible one, and shows the planner that no scan is long.
WITH conditions AS MATERIALIZED (
    SELECT kinds, facets, other_facets, rating, rating_count, release_day, price, discount, measures, items, other_items
    FROM jsonb_to_recordset($5::jsonb) AS conditions (
        kinds vitrine.item_kind[], facets text[], other_facets text[], rating int8range, rating_count int8range, release_day int4range,
        price int8range, discount int4range, measures jsonpath, items uuid[], other_items uuid[])
)
SELECT
    (page.listing).item_id, (page.listing).kind::text AS kind,
    vitrine.facets_at((page.listing).facets, (page.listing).item_id, $10::text, $4::timestamptz) AS facets,
    (100 * (page.listing).rating_average)::bigint AS rating, (page.listing).rating_count, (page.listing).released_on,
    (page.listing).serial_number,
    (SELECT price FROM vitrine.price_at((page.listing).item_id, $10::text, $4::timestamptz)) AS price, (page.listing).measures, page.title,
    (
        SELECT count(*) FROM unnest($11::text[]) AS letters (letter)
        WHERE letter COLLATE "$alphabet-x-icu" <= page.title COLLATE "$alphabet-x-icu"
    ) AS letter
FROM (
    SELECT walked.listing, walked.title
    FROM unnest($3::text[]) AS walks (locale)
    CROSS JOIN LATERAL (
        (
            SELECT few.listing, few.title
            FROM (
                SELECT looked_at.listing, looked_at.title
                FROM (
                    SELECT
                        (
                            SELECT listings FROM vitrine.listings
                            WHERE listings.item_id = listed_titles.item_id AND listings.scope = ANY ($1::text[]) LIMIT 1
                        ) AS listing,
                        title
                    FROM vitrine.listed_titles
                    WHERE listed_titles.locale = walks.locale
                    ORDER BY title COLLATE "$alphabet-x-icu", item_id
                    LIMIT 5000
                ) AS looked_at
                WHERE CASE
                    WHEN ($14::text[] IS NULL OR (listing).facets && $14) AND ((listing).during IS NULL OR (listing).during @> $4::timestamptz)
                        AND (listing).item_id <> ALL ($6::uuid[]) AND EXISTS (
                            SELECT FROM conditions
                            WHERE (listing).kind = ANY (conditions.kinds)
                                AND vitrine.facets_at((listing).facets, (listing).item_id, $10, $4) @> conditions.facets
                                AND NOT vitrine.facets_at((listing).facets, (listing).item_id, $10, $4) && other_facets
                                AND (100 * (listing).rating_average)::bigint <@ conditions.rating AND (listing).rating_count <@ conditions.rating_count
                                AND (listing).released_on - '1970-01-01'::date <@ conditions.release_day
                                AND (items IS NULL OR (listing).item_id = ANY (items)) AND (listing).item_id <> ALL (other_items)
                                AND (conditions.measures IS NULL OR (listing).measures @@ conditions.measures)
                                AND (num_nonnulls(conditions.price, discount) = 0 OR (
                                    SELECT (conditions.price IS NULL OR coalesce(amount_minor, 0) <@ conditions.price)
                                        AND (conditions.discount IS NULL OR price_at.discount <@ conditions.discount)
                                    FROM vitrine.price_at((listing).item_id, $10, $4)))
                        ) AND walks.locale = (
                            SELECT shown.locale FROM vitrine.listed_titles AS shown
                            WHERE shown.item_id = (listing).item_id ORDER BY array_position($2::text[], shown.locale), shown.locale COLLATE "C" LIMIT 1)
                    THEN true
                END IS NOT NULL
                LIMIT 4000
            ) AS few
            LIMIT $7::bigint
        )
        UNION ALL
        (
            SELECT NULL, walks.locale
            WHERE 5000 < (SELECT count(*) FROM (SELECT FROM vitrine.listed_titles WHERE listed_titles.locale = walks.locale LIMIT 5001) AS rest)
        )
        LIMIT $7
    ) AS walked
    UNION ALL
    SELECT found.listing, shown.title
    FROM (
        SELECT one.listing, matching.item_id
        FROM (
            SELECT matching_items.item_id
            FROM unnest(ARRAY[$8::tsquery]) AS asked (wanted) CROSS JOIN LATERAL vitrine.matching_items(asked.wanted, NULL)
            UNION ALL
            SELECT given.item_id FROM unnest($9::uuid[]) AS given (item_id)
        ) AS matching
        CROSS JOIN LATERAL (
            -- At most one row exists. The limit keeps the planner from reading all listings for a few items.
            SELECT listings AS listing FROM vitrine.listings
            WHERE listings.item_id = matching.item_id AND listings.scope = ANY ($1) LIMIT 1
        ) AS one
        UNION ALL
        SELECT listings, listings.item_id
        FROM vitrine.listings
        WHERE listings.scope = ANY ($1) AND listings.kind = ANY (enum_range(NULL::vitrine.item_kind))
            AND released_on >= '1970-01-01'::date + $12::integer AND released_on < '1970-01-01'::date + $13::integer
    ) AS found
    CROSS JOIN LATERAL (
        SELECT title FROM vitrine.listed_titles
        WHERE listed_titles.item_id = found.item_id ORDER BY array_position($2, locale), locale COLLATE "C" LIMIT 1
    ) AS shown
    WHERE CASE
        WHEN ((listing).during IS NULL OR (listing).during @> $4) AND (listing).item_id <> ALL ($6) AND EXISTS (
            SELECT FROM conditions
            WHERE (listing).kind = ANY (conditions.kinds)
                AND vitrine.facets_at((listing).facets, (listing).item_id, $10, $4) @> conditions.facets
                AND NOT vitrine.facets_at((listing).facets, (listing).item_id, $10, $4) && other_facets
                AND (100 * (listing).rating_average)::bigint <@ conditions.rating AND (listing).rating_count <@ conditions.rating_count
                AND (listing).released_on - '1970-01-01'::date <@ conditions.release_day
                AND (items IS NULL OR (listing).item_id = ANY (items)) AND (listing).item_id <> ALL (other_items)
                AND (conditions.measures IS NULL OR (listing).measures @@ conditions.measures)
                AND (num_nonnulls(conditions.price, discount) = 0 OR (
                    SELECT (conditions.price IS NULL OR coalesce(amount_minor, 0) <@ conditions.price)
                        AND (conditions.discount IS NULL OR price_at.discount <@ conditions.discount)
                    FROM vitrine.price_at((listing).item_id, $10, $4)))
        )
        THEN true
    END IS NOT NULL
) AS page
ORDER BY (page.listing).item_id IS NOT NULL, page.title COLLATE "$alphabet-x-icu", (page.listing).item_id
LIMIT $7;

-- name: rules.by_chart
-- Like rules.by_rating_within_$walk, for the chart $2 in the storefront $1 with the scopes $3 and the facets $8. The whole
-- chart is read, in its order.
WITH conditions AS MATERIALIZED (
    SELECT kinds, facets, other_facets, rating, rating_count, release_day, price, discount, measures, items, other_items
    FROM jsonb_to_recordset($5::jsonb) AS conditions (
        kinds vitrine.item_kind[], facets text[], other_facets text[], rating int8range, rating_count int8range, release_day int4range,
        price int8range, discount int4range, measures jsonpath, items uuid[], other_items uuid[])
)
SELECT
    item_id, kind::text AS kind, vitrine.facets_at(facets, item_id, $1::text, $4::timestamptz) AS facets,
    (100 * rating_average)::bigint AS rating, rating_count, released_on, serial_number,
    (SELECT price FROM vitrine.price_at(item_id, $1, $4)) AS price, measures, rank
FROM (
    SELECT item_id, kind, facets, rating_average, rating_count, released_on, serial_number, measures, rank
    FROM (
        SELECT item_id, kind, facets, rating_average, rating_count, released_on, serial_number, measures, during, rank
        FROM (
            SELECT item_id AS id, rank FROM vitrine.chart_entries WHERE storefront = $1 AND chart = $2::text ORDER BY rank
        ) AS ranked
        CROSS JOIN LATERAL (
            SELECT item_id, kind, facets, rating_average, rating_count, released_on, serial_number, measures, during FROM vitrine.listings
            WHERE item_id = ranked.id AND scope = ANY ($3::text[]) LIMIT 1
        ) AS one
    ) AS listing
    WHERE CASE
        WHEN ($8::text[] IS NULL OR listing.facets && $8) AND (listing.during IS NULL OR listing.during @> $4::timestamptz)
            AND listing.item_id <> ALL ($6::uuid[]) AND EXISTS (
                SELECT FROM conditions
                WHERE listing.kind = ANY (conditions.kinds)
                    AND vitrine.facets_at(listing.facets, listing.item_id, $1, $4) @> conditions.facets
                    AND NOT vitrine.facets_at(listing.facets, listing.item_id, $1, $4) && other_facets
                    AND (100 * listing.rating_average)::bigint <@ conditions.rating AND listing.rating_count <@ conditions.rating_count
                    AND listing.released_on - '1970-01-01'::date <@ conditions.release_day
                    AND (items IS NULL OR listing.item_id = ANY (items)) AND listing.item_id <> ALL (other_items)
                    AND (conditions.measures IS NULL OR listing.measures @@ conditions.measures)
                    AND (num_nonnulls(conditions.price, discount) = 0 OR (
                        SELECT (conditions.price IS NULL OR coalesce(amount_minor, 0) <@ conditions.price)
                            AND (conditions.discount IS NULL OR price_at.discount <@ conditions.discount)
                        FROM vitrine.price_at(listing.item_id, $1, $4)))
            )
        THEN true
    END IS NOT NULL
    LIMIT $7::bigint
) AS page
ORDER BY rank;

-- name: rules.absent
-- Returns items that a rule would find if they were available in the storefront $1. They are in none of the scopes $2
-- at the time $3, meet the conditions $4 and are not in $5. The search is limited to the chart $6 or, if it is NULL, to
-- the best-rated items of each storefront.
WITH conditions AS MATERIALIZED (
    SELECT kinds, facets, other_facets, rating, rating_count, release_day, price, discount, measures, items, other_items
    FROM jsonb_to_recordset($4::jsonb) AS conditions (
        kinds vitrine.item_kind[], facets text[], other_facets text[], rating int8range, rating_count int8range, release_day int4range,
        price int8range, discount int4range, measures jsonpath, items uuid[], other_items uuid[])
)
SELECT
    page.item_id, page.kind::text AS kind, page.facets, (100 * page.rating_average)::bigint AS rating, page.rating_count, page.released_on,
    page.serial_number, page.price, page.measures, page.rank
FROM (
    SELECT DISTINCT ON (looked_at.rank, listings.rating_average, listings.rating_count, listings.serial_number)
        listings.item_id, listings.kind, vitrine.facets_at(listings.facets, listings.item_id, $1::text, $3::timestamptz) AS facets,
        listings.rating_average, listings.rating_count, listings.released_on,
        listings.serial_number, listings.measures, looked_at.rank,
        (SELECT price FROM vitrine.price_at(listings.item_id, $1::text, $3::timestamptz)) AS price
    FROM (
        SELECT walked.item_id, walked.scope, NULL::integer AS rank
        FROM vitrine.storefronts
        CROSS JOIN unnest(enum_range(NULL::vitrine.item_kind)) AS kinds (kind)
        CROSS JOIN LATERAL (
            SELECT item_id, scope
            FROM vitrine.listings
            WHERE $6::text IS NULL AND listings.scope = storefronts.key AND listings.kind = kinds.kind
            ORDER BY rating_average DESC, rating_count DESC, serial_number DESC
            LIMIT 1000
        ) AS walked
        UNION ALL
        SELECT listings.item_id, scope, ranked.rank
        FROM (
            SELECT item_id, rank FROM vitrine.chart_entries WHERE storefront = $1 AND chart = $6 ORDER BY rank LIMIT 5000
        ) AS ranked
        JOIN vitrine.listings ON listings.item_id = ranked.item_id
        LIMIT 20000
    ) AS looked_at
    JOIN vitrine.listings ON (listings.item_id, listings.scope) = (looked_at.item_id, looked_at.scope)
    WHERE listings.item_id <> ALL ($5::uuid[]) AND NOT EXISTS (
        SELECT FROM vitrine.listings AS present
        WHERE present.item_id = listings.item_id AND present.scope = ANY ($2::text[])
            AND (present.during IS NULL OR present.during @> $3::timestamptz)
    ) AND EXISTS (
        SELECT FROM conditions
        WHERE listings.kind = ANY (conditions.kinds) AND vitrine.facets_at(listings.facets, listings.item_id, $1, $3) @> conditions.facets
            AND NOT vitrine.facets_at(listings.facets, listings.item_id, $1, $3) && other_facets
            AND (100 * listings.rating_average)::bigint <@ conditions.rating AND listings.rating_count <@ conditions.rating_count
            AND listings.released_on - '1970-01-01'::date <@ conditions.release_day
            AND (items IS NULL OR listings.item_id = ANY (items)) AND listings.item_id <> ALL (other_items)
            AND (conditions.measures IS NULL OR listings.measures @@ conditions.measures)
            AND (num_nonnulls(conditions.price, discount) = 0 OR (
                SELECT (conditions.price IS NULL OR coalesce(amount_minor, 0) <@ conditions.price)
                    AND (conditions.discount IS NULL OR price_at.discount <@ conditions.discount)
                FROM vitrine.price_at(listings.item_id, $1, $3)))
    )
) AS page
ORDER BY page.rank, page.rating_average DESC, page.rating_count DESC, page.serial_number DESC
LIMIT $7::bigint;
