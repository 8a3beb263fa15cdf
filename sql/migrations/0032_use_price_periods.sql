-- Applies price periods to documents and listings. Each large function is changed in one part, so that the rest is as
-- migrations before this one left it.

CREATE FUNCTION amend(changed regprocedure, before text, after text) RETURNS void LANGUAGE plpgsql
AS $$
DECLARE
    definition text := pg_get_functiondef(changed);
BEGIN
    IF cardinality(string_to_array(definition, before)) <> 2 THEN
        RAISE EXCEPTION 'the function % does not contain this part exactly once: %', changed, before;
    END IF;
    EXECUTE replace(definition, before, after);
END
$$;

-- Returns the price of a TopApp in a storefront at a time, in one row. It is NULL if the item has no price and is therefore
-- free. discount is the reduction in whole percent, rounded down, or -1 without a sale. price has the amount, in a period
-- also its end in microseconds since 1970, and in a sale also the former amount. The function is one statement, so that the
-- planner inlines it. No index has the condition IS TRUE, so that the planner searches for the item and not for the time, at
-- which many items can have periods.
CREATE FUNCTION price_at(item uuid, storefront text, moment timestamptz)
RETURNS TABLE (amount_minor bigint, discount integer, price bigint[]) LANGUAGE sql STABLE ROWS 1
AS $$
    SELECT
        coalesce(period.amount_minor, regular.amount_minor),
        coalesce((100 * (period.former_minor - period.amount_minor) / period.former_minor)::integer, -1),
        nullif(
            array_remove(
                ARRAY[
                    coalesce(period.amount_minor, regular.amount_minor), (extract(epoch FROM upper(period.during)) * 1000000)::bigint,
                    period.former_minor
                ],
                NULL),
            '{}')
    FROM (SELECT) AS one
    LEFT JOIN vitrine.item_prices AS regular
        ON regular.item_id = $1 AND regular.storefront = $2 AND regular.role = 'price'
    LEFT JOIN vitrine.item_price_periods AS period
        ON period.item_id = $1 AND period.storefront = $2 AND period.role = 'price' AND (period.during @> $3) IS TRUE
$$;

-- Returns the facets of a listing in a storefront that hold for an amount and a discount of price_at. The planner inlines
-- this function.
CREATE FUNCTION facets_of_price(facets text[], storefront text, amount bigint, discount integer) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT CASE
        WHEN $1 && ARRAY['priceChanges:' || $2] THEN array_remove(
            array_remove($1, CASE WHEN coalesce($3, 0) = 0 THEN 'paid:' || $2 END), CASE WHEN $4 < 0 THEN 'discounted:' || $2 END)
        ELSE $1
    END
$$;

CREATE FUNCTION searched_facets_at(facets text[], item uuid, storefront text, moment timestamptz) RETURNS text[] LANGUAGE sql STABLE
AS $$ SELECT vitrine.facets_of_price($1, $3, price.amount_minor, price.discount) FROM vitrine.price_at($2, $3, $4) AS price $$;

-- Returns the facets of a listing in a storefront at a time. Few items have other prices at other times. The planner
-- inlines this function, so that only they cost a search.
CREATE FUNCTION facets_at(facets text[], item uuid, storefront text, moment timestamptz) RETURNS text[] LANGUAGE sql STABLE
AS $$ SELECT CASE WHEN $1 && ARRAY['priceChanges:' || $3] THEN vitrine.searched_facets_at($1, $2, $3, $4) ELSE $1 END $$;

-- A listing has the facet paid:STOREFRONT if the item has a price above 0 there at any time, discounted:STOREFRONT if
-- there is a sale at any time, and priceChanges:STOREFRONT if it has price periods. Which of the first two hold at a time
-- is decided by facets_at.
SELECT amend(
    'vitrine.derive(uuid[])',
    $before$
            SELECT item_id, 'facet', 'paid:' || storefront, NULL, NULL, 32767, storefront
            FROM ids JOIN vitrine.item_prices USING (item_id) WHERE role = 'price' AND amount_minor > 0
$before$,
    $after$
            SELECT item_id, 'facet', facet, NULL, NULL, 32767, facet
            FROM (
                SELECT item_id, 'paid:' || storefront AS facet
                FROM ids JOIN vitrine.item_prices USING (item_id) WHERE role = 'price' AND amount_minor > 0
                UNION
                SELECT item_id, facet
                FROM ids
                JOIN vitrine.item_price_periods USING (item_id)
                CROSS JOIN LATERAL (
                    VALUES
                        ('priceChanges:' || storefront), (CASE WHEN amount_minor > 0 THEN 'paid:' || storefront END),
                        (CASE WHEN former_minor IS NOT NULL THEN 'discounted:' || storefront END)
                ) AS facets (facet)
                WHERE role = 'price' AND facet IS NOT NULL
            ) AS price_facets
$after$);

