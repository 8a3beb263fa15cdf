-- An item is a row of items and a row of the table of its kind. A value that most items have exactly once is a column,
-- because a row costs an import several times as much. The values of a locale, a storefront or a category are rows of
-- other tables.

CREATE SEQUENCE item_serial_numbers AS bigint MINVALUE 1;

-- Whether no element of a list is NULL or repeated.
CREATE FUNCTION is_set(list text[]) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
BEGIN
    FOR place IN 1..cardinality(list) LOOP
        IF list[place] IS NULL OR array_position(list, list[place]) < place THEN
            RETURN false;
        END IF;
    END LOOP;
    RETURN true;
END
$$;

CREATE FUNCTION is_set_of_slugs(list text[]) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
BEGIN
    FOR place IN 1..cardinality(list) LOOP
        IF char_length(list[place]) NOT BETWEEN 1 AND 80 OR list[place] ~ '[^a-z0-9-]' THEN
            RETURN false;
        END IF;
    END LOOP;
    RETURN vitrine.is_set(list);
END
$$;

-- Whether each range includes its start and excludes its end, or is unbounded.
CREATE FUNCTION are_half_open(during tstzmultirange) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
DECLARE
    part tstzrange;
BEGIN
    -- Most values have only one range.
    FOR part IN SELECT unnest(during) LOOP
        IF NOT (lower_inf(part) OR lower_inc(part)) OR upper_inc(part) THEN
            RETURN false;
        END IF;
    END LOOP;
    RETURN true;
END
$$;

-- The checks of texts test the length and the forbidden characters, which takes 1 µs per row. Counted repetitions such
-- as {1,200} would take 20 to 50 µs.
CREATE TABLE items (
    id uuid NOT NULL,
    kind item_kind NOT NULL,
    -- The external key by which an import matches the item.
    source text NOT NULL,
    serial_number bigint NOT NULL DEFAULT nextval('item_serial_numbers'),
    slug text NOT NULL,
    -- The hash of all fields of the record. An import does not write an item that has the same hash.
    content_hash bytea NOT NULL,
    -- The number of contents that the item has had. It is not the published version.
    version bigint NOT NULL DEFAULT 1,
    rating_average numeric(3, 2),
    rating_count bigint,
    -- Whether the item is in every storefront at all times. Most items are, and have no rows in item_availability.
    is_everywhere boolean NOT NULL DEFAULT true,
    -- NULL for artwork that is drawn from the id.
    image_url text,
    image_width integer,
    image_height integer,
    image_color text,
    image_blurhash text,
    created_at timestamptz NOT NULL DEFAULT transaction_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT transaction_timestamp(),
    -- The time of withdrawal. Another item never gets the id, source or serial number of a withdrawn item.
    deleted_at timestamptz,
    CONSTRAINT items_pkey PRIMARY KEY (id),
    -- The tables of the kinds refer to this key, so that an item has a row only in the table of its own kind.
    CONSTRAINT items_id_kind_key UNIQUE (id, kind),
    CONSTRAINT items_source_key UNIQUE (kind, source),
    -- Checked after each statement instead of each row, so that items can exchange their slugs.
    CONSTRAINT items_slug_key UNIQUE (kind, slug) DEFERRABLE INITIALLY IMMEDIATE,
    CONSTRAINT items_serial_number_key UNIQUE (serial_number),
    CONSTRAINT items_source_check CHECK (char_length(source) BETWEEN 1 AND 200 AND source !~ '[[:cntrl:]]'),
    CONSTRAINT items_serial_number_check CHECK (serial_number > 0),
    CONSTRAINT items_slug_check CHECK (char_length(slug) BETWEEN 1 AND 80 AND slug !~ '[^a-z0-9-]'),
    CONSTRAINT items_content_hash_check CHECK (octet_length(content_hash) = 32),
    CONSTRAINT items_version_check CHECK (version > 0),
    CONSTRAINT items_rating_average_check CHECK (rating_average BETWEEN 0 AND 5),
    CONSTRAINT items_rating_count_check CHECK (rating_count >= 0),
    CONSTRAINT items_rating_check CHECK (num_nulls(rating_average, rating_count) IN (0, 2) AND (rating_count <> 0 OR rating_average = 0)),
    CONSTRAINT items_image_url_check CHECK (char_length(image_url) <= 2048 AND image_url ~ '^(https?://|/)[^/\s]\S*$'),
    CONSTRAINT items_image_width_check CHECK (image_width BETWEEN 1 AND 16384),
    CONSTRAINT items_image_height_check CHECK (image_height BETWEEN 1 AND 16384),
    CONSTRAINT items_image_color_check CHECK (char_length(image_color) = 7 AND image_color ~ '^#[0-9A-Fa-f]+$'),
    CONSTRAINT items_image_blurhash_check CHECK (
        char_length(image_blurhash) BETWEEN 6 AND 128 AND image_blurhash !~ '[^0-9A-Za-z#$%*+,.:;=?@\[\]^_{|}~-]'),
    CONSTRAINT items_image_check CHECK (
        num_nulls(image_width, image_height, image_color, image_blurhash) IN (0, CASE WHEN image_url IS NULL THEN 4 ELSE 0 END)),
    CONSTRAINT items_updated_at_check CHECK (updated_at >= created_at),
    CONSTRAINT items_deleted_at_check CHECK (deleted_at >= created_at)
);

