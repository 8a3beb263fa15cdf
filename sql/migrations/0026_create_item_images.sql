-- breaks older programs
-- The images of items, by role. The icon was a set of columns of its item, with one fixed URL.

-- A drain locks the head and then reads items. In another order, this migration and a drain would wait for each other. The
-- lock of the items also excludes a change between the copy of their images and the removal of the columns.
LOCK TABLE sync_head IN EXCLUSIVE MODE;
LOCK TABLE items IN ACCESS EXCLUSIVE MODE;

-- Whether these are up to 20 sizes of an image, each once and none larger than the largest.
CREATE FUNCTION are_image_sizes(sizes integer[], width integer, height integer) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT
AS $$
BEGIN
    IF sizes = '{}' THEN
        RETURN true;
    END IF;
    IF array_ndims(sizes) <> 2 OR array_length(sizes, 2) <> 2 OR array_length(sizes, 1) > 20
        OR array_lower(sizes, 1) <> 1 OR array_lower(sizes, 2) <> 1 THEN
        RETURN false;
    END IF;
    FOR place IN 1..array_length(sizes, 1) LOOP
        IF (sizes[place][1] BETWEEN 1 AND width AND sizes[place][2] BETWEEN 1 AND height) IS NOT TRUE THEN
            RETURN false;
        END IF;
        FOR earlier IN 1..place - 1 LOOP
            IF sizes[earlier][1] = sizes[place][1] AND sizes[earlier][2] = sizes[place][2] THEN
                RETURN false;
            END IF;
        END LOOP;
    END LOOP;
    RETURN true;
END
$$;

