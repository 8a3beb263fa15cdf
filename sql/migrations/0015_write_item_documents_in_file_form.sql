-- breaks older programs
-- The document of an item has the fields of a catalog record, so that one form is read and written. Only opening hours
-- stay in minutes of the week, because a file divides them into days.

-- Returns the records of these items without their sources, withdrawn or not. The fields are in the order in which they
-- are read.
CREATE FUNCTION item_records(asked uuid[]) RETURNS TABLE (item_id uuid, is_withdrawn boolean, is_everywhere boolean, document json) LANGUAGE sql STABLE
AS $$
    SELECT items.id, deleted_at IS NOT NULL, items.is_everywhere, json_strip_nulls(json_build_object(
        'kind', items.kind, 'id', items.id, 'serialNumber', items.serial_number, 'slug', items.slug,
        'title', texts.titles, 'subtitle', texts.subtitles,
        'image', CASE WHEN image_width IS NOT NULL OR texts.alts IS NOT NULL THEN json_build_object(
            'url', image_url, 'width', image_width, 'height', image_height, 'color', image_color, 'blurhash', image_blurhash,
            'alt', texts.alts) END,
        'categories', (SELECT json_agg(category ORDER BY rank) FROM vitrine.item_categories WHERE item_categories.item_id = items.id),
        'rating', CASE WHEN rating_count IS NOT NULL THEN json_build_object('average', rating_average, 'count', rating_count) END,
        'availability', CASE WHEN NOT items.is_everywhere THEN (
            SELECT coalesce(json_object_agg(storefront, (
                SELECT json_agg(json_build_object(
                    'from', to_char(lower(span) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                    'until', to_char(upper(span) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) ORDER BY span)
                FROM unnest(during) AS span) ORDER BY storefront), '{}')
            FROM vitrine.item_availability WHERE item_availability.item_id = items.id) END,
        'prices', costs.prices, 'minimumOrder', costs.minimum_orders, 'deliveryFee', costs.delivery_fees,
        'bundleId', bundle_id, 'developer', developer, 'appVersion', app_version, 'sizeBytes', size_bytes, 'minimumOsVersion', minimum_os,
        'platforms', platforms, 'ageRating', age_rating,
        'brand', brand, 'cuisines', cuisines, 'dietaryTags', nullif(dietary_tags, '{}'),
        'deliveryMinutes', CASE WHEN food_apps.item_id IS NOT NULL THEN
            json_build_object('from', delivery_minutes_from, 'to', delivery_minutes_to) END,
        'priceBand', price_band,
        'openMinutes', nullif(ARRAY(SELECT ARRAY[lower(span), upper(span)] FROM unnest(opening_hours) AS span ORDER BY span), '{}'),
        'releaseDate', coalesce(top_apps.release_date, food_apps.release_date), 'homepage', homepage
    ))
    FROM unnest(asked) AS wanted (id)
    JOIN vitrine.items ON items.id = wanted.id
    LEFT JOIN vitrine.top_apps ON top_apps.item_id = items.id
    LEFT JOIN vitrine.food_apps ON food_apps.item_id = items.id
    CROSS JOIN LATERAL (
        SELECT
            json_object_agg(locale, title ORDER BY locale) AS titles,
            json_object_agg(locale, subtitle ORDER BY locale) FILTER (WHERE subtitle IS NOT NULL) AS subtitles,
            json_object_agg(locale, image_alt ORDER BY locale) FILTER (WHERE image_alt IS NOT NULL) AS alts
        FROM vitrine.item_texts WHERE item_texts.item_id = items.id
    ) AS texts
    CROSS JOIN LATERAL (
        SELECT
            json_object_agg(storefront, amount ORDER BY storefront) FILTER (WHERE role = 'price') AS prices,
            json_object_agg(storefront, amount ORDER BY storefront) FILTER (WHERE role = 'minimumOrder') AS minimum_orders,
            json_object_agg(storefront, amount ORDER BY storefront) FILTER (WHERE role = 'deliveryFee') AS delivery_fees
        FROM (
            SELECT storefront, role, json_build_object('amountMinor', amount_minor, 'currency', currency) AS amount
            FROM vitrine.item_prices WHERE item_prices.item_id = items.id
        ) AS amounts
    ) AS costs
$$;

-- Returns the documents of these items for clients, in all locales and storefronts, without withdrawn items.
CREATE OR REPLACE FUNCTION item_documents(asked uuid[]) RETURNS TABLE (item_id uuid, is_everywhere boolean, document json) LANGUAGE sql STABLE
AS $$
    SELECT item_id, is_everywhere, document FROM vitrine.item_records(asked) WHERE NOT is_withdrawn
$$;

-- Publishes each published item in the new form with a new version, because a server reads only this form. The lock of
-- the head excludes drains at the same time. The outbox is left to the next drain.
DO $$
DECLARE
    head bigint;
    moment timestamptz;
    part uuid[];
BEGIN
    LOCK TABLE vitrine.sync_head IN EXCLUSIVE MODE;
    IF NOT EXISTS (SELECT FROM vitrine.published WHERE kind = 'item' AND document IS NOT NULL) THEN
        RETURN;
    END IF;
    PERFORM vitrine.begin_epoch(false);
    SELECT sync_head.version, sync_head.moment INTO head, moment FROM vitrine.sync_head;
    FOR part IN
        SELECT array_agg(id)
        FROM (
            SELECT id::uuid AS id, (row_number() OVER (ORDER BY id) - 1) / 10000 AS place
            FROM vitrine.published
            WHERE kind = 'item' AND document IS NOT NULL
        ) AS places
        GROUP BY place
        ORDER BY place
    LOOP
        head := head + vitrine.publish_items(part, head, moment);
    END LOOP;
    UPDATE vitrine.sync_head SET version = head, is_complete = is_complete AND NOT EXISTS (SELECT FROM vitrine.sync_outbox);
    PERFORM pg_notify('vitrine_published', head::text);
END
$$;