ALTER SEQUENCE item_serial_numbers OWNED BY items.serial_number;

CREATE TABLE top_apps (
    item_id uuid NOT NULL,
    kind item_kind NOT NULL DEFAULT 'topApp',
    bundle_id text NOT NULL,
    developer text NOT NULL,
    app_version text NOT NULL,
    size_bytes bigint NOT NULL,
    minimum_os text,
    platforms text[] NOT NULL,
    age_rating text NOT NULL,
    release_date date NOT NULL,
    homepage text,
    CONSTRAINT top_apps_pkey PRIMARY KEY (item_id),
    CONSTRAINT top_apps_item_id_fkey FOREIGN KEY (item_id, kind) REFERENCES items (id, kind) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT top_apps_kind_check CHECK (kind = 'topApp'),
    CONSTRAINT top_apps_bundle_id_check CHECK (char_length(bundle_id) BETWEEN 1 AND 200 AND bundle_id !~ '[^!-~]'),
    CONSTRAINT top_apps_developer_check CHECK (char_length(developer) BETWEEN 1 AND 200 AND btrim(developer) <> '' AND developer !~ '[[:cntrl:]]'),
    CONSTRAINT top_apps_app_version_check CHECK (char_length(app_version) BETWEEN 1 AND 100 AND app_version !~ '[[:cntrl:]]'),
    CONSTRAINT top_apps_size_bytes_check CHECK (size_bytes BETWEEN 1 AND 1125899906842624),
    CONSTRAINT top_apps_minimum_os_check CHECK (char_length(minimum_os) BETWEEN 1 AND 50 AND minimum_os !~ '[[:cntrl:]]'),
    CONSTRAINT top_apps_platforms_check CHECK (
        cardinality(platforms) > 0 AND is_set(platforms)
        AND platforms <@ '{ios,ipados,macos,watchos,tvos,visionos,android,linux}'),
    CONSTRAINT top_apps_age_rating_check CHECK (age_rating IN ('4+', '9+', '12+', '17+')),
    CONSTRAINT top_apps_release_date_check CHECK (release_date BETWEEN '1970-01-01' AND '2199-12-31'),
    CONSTRAINT top_apps_homepage_check CHECK (char_length(homepage) <= 2048 AND homepage ~ '^https?://\S+$')
);

CREATE TABLE food_apps (
    item_id uuid NOT NULL,
    kind item_kind NOT NULL DEFAULT 'foodApp',
    brand text NOT NULL,
    cuisines text[] NOT NULL,
    dietary_tags text[] NOT NULL DEFAULT '{}',
    delivery_minutes_from smallint NOT NULL,
    delivery_minutes_to smallint NOT NULL,
    price_band smallint NOT NULL,
    -- The minutes since Monday 00:00 in local time: Monday 11:00 to 23:00 is [660, 1380). The type excludes overlapping
    -- ranges. Only a Sunday night can overlap Monday, because it ends on an eighth day.
    opening_hours int4multirange NOT NULL DEFAULT '{}',
    release_date date,
    CONSTRAINT food_apps_pkey PRIMARY KEY (item_id),
    CONSTRAINT food_apps_item_id_fkey FOREIGN KEY (item_id, kind) REFERENCES items (id, kind) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT food_apps_kind_check CHECK (kind = 'foodApp'),
    CONSTRAINT food_apps_brand_check CHECK (char_length(brand) BETWEEN 1 AND 200 AND btrim(brand) <> '' AND brand !~ '[[:cntrl:]]'),
    CONSTRAINT food_apps_cuisines_check CHECK (cardinality(cuisines) > 0 AND is_set_of_slugs(cuisines)),
    CONSTRAINT food_apps_dietary_tags_check CHECK (is_set_of_slugs(dietary_tags)),
    CONSTRAINT food_apps_delivery_minutes_check CHECK (
        delivery_minutes_from >= 0 AND delivery_minutes_to >= delivery_minutes_from AND delivery_minutes_to <= 1440),
    CONSTRAINT food_apps_price_band_check CHECK (price_band BETWEEN 1 AND 4),
    CONSTRAINT food_apps_opening_hours_check CHECK (
        isempty(opening_hours) OR opening_hours <@ '[0, 11520)'::int4range AND upper(opening_hours) <= lower(opening_hours) + 10080
        AND (upper(opening_hours) <= 10080 OR opening_hours @> int4range(10079, upper(opening_hours)))),
    CONSTRAINT food_apps_release_date_check CHECK (release_date BETWEEN '1970-01-01' AND '2199-12-31')
);