-- Whether this is the URL of an image, with {w} and {h} once each or without both.
CREATE FUNCTION is_image_template(template text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
BEGIN
    RETURN char_length(template) <= 2048 AND template ~ '^(https://|/)[^/]' AND template !~ '[^!-~]'
        AND (char_length(template) - char_length(replace(template, '{w}', '')), char_length(template) - char_length(replace(template, '{h}', '')))
            IN ((0, 0), (3, 3));
END
$$;

CREATE TABLE item_images (
    item_id uuid NOT NULL,
    -- A slug. The programs know icon, hero and screenshot.
    role text NOT NULL,
    -- The position of the image within its role.
    place smallint NOT NULL DEFAULT 0,
    -- The locale that has its own image or its own text, or an empty text for the standard image.
    locale text NOT NULL DEFAULT '',
    appearance text NOT NULL DEFAULT 'light',
    -- NULL if the locale has only a text.
    template text,
    -- The largest size, for all locales and appearances. Only the standard image in light appearance has it.
    width integer,
    height integer,
    -- The sizes that exist, as {{640,360},{1280,720}}. If it is empty, each size up to the largest exists.
    sizes integer[],
    color text,
    blurhash text,
    -- The description of the image in the locale, for screen readers. That of the icon is in item_texts.
    alt text,
    CONSTRAINT item_images_pkey PRIMARY KEY (item_id, role, place, locale, appearance),
    CONSTRAINT item_images_item_id_fkey FOREIGN KEY (item_id) REFERENCES items (id) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT item_images_role_check CHECK (char_length(role) BETWEEN 1 AND 80 AND role !~ '[^a-z0-9-]'),
    CONSTRAINT item_images_place_check CHECK (place BETWEEN 0 AND CASE WHEN role IN ('icon', 'hero') THEN 0 ELSE 19 END),
    CONSTRAINT item_images_locale_check CHECK (locale = '' OR locale ~ '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$'),
    CONSTRAINT item_images_appearance_check CHECK (appearance IN ('light', 'dark')),
    CONSTRAINT item_images_template_check CHECK (
        CASE WHEN template IS NULL THEN alt IS NOT NULL AND num_nonnulls(color, blurhash) = 0 ELSE is_image_template(template) END),
    CONSTRAINT item_images_size_check CHECK (
        CASE WHEN locale = '' AND appearance = 'light'
            THEN num_nulls(width, height, sizes) = 0 AND width BETWEEN 1 AND 16384 AND height BETWEEN 1 AND 16384
            ELSE num_nonnulls(width, height, sizes) = 0
        END),
    CONSTRAINT item_images_sizes_check CHECK (are_image_sizes(sizes, width, height)),
    CONSTRAINT item_images_color_check CHECK (char_length(color) = 7 AND color ~ '^#[0-9A-F]+$'),
    CONSTRAINT item_images_blurhash_check CHECK (
        char_length(blurhash) BETWEEN 6 AND 128 AND blurhash !~ '[^0-9A-Za-z#$%*+,.:;=?@\[\]^_{|}~-]'),
    CONSTRAINT item_images_alt_check CHECK (
        alt IS NULL
        OR role <> 'icon' AND locale <> '' AND appearance = 'light'
        AND char_length(alt) BETWEEN 1 AND 500 AND btrim(alt) <> '' AND alt !~ '[[:cntrl:]]')
);

-- A fixed URL is a template without placeholders, which is an image of one size. A template is never loaded without
-- encryption. The sizes and colors of drawn artwork are not kept, because the program computes them.
INSERT INTO item_images (item_id, role, template, width, height, sizes, color, blurhash)
SELECT id, 'icon', template, image_width, image_height, ARRAY[ARRAY[image_width, image_height]], upper(image_color), image_blurhash
FROM items
CROSS JOIN LATERAL (
    SELECT replace(replace(regexp_replace(image_url, '^http://', 'https://'), '{', '%7B'), '}', '%7D') AS template
) AS templates
WHERE is_image_template(template);

-- A URL from before the constraint of migration 10, or a longer one than the table permits, is not a template. An operator
-- decides about these images.
DO $$
DECLARE
    lost record;
BEGIN
    SELECT count(*) AS items, string_agg(slug, ', ' ORDER BY slug) FILTER (WHERE place <= 10) AS slugs INTO lost
    FROM (
        SELECT slug, row_number() OVER (ORDER BY slug) AS place
        FROM vitrine.items
        WHERE image_url IS NOT NULL AND NOT EXISTS (SELECT FROM vitrine.item_images WHERE item_id = id)
    ) AS places;
    IF lost.items > 0 THEN
        RAISE EXCEPTION 'the image URLs of these items are invalid (total %): %', lost.items, lost.slugs
            USING DETAIL =
                'Correct the URLs, or remove the images: UPDATE vitrine.items SET image_url = NULL, image_width = NULL, image_height = NULL, '
                'image_color = NULL, image_blurhash = NULL WHERE image_url !~ ''^(https?://|/)[^/]'' OR image_url ~ ''[^!-~]'' '
                'OR length(regexp_replace(regexp_replace(image_url, ''^http:'', ''https:''), ''[{}]'', ''%7B'', ''g'')) > 2048';
    END IF;
END
$$;

ALTER TABLE items
    DROP COLUMN image_url,
    DROP COLUMN image_width,
    DROP COLUMN image_height,
    DROP COLUMN image_color,
    DROP COLUMN image_blurhash;

SELECT tell_changes_of('item_images', 'touch_items(''item_id'')');

-- Returns the images of an item in the form of a record, each with its role and its position. The texts of the icon are
-- given. An image without its standard light row does not exist.
CREATE FUNCTION image_records(asked uuid, icon_alts json) RETURNS TABLE (role text, place smallint, document json) LANGUAGE sql STABLE
AS $$
    SELECT standard.role, standard.place, json_build_object(
        'template', standard.template, 'color', standard.color, 'blurhash', standard.blurhash, 'width', standard.width,
        'height', standard.height,
        'sizes', CASE WHEN standard.sizes <> '{}' THEN to_json(standard.sizes) END,
        'alt', CASE standard.role WHEN 'icon' THEN icon_alts ELSE others.alts END,
        'dark', (
            SELECT json_build_object('template', template, 'color', color, 'blurhash', blurhash)
            FROM vitrine.item_images AS dark
            WHERE (dark.item_id, dark.role, dark.place, dark.locale, dark.appearance) = (asked, standard.role, standard.place, '', 'dark')),
        'locales', others.images)
    FROM vitrine.item_images AS standard
    CROSS JOIN LATERAL (
        SELECT
            json_object_agg(light.locale, light.alt ORDER BY light.locale) FILTER (WHERE light.alt IS NOT NULL) AS alts,
            json_object_agg(light.locale, json_build_object(
                'template', light.template, 'color', light.color, 'blurhash', light.blurhash,
                'dark', CASE WHEN dark.template IS NOT NULL THEN
                    json_build_object('template', dark.template, 'color', dark.color, 'blurhash', dark.blurhash) END)
                ORDER BY light.locale) FILTER (WHERE light.template IS NOT NULL) AS images
        FROM vitrine.item_images AS light
        LEFT JOIN vitrine.item_images AS dark
            ON (dark.item_id, dark.role, dark.place, dark.locale, dark.appearance) = (asked, light.role, light.place, light.locale, 'dark')
        WHERE (light.item_id, light.role, light.place, light.appearance) = (asked, standard.role, standard.place, 'light') AND light.locale <> ''
    ) AS others
    WHERE standard.item_id = asked AND standard.locale = '' AND standard.appearance = 'light'
$$;

-- Like the previous function, with the images of item_images. A role other than the icon is one image if it is the hero,
-- and a list otherwise.
CREATE OR REPLACE FUNCTION item_records(asked uuid[]) RETURNS TABLE (item_id uuid, is_withdrawn boolean, is_everywhere boolean, document json) LANGUAGE sql STABLE
AS $$
    SELECT items.id, deleted_at IS NOT NULL, items.is_everywhere, json_strip_nulls(json_build_object(
        'kind', items.kind, 'id', items.id, 'serialNumber', items.serial_number, 'slug', items.slug,
        'title', texts.titles, 'subtitle', texts.subtitles,
        'image', coalesce(images.icon, CASE WHEN texts.alts IS NOT NULL THEN json_build_object('alt', texts.alts) END),
        'images', images.others,
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
            (array_agg(images) FILTER (WHERE role = 'icon'))[1] -> 0 AS icon,
            json_object_agg(role, CASE role WHEN 'hero' THEN images -> 0 ELSE images END ORDER BY role) FILTER (WHERE role <> 'icon') AS others
        FROM (
            SELECT role, json_agg(document ORDER BY place) AS images FROM vitrine.image_records(items.id, texts.alts) GROUP BY role
        ) AS roles
    ) AS images
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

-- Like the previous function. In addition, each image has a standard image in light appearance, an image in dark
-- appearance has one in light appearance, and a template without placeholders has exactly one size. The numbers of roles
-- and locales are those of a record.
CREATE OR REPLACE FUNCTION broken_item_rule(touched uuid[]) RETURNS TABLE (item_id uuid, rule text) LANGUAGE sql STABLE
AS $$
    WITH living AS MATERIALIZED (
        SELECT items.id, kind, is_everywhere
        FROM unnest(touched) AS touched_ids (id) JOIN vitrine.items ON items.id = touched_ids.id AND deleted_at IS NULL
    )
    SELECT id, 'items_kind_detail_check'
    FROM living
    WHERE NOT EXISTS (SELECT FROM vitrine.top_apps WHERE top_apps.item_id = id)
        AND NOT EXISTS (SELECT FROM vitrine.food_apps WHERE food_apps.item_id = id)
    UNION ALL
    SELECT id, 'items_title_check'
    FROM living
    WHERE NOT EXISTS (SELECT FROM vitrine.item_texts WHERE item_texts.item_id = id)
    UNION ALL
    -- A listing stores all locales of an item in one facet.
    SELECT id, 'item_texts_number_check'
    FROM living JOIN vitrine.item_texts ON item_texts.item_id = id
    GROUP BY id
    HAVING count(*) > 50
    UNION ALL
    SELECT id, 'items_categories_check'
    FROM living
    WHERE NOT EXISTS (SELECT FROM vitrine.item_categories WHERE item_categories.item_id = id)
    UNION ALL
    SELECT id, 'item_categories_kind_check'
    FROM living
    JOIN vitrine.item_categories ON item_categories.item_id = id
    JOIN vitrine.categories ON categories.key = category AND categories.item_kind <> living.kind
    UNION ALL
    SELECT id, 'item_prices_role_check'
    FROM living JOIN vitrine.item_prices ON item_prices.item_id = id AND (role = 'price') <> (kind = 'topApp')
    UNION ALL
    SELECT id, 'items_is_everywhere_check'
    FROM living JOIN vitrine.item_availability ON item_availability.item_id = id
    WHERE is_everywhere
    UNION ALL
    SELECT id, 'item_images_standard_check'
    FROM living JOIN vitrine.item_images AS image ON image.item_id = id
    WHERE NOT EXISTS (
        SELECT FROM vitrine.item_images AS base
        WHERE (base.item_id, base.role, base.place, base.appearance) = (id, image.role, image.place, 'light')
            AND base.locale = CASE image.appearance WHEN 'dark' THEN image.locale ELSE '' END
            AND base.template IS NOT NULL)
    UNION ALL
    SELECT id, 'item_images_placeholders_check'
    FROM living
    JOIN vitrine.item_images AS image ON image.item_id = id AND strpos(image.template, '{w}') = 0
    JOIN vitrine.item_images AS standard
        ON (standard.item_id, standard.role, standard.place, standard.locale, standard.appearance) = (id, image.role, image.place, '', 'light')
    -- A size has two elements.
    WHERE cardinality(standard.sizes) <> 2
    UNION ALL
    SELECT id, 'item_images_number_check'
    FROM living JOIN vitrine.item_images AS image ON image.item_id = id AND role <> 'icon'
    GROUP BY id
    HAVING count(DISTINCT role) > 10
    UNION ALL
    SELECT id, 'item_images_number_check'
    FROM living JOIN vitrine.item_images AS image ON image.item_id = id AND locale <> '' AND appearance = 'light'
    GROUP BY id, role, place
    HAVING greatest(count(template), count(alt)) > 50
    LIMIT 1
$$;