-- Returns records as item_records(uuid[]) does or, with a time, the form that is published at that time: without periods
-- that have ended, and without the start of a period that has started. The document of an item therefore changes at each
-- bound, and states its price without a clock.
SELECT amend('vitrine.item_records(uuid[])', '(asked uuid[])', $after$(asked uuid[], moment timestamp with time zone)$after$);
SELECT amend(
    'vitrine.item_records(uuid[], timestamptz)',
    $before$
    ) AS costs
$before$,
    $after$
    ) AS costs
    CROSS JOIN LATERAL (
        SELECT
            json_object_agg(storefront, spans ORDER BY storefront) FILTER (WHERE role = 'price') AS prices,
            json_object_agg(storefront, spans ORDER BY storefront) FILTER (WHERE role = 'minimumOrder') AS minimum_orders,
            json_object_agg(storefront, spans ORDER BY storefront) FILTER (WHERE role = 'deliveryFee') AS delivery_fees
        FROM (
            SELECT storefront, role, json_agg(json_build_object(
                'from', CASE WHEN moment IS NULL OR lower(during) > moment THEN
                    to_char(lower(during) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') END,
                'until', to_char(upper(during) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                'amountMinor', amount_minor, 'currency', currency, 'former', former_minor) ORDER BY during) AS spans
            FROM vitrine.item_price_periods
            WHERE item_price_periods.item_id = items.id AND (moment IS NULL OR upper(during) > moment)
            GROUP BY storefront, role
        ) AS by_storefront
    ) AS periods
$after$);
SELECT amend(
    'vitrine.item_records(uuid[], timestamptz)',
    $before$
        'prices', costs.prices, 'minimumOrder', costs.minimum_orders, 'deliveryFee', costs.delivery_fees,
$before$,
    $after$
        'prices', costs.prices, 'minimumOrder', costs.minimum_orders, 'deliveryFee', costs.delivery_fees,
        'pricePeriods', periods.prices, 'minimumOrderPeriods', periods.minimum_orders, 'deliveryFeePeriods', periods.delivery_fees,
$after$);

-- Like the previous function. In addition, with the price periods.
CREATE OR REPLACE FUNCTION item_records(asked uuid[]) RETURNS TABLE (item_id uuid, is_withdrawn boolean, is_everywhere boolean, document json) LANGUAGE sql STABLE
AS $$ SELECT item_id, is_withdrawn, is_everywhere, document FROM vitrine.item_records(asked, NULL) $$;

-- Returns the documents of these items as they are published at this time, without withdrawn items.
CREATE FUNCTION item_documents(asked uuid[], moment timestamptz) RETURNS TABLE (item_id uuid, is_everywhere boolean, document json) LANGUAGE sql STABLE
AS $$
    SELECT item_id, is_everywhere, document FROM vitrine.item_records(asked, moment) WHERE NOT is_withdrawn
$$;

-- Like the previous function. In addition, with the price periods at the time of the head.
CREATE OR REPLACE FUNCTION item_documents(asked uuid[]) RETURNS TABLE (item_id uuid, is_everywhere boolean, document json) LANGUAGE sql STABLE
AS $$
    SELECT item_id, is_everywhere, document FROM vitrine.item_documents(asked, (SELECT moment FROM vitrine.sync_head))
$$;

SELECT amend(
    'vitrine.publish_items(uuid[], bigint, timestamptz, uuid[])', 'FROM vitrine.item_documents(touched)',
    $after$FROM vitrine.item_documents(touched, moment)$after$);

SELECT amend(
    'vitrine.broken_item_rule(uuid[])',
    $before$
    LIMIT 1
$before$,
    $after$
    UNION ALL
    SELECT id, 'item_price_periods_role_check'
    FROM living JOIN vitrine.item_price_periods AS period ON period.item_id = id AND (role = 'price') <> (kind = 'topApp')
    UNION ALL
    SELECT id, 'item_price_periods_number_check'
    FROM living JOIN vitrine.item_price_periods AS period ON period.item_id = id
    GROUP BY id, storefront, role
    HAVING count(*) > 1000
    LIMIT 1
$after$);

DROP FUNCTION amend(regprocedure, text, text);