CREATE TABLE item_texts (
    item_id uuid NOT NULL,
    locale text NOT NULL,
    title text NOT NULL,
    subtitle text,
    -- The description of the image for screen readers.
    image_alt text,
    CONSTRAINT item_texts_pkey PRIMARY KEY (item_id, locale),
    CONSTRAINT item_texts_item_id_fkey FOREIGN KEY (item_id) REFERENCES items (id) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT item_texts_locale_check CHECK (locale ~ '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$'),
    CONSTRAINT item_texts_title_check CHECK (char_length(title) BETWEEN 1 AND 200 AND btrim(title) <> '' AND title !~ '[[:cntrl:]]'),
    CONSTRAINT item_texts_subtitle_check CHECK (char_length(subtitle) BETWEEN 1 AND 500 AND subtitle !~ '[[:cntrl:]]'),
    CONSTRAINT item_texts_image_alt_check CHECK (char_length(image_alt) BETWEEN 1 AND 500 AND image_alt !~ '[[:cntrl:]]')
);

CREATE TABLE item_categories (
    item_id uuid NOT NULL,
    category text NOT NULL,
    -- The order of the categories, from 1 for the main category.
    rank smallint NOT NULL,
    CONSTRAINT item_categories_pkey PRIMARY KEY (item_id, category),
    CONSTRAINT item_categories_rank_key UNIQUE (item_id, rank) DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT item_categories_item_id_fkey FOREIGN KEY (item_id) REFERENCES items (id) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT item_categories_category_fkey FOREIGN KEY (category) REFERENCES categories (key) ON UPDATE CASCADE,
    CONSTRAINT item_categories_rank_check CHECK (rank >= 1)
);

-- A category can be limited to a kind only if it has no items of another kind, because such items could no longer be
-- changed. A transaction that adds an item to the category locks the key of the category. The first lock waits for that
-- transaction, and the second for one that restores an item.
CREATE FUNCTION keep_kind_of_items() RETURNS trigger LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM FROM vitrine.categories WHERE key = OLD.key FOR UPDATE;
    PERFORM FROM vitrine.items
    WHERE kind <> NEW.item_kind AND id IN (SELECT item_id FROM vitrine.item_categories WHERE category = OLD.key)
    ORDER BY id FOR SHARE;
    IF EXISTS (
        SELECT FROM vitrine.item_categories JOIN vitrine.items ON items.id = item_categories.item_id
        WHERE category = OLD.key AND kind <> NEW.item_kind AND deleted_at IS NULL
    ) THEN
        RAISE EXCEPTION 'category "%" has items of another kind', OLD.key
            USING ERRCODE = 'check_violation', SCHEMA = 'vitrine', TABLE = 'categories', CONSTRAINT = 'categories_item_kind_check';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER keep_kind_of_items BEFORE UPDATE OF item_kind ON categories
    FOR EACH ROW WHEN (NEW.item_kind IS DISTINCT FROM OLD.item_kind) EXECUTE FUNCTION keep_kind_of_items();
ALTER TABLE categories ENABLE ALWAYS TRIGGER keep_kind_of_items;

-- The periods in which items that are not everywhere are in a storefront. Without a row, such an item is not in the
-- storefront. The type excludes overlapping ranges. One row per storefront costs an import a tenth as much as rows with
-- an exclusion constraint.
CREATE TABLE item_availability (
    item_id uuid NOT NULL,
    storefront text NOT NULL,
    during tstzmultirange NOT NULL,
    CONSTRAINT item_availability_pkey PRIMARY KEY (item_id, storefront),
    CONSTRAINT item_availability_item_id_fkey FOREIGN KEY (item_id) REFERENCES items (id) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT item_availability_storefront_fkey FOREIGN KEY (storefront) REFERENCES storefronts (key) ON UPDATE CASCADE,
    CONSTRAINT item_availability_during_check CHECK (
        NOT isempty(during) AND are_half_open(during)
        AND (lower_inf(during) OR isfinite(lower(during))) AND (upper_inf(during) OR isfinite(upper(during))))
);

CREATE TYPE price_role AS ENUM ('price', 'minimumOrder', 'deliveryFee');

-- Without a row, a TopApp is free in the storefront, and the prices of a FoodApp are unknown.
CREATE TABLE item_prices (
    item_id uuid NOT NULL,
    storefront text NOT NULL,
    role price_role NOT NULL,
    amount_minor bigint NOT NULL,
    currency text NOT NULL,
    CONSTRAINT item_prices_pkey PRIMARY KEY (item_id, storefront, role),
    CONSTRAINT item_prices_item_id_fkey FOREIGN KEY (item_id) REFERENCES items (id) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT item_prices_currency_fkey FOREIGN KEY (storefront, currency) REFERENCES storefronts (key, currency),
    CONSTRAINT item_prices_amount_minor_check CHECK (amount_minor BETWEEN 0 AND 1000000000000)
);
