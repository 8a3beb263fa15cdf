-- breaks older programs
-- The facts of items that rules can use: tags, developers, delivery times, platforms with the version that they need, and
-- age ratings. The platforms, one version for all of them and one age rating were columns of TopApps.

-- A drain locks the head and then reads items. In another order, this migration and a drain would wait for each other.
LOCK TABLE sync_head IN EXCLUSIVE MODE;
LOCK TABLE items IN ACCESS EXCLUSIVE MODE;

-- The tags of an item, which rules select and clients do not see.
ALTER TABLE items
    ADD COLUMN tags text[] NOT NULL DEFAULT '{}',
    ADD CONSTRAINT items_tags_check CHECK (cardinality(tags) <= 50 AND is_set_of_slugs(tags));

-- The values of an item that rules compare, by name. Each is in the form of measure_key, and a value that the item does
-- not have is absent: delivery with the longest delivery time in minutes, os:PLATFORM with the least version of a platform
-- that the item is for, os:* if the item needs no platform, and age:SCHEME with the least age in a rating scheme.
ALTER TABLE listings ADD COLUMN measures jsonb NOT NULL DEFAULT '{}';

-- Returns a text whose order is that of a version: 16.2 is 21612, each number after the count of its digits. Zeros at the
-- end are left out, so 16 and 16.0 are equal, and 0 is an empty text. Returns NULL if the text is not one to four numbers
-- of up to nine digits.
CREATE FUNCTION measure_key(given text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT
AS $$
DECLARE
    numbers CONSTANT text[] := string_to_array(given, '.');
    number text;
    zeros text := '';
    result text := '';
BEGIN
    IF given = '' OR given ~ '[^0-9.]' OR cardinality(numbers) > 4 THEN
        RETURN NULL;
    END IF;
    FOREACH number IN ARRAY numbers LOOP
        IF char_length(number) NOT BETWEEN 1 AND 9 THEN
            RETURN NULL;
        END IF;
        number := ltrim(number, '0');
        IF number = '' THEN
            zeros := zeros || '10';
        ELSE
            result := result || zeros || char_length(number) || number;
            zeros := '';
        END IF;
    END LOOP;
    RETURN result;
END
$$;

-- The platforms of clients. runs has the platforms whose items a client on the platform can run. A page is composed for each
-- served platform.
CREATE TABLE platforms (
    key text NOT NULL,
    runs text[] NOT NULL,
    is_served boolean NOT NULL DEFAULT true,
    CONSTRAINT platforms_pkey PRIMARY KEY (key),
    CONSTRAINT platforms_key_check CHECK (char_length(key) BETWEEN 1 AND 80 AND key !~ '[^a-z0-9-]'),
    CONSTRAINT platforms_runs_check CHECK (cardinality(runs) <= 20 AND is_set_of_slugs(runs) AND key = ANY (runs))
);

INSERT INTO platforms (key, runs)
VALUES
    ('ios', '{ios}'), ('ipados', '{ipados,ios}'), ('macos', '{macos}'), ('watchos', '{watchos}'), ('tvos', '{tvos}'),
    ('visionos', '{visionos,ipados}'), ('android', '{android}'), ('linux', '{linux}');

-- The platforms that a TopApp is made for. A FoodApp runs everywhere and has none.
CREATE TABLE item_platforms (
    item_id uuid NOT NULL,
    platform text NOT NULL,
    -- NULL if every version is enough.
    minimum_os text,
    CONSTRAINT item_platforms_pkey PRIMARY KEY (item_id, platform),
    CONSTRAINT item_platforms_item_id_fkey FOREIGN KEY (item_id) REFERENCES items (id) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT item_platforms_platform_fkey FOREIGN KEY (platform) REFERENCES platforms (key) ON UPDATE CASCADE
);

INSERT INTO item_platforms (item_id, platform, minimum_os)
SELECT item_id, platform, minimum_os FROM top_apps CROSS JOIN unnest(platforms) AS platform;

-- A version that was not checked remains until the item is written.
ALTER TABLE item_platforms
    ADD CONSTRAINT item_platforms_minimum_os_check CHECK (minimum_os IS NULL OR measure_key(minimum_os) IS NOT NULL) NOT VALID;

DO $$
BEGIN
    ALTER TABLE vitrine.item_platforms VALIDATE CONSTRAINT item_platforms_minimum_os_check;
EXCEPTION WHEN check_violation THEN
    RAISE WARNING 'vitrine.item_platforms has older rows that violate item_platforms_minimum_os_check';
END
$$;

-- The schemes by which storefronts rate items, and their labels.
CREATE TABLE rating_schemes (
    key text NOT NULL,
    CONSTRAINT rating_schemes_pkey PRIMARY KEY (key),
    CONSTRAINT rating_schemes_key_check CHECK (char_length(key) BETWEEN 1 AND 80 AND key !~ '[^a-z0-9-]')
);

CREATE TABLE rating_labels (
    scheme text NOT NULL,
    label text NOT NULL,
    minimum_age smallint NOT NULL,
    CONSTRAINT rating_labels_pkey PRIMARY KEY (scheme, label),
    -- An item that has no label of a scheme gets exactly one by its age.
    CONSTRAINT rating_labels_minimum_age_key UNIQUE (scheme, minimum_age),
    CONSTRAINT rating_labels_scheme_fkey FOREIGN KEY (scheme) REFERENCES rating_schemes (key) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT rating_labels_label_check CHECK (char_length(label) BETWEEN 1 AND 20 AND label !~ '[^!-~]'),
    CONSTRAINT rating_labels_minimum_age_check CHECK (minimum_age BETWEEN 0 AND 99)
);

INSERT INTO rating_schemes (key) VALUES ('apple-2015'), ('apple-2025'), ('pegi'), ('usk'), ('esrb');
INSERT INTO rating_labels (scheme, label, minimum_age)
VALUES
    ('apple-2015', '4+', 4), ('apple-2015', '9+', 9), ('apple-2015', '12+', 12), ('apple-2015', '17+', 17),
    ('apple-2025', '4+', 4), ('apple-2025', '9+', 9), ('apple-2025', '13+', 13), ('apple-2025', '16+', 16), ('apple-2025', '18+', 18),
    ('pegi', '3', 3), ('pegi', '7', 7), ('pegi', '12', 12), ('pegi', '16', 16), ('pegi', '18', 18),
    ('usk', '0', 0), ('usk', '6', 6), ('usk', '12', 12), ('usk', '16', 16), ('usk', '18', 18),
    ('esrb', 'E', 6), ('esrb', 'E10+', 10), ('esrb', 'T', 13), ('esrb', 'M', 17), ('esrb', 'AO', 18);

ALTER TABLE storefronts
    ADD COLUMN rating_scheme text NOT NULL DEFAULT 'apple-2015',
    ADD CONSTRAINT storefronts_rating_scheme_fkey FOREIGN KEY (rating_scheme) REFERENCES rating_schemes (key) ON UPDATE CASCADE;

-- The labels of a TopApp, at least one and at most one of each scheme.
CREATE TABLE item_age_ratings (
    item_id uuid NOT NULL,
    scheme text NOT NULL,
    label text NOT NULL,
    CONSTRAINT item_age_ratings_pkey PRIMARY KEY (item_id, scheme),
    CONSTRAINT item_age_ratings_item_id_fkey FOREIGN KEY (item_id) REFERENCES items (id) ON UPDATE CASCADE ON DELETE CASCADE,
    CONSTRAINT item_age_ratings_label_fkey FOREIGN KEY (scheme, label) REFERENCES rating_labels (scheme, label) ON UPDATE CASCADE
);

INSERT INTO item_age_ratings (item_id, scheme, label) SELECT item_id, 'apple-2015', age_rating FROM top_apps;

ALTER TABLE top_apps
    DROP COLUMN minimum_os,
    DROP COLUMN platforms,
    DROP COLUMN age_rating;

-- The time zone of the opening hours. NULL for that of the storefront.
ALTER TABLE food_apps ADD COLUMN time_zone text;

SELECT tell_changes_of('item_platforms', 'touch_items(''item_id'')'), tell_changes_of('item_age_ratings', 'touch_items(''item_id'')');

-- A change of the vocabulary can change the facts of every item, and the age ratings that each storefront shows.
CREATE FUNCTION queue_changed_facts() RETURNS trigger LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM vitrine.queue_all_items();
    NOTIFY vitrine_stale_items;
    IF TG_TABLE_NAME = 'rating_labels' THEN
        INSERT INTO vitrine.sync_outbox (kind, keys)
        SELECT 'storefront', array_agg(key)
        FROM (SELECT key, (row_number() OVER () - 1) / 1000 AS part FROM vitrine.storefronts) AS parts GROUP BY part;
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER queue_changed_facts AFTER INSERT OR UPDATE OR DELETE ON platforms
    FOR EACH STATEMENT EXECUTE FUNCTION queue_changed_facts();
ALTER TABLE platforms ENABLE ALWAYS TRIGGER queue_changed_facts;
CREATE TRIGGER queue_changed_facts AFTER INSERT OR UPDATE OR DELETE ON rating_labels
    FOR EACH STATEMENT EXECUTE FUNCTION queue_changed_facts();
ALTER TABLE rating_labels ENABLE ALWAYS TRIGGER queue_changed_facts;

-- Returns the form of a name in which a rule compares it. The length is limited because a facet is a word of the search
-- index.
CREATE FUNCTION folded_name(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT left(vitrine.fold(name), 100) $$;

-- Returns the schemes with the ages of their labels: {"usk": {"0": 0, "6": 6}}.
CREATE FUNCTION rating_scheme_documents() RETURNS jsonb LANGUAGE sql STABLE
AS $$
    SELECT coalesce(jsonb_object_agg(scheme, ages), '{}')
    FROM (SELECT scheme, jsonb_object_agg(label, minimum_age) AS ages FROM vitrine.rating_labels GROUP BY scheme) AS schemes
$$;

-- Returns the least age of each rated item in each scheme. An item without a label of the scheme has the age of the lowest
-- label that covers its highest age, or else that of the highest label.
CREATE FUNCTION ages_of(asked uuid[]) RETURNS TABLE (item_id uuid, scheme text, minimum_age smallint) LANGUAGE sql STABLE
AS $$
    WITH rated AS MATERIALIZED (
        SELECT ratings.item_id, ratings.scheme, labels.minimum_age
        FROM vitrine.item_age_ratings AS ratings
        JOIN vitrine.rating_labels AS labels ON (labels.scheme, labels.label) = (ratings.scheme, ratings.label)
        WHERE ratings.item_id = ANY (asked)
    )
    SELECT highest.item_id, covering.scheme, coalesce(own.minimum_age, covering.minimum_age)
    FROM (SELECT rated.item_id, max(rated.minimum_age) AS age FROM rated GROUP BY rated.item_id) AS highest
    JOIN (
        -- There are few labels, so the age in each scheme is computed once for each age.
        SELECT
            ages.age, labels.scheme,
            coalesce(min(labels.minimum_age) FILTER (WHERE labels.minimum_age >= ages.age), max(labels.minimum_age)) AS minimum_age
        FROM (SELECT DISTINCT rating_labels.minimum_age AS age FROM vitrine.rating_labels) AS ages
        CROSS JOIN vitrine.rating_labels AS labels
        GROUP BY ages.age, labels.scheme
    ) AS covering ON covering.age = highest.age
    LEFT JOIN rated AS own ON (own.item_id, own.scheme) = (highest.item_id, covering.scheme)
$$;

-- Like the previous function, with the facets on:PLATFORM of the clients that can run the item, developer:NAME and tag:TAG,
-- and with the measures. No list of items is filtered by these facets, so titles have no marks of them.
CREATE OR REPLACE FUNCTION derive(touched uuid[]) RETURNS void LANGUAGE plpgsql
-- Each call is planned for its number of items, because ten are looked up and thousands are joined. A step of the plan
-- needs little memory.
SET plan_cache_mode = force_custom_plan
SET random_page_cost = 1.1
SET work_mem = '64MB'
AS $$
BEGIN
    -- A deleted item cannot be locked, but its listings can. A transaction that inserts the item again waits here for
    -- one that deletes them.
    PERFORM FROM vitrine.listings WHERE item_id = ANY (touched) ORDER BY item_id, scope FOR UPDATE;
    WITH ids AS MATERIALIZED (
        SELECT unnest(touched) AS item_id
    ), parts AS (
        -- Collects in one pass all values of which an item has several. The planner underestimates joins of separate
        -- aggregates and uses nested loops for them.
        SELECT
            item_id,
            string_agg(word, '|') FILTER (WHERE part = 'facet') AS facets,
            string_agg(word, '|') FILTER (WHERE part = 'scope') AS scopes,
            string_agg(word, ' | ') FILTER (WHERE part = 'text') AS titles,
            string_agg(name, ',') FILTER (WHERE part = 'text') AS locales,
            array_agg(title) FILTER (WHERE part = 'text') AS shown_titles,
            string_agg(subtitle, ' ') AS subtitles,
            jsonb_object_agg(word, title) FILTER (WHERE part = 'measure') AS measures
        FROM (
            SELECT item_id, 'facet' AS part, 'category:' || category AS word, NULL AS title, NULL AS subtitle, rank, '' COLLATE "C" AS name
            FROM ids JOIN vitrine.item_categories USING (item_id)
            UNION ALL
            SELECT item_id, 'facet', 'paid:' || storefront, NULL, NULL, 32767, storefront
            FROM ids JOIN vitrine.item_prices USING (item_id) WHERE role = 'price' AND amount_minor > 0
            UNION ALL
            SELECT item_id, 'facet', 'platform:' || platform, NULL, NULL, 32767, platform FROM ids JOIN vitrine.item_platforms USING (item_id)
            UNION ALL
            SELECT DISTINCT item_id, 'facet', 'on:' || key, NULL, NULL, 32767, key
            FROM ids JOIN vitrine.item_platforms USING (item_id) JOIN vitrine.platforms ON platform = ANY (runs)
            UNION ALL
            SELECT item_id, 'facet', 'on:' || key, NULL, NULL, 32767, key
            FROM ids JOIN vitrine.food_apps USING (item_id) CROSS JOIN vitrine.platforms
            UNION ALL
            SELECT item_id, 'measure', 'os:' || platform, measure, NULL, 0, platform
            FROM ids
            JOIN vitrine.item_platforms USING (item_id)
            CROSS JOIN vitrine.measure_key(coalesce(minimum_os, '0')) AS measure
            WHERE measure IS NOT NULL
            UNION ALL
            SELECT item_id, 'measure', 'age:' || scheme, vitrine.measure_key(minimum_age::text), NULL, 0, scheme
            FROM vitrine.ages_of(touched)
            UNION ALL
            SELECT item_id, 'scope', '@' || storefront, NULL, NULL, 0, storefront FROM ids JOIN vitrine.item_availability USING (item_id)
            UNION ALL
            SELECT item_id, 'text', vitrine.fold(title), title, vitrine.fold(subtitle), 0, locale FROM ids JOIN vitrine.item_texts USING (item_id)
            ORDER BY item_id, part, rank, name, word
        ) AS rows
        GROUP BY item_id
    ), sources AS MATERIALIZED (
        SELECT
            item_id, items.kind, coalesce(items.rating_average, 0) AS rating_average, coalesce(items.rating_count, 0) AS rating_count,
            coalesce(top_apps.release_date, food_apps.release_date, (items.created_at AT TIME ZONE 'UTC')::date) AS released_on,
            items.serial_number, is_everywhere, scopes, titles, locales, shown_titles,
            string_to_array(
                concat_ws('|',
                    parts.facets, 'cuisine:' || array_to_string(cuisines, '|cuisine:'),
                    'diet:' || nullif(array_to_string(dietary_tags, '|diet:'), ''), 'priceBand:' || price_band,
                    'developer:' || nullif(vitrine.folded_name(developer), ''), 'tag:' || nullif(array_to_string(tags, '|tag:'), '')),
                '|') AS facets,
            coalesce(parts.measures, '{}') || jsonb_strip_nulls(jsonb_build_object(
                'delivery', vitrine.measure_key(delivery_minutes_to::text), 'os:*', CASE WHEN items.kind = 'foodApp' THEN '' END)) AS measures,
            titles || concat_ws(' ', ' |', subtitles, vitrine.fold(developer), vitrine.fold(brand), replace(array_to_string(cuisines, ' '), '-', ' ')) AS text
        FROM parts
        JOIN vitrine.items ON items.id = item_id AND deleted_at IS NULL
        LEFT JOIN vitrine.top_apps USING (item_id)
        LEFT JOIN vitrine.food_apps USING (item_id)
    ), wanted AS MATERIALIZED (
        SELECT
            item_id, '*' AS scope, kind, facets || ('titles:' || locales) AS facets, measures, rating_average, rating_count, released_on,
            serial_number, NULL::tstzmultirange AS during
        FROM sources WHERE is_everywhere
        UNION ALL
        SELECT
            item_id, storefront, kind, facets || ('titles:' || locales), measures, rating_average, rating_count, released_on,
            serial_number, nullif(item_availability.during, '{(,)}')
        FROM sources JOIN vitrine.item_availability USING (item_id) WHERE NOT is_everywhere
    ), present AS MATERIALIZED (
        SELECT item_id, scope, listings.kind, facets, measures, rating_average, rating_count, released_on, serial_number, during
        FROM ids JOIN vitrine.listings USING (item_id)
    ), deleted AS (
        DELETE FROM vitrine.listings USING present
        WHERE (listings.item_id, listings.scope) = (present.item_id, present.scope)
            AND NOT EXISTS (SELECT FROM wanted WHERE (wanted.item_id, wanted.scope) = (present.item_id, present.scope))
    ), written AS (
        INSERT INTO vitrine.listings (item_id, scope, kind, facets, measures, rating_average, rating_count, released_on, serial_number, during)
        SELECT * FROM (SELECT * FROM wanted EXCEPT SELECT * FROM present) AS changed
        ON CONFLICT (item_id, scope) DO UPDATE SET
            kind = excluded.kind, facets = excluded.facets, measures = excluded.measures, rating_average = excluded.rating_average,
            rating_count = excluded.rating_count, released_on = excluded.released_on, serial_number = excluded.serial_number, during = excluded.during
    ), counted AS (
        SELECT scope, kind, facets, during IS NULL AS is_always, during, 1 AS step FROM wanted
        UNION ALL
        SELECT scope, kind, facets, during IS NULL, during, -1 FROM present
    ), counts AS (
        INSERT INTO vitrine.listing_counts (scope, kind, facet, items, timed)
        SELECT
            scope, kind, facet, coalesce(sum(step) FILTER (WHERE is_always), 0), coalesce(sum(step) FILTER (WHERE NOT is_always), 0)
        FROM (SELECT scope, kind, facets, is_always, sum(step) AS step FROM counted GROUP BY scope, kind, facets, is_always HAVING sum(step) <> 0) AS grouped
        CROSS JOIN LATERAL (
            SELECT unnest(facets || 'all'::text) AS facet
            UNION ALL
            SELECT 'title:' || locale
            FROM unnest(facets) AS titles CROSS JOIN unnest(string_to_array(substr(titles, 8), ',')) AS locale WHERE titles LIKE 'titles:%'
        ) AS counted_facets
        WHERE facet NOT LIKE 'titles:%'
        GROUP BY scope, kind, facet
        HAVING (coalesce(sum(step) FILTER (WHERE is_always), 0), coalesce(sum(step) FILTER (WHERE NOT is_always), 0)) <> (0, 0)
        ORDER BY scope, kind, facet
        ON CONFLICT (scope, kind, facet) DO UPDATE
            SET items = listing_counts.items + excluded.items, timed = listing_counts.timed + excluded.timed
    ), moments AS (
        INSERT INTO vitrine.listing_moments (scope, kind, category, moment, step)
        SELECT scope, kind, facet, moment, sum(change)
        FROM counted
        CROSS JOIN unnest(during) AS span
        CROSS JOIN LATERAL (VALUES (coalesce(lower(span), '-infinity'), step), (upper(span), -step)) AS bounds (moment, change)
        CROSS JOIN unnest(facets) AS facet
        WHERE moment IS NOT NULL AND facet LIKE 'category:%'
        GROUP BY scope, kind, facet, moment
        HAVING sum(change) <> 0
        ORDER BY scope, kind, facet, moment
        ON CONFLICT (scope, kind, category, moment) DO UPDATE SET step = listing_moments.step + excluded.step
    ), titled AS MATERIALIZED (
        SELECT item_id, titles.locale, titles.title, marks
        FROM sources
        CROSS JOIN LATERAL (
            SELECT bit_or(vitrine.mark(word)) AS marks
            FROM unnest(kind::text || facets) AS word
            WHERE word NOT LIKE ALL ('{on:%,developer:%,tag:%}')
        ) AS marked
        CROSS JOIN unnest(string_to_array(locales, ','), shown_titles) AS titles (locale, title)
    ), untitled AS (
        DELETE FROM vitrine.listed_titles USING ids
        WHERE listed_titles.item_id = ids.item_id
            AND NOT EXISTS (SELECT FROM titled WHERE (titled.item_id, titled.locale) = (listed_titles.item_id, listed_titles.locale))
    ), retitled AS (
        INSERT INTO vitrine.listed_titles (item_id, locale, title, marks)
        SELECT item_id, locale, title, marks FROM titled
        ON CONFLICT (item_id, locale) DO UPDATE SET title = excluded.title, marks = excluded.marks
        WHERE (listed_titles.title, listed_titles.marks) IS DISTINCT FROM (excluded.title, excluded.marks)
    ), withdrawn AS (
        DELETE FROM vitrine.search_documents USING ids
        WHERE search_documents.item_id = ids.item_id AND NOT EXISTS (SELECT FROM sources WHERE sources.item_id = ids.item_id)
    ), documented AS MATERIALIZED (
        SELECT
            item_id, rating_count, titles, string_to_array('=' || replace(titles, ' | ', '|='), '|') AS whole,
            array_remove(vitrine.folded_words(text), '|') AS words,
            string_to_array(
                concat_ws('|',
                    '@' || kind, '@rated:' || floor(2 * rating_average), '@' || array_to_string(facets, '|@'),
                    '@title:' || replace(locales, ',', '|@title:'),
                    CASE WHEN ',' || locales || ',' NOT LIKE '%,en,%' THEN '@untitled:en' END, CASE WHEN is_everywhere THEN '@*' ELSE scopes END), '|') AS facets,
            char_length(text) > 100 AS is_long
        FROM sources
    ), documents AS (
        INSERT INTO vitrine.search_documents (item_id, band, rating_count, titles, document)
        SELECT
            item_id, width_bucket(rating_count, '{4,16,64,256,1024,4096,16384,65536}'::bigint[]), rating_count,
            '| ' || titles || ' |',
            array_to_tsvector(facets || CASE WHEN is_long THEN ARRAY(SELECT left(word, 100) FROM unnest(words || whole) AS word) ELSE words || whole END)
        FROM documented
        ON CONFLICT (item_id) DO UPDATE SET
            band = excluded.band, rating_count = excluded.rating_count, titles = excluded.titles, document = excluded.document
        WHERE (search_documents.rating_count, search_documents.titles, search_documents.document)
            IS DISTINCT FROM (excluded.rating_count, excluded.titles, excluded.document)
    )
    INSERT INTO vitrine.search_words (word)
    SELECT word FROM (SELECT DISTINCT left(word, 100) AS word FROM documented CROSS JOIN unnest(words) AS word) AS words
    WHERE char_length(word) > 2 AND word !~ '^[0-9]+$'
        AND NOT EXISTS (SELECT FROM vitrine.search_words AS known WHERE known.word = words.word)
    ORDER BY word
    ON CONFLICT (word) DO NOTHING;
END
$$;

-- Like the previous function, with the tags, the platforms, the age ratings and the time zone.
CREATE OR REPLACE FUNCTION item_records(asked uuid[]) RETURNS TABLE (item_id uuid, is_withdrawn boolean, is_everywhere boolean, document json) LANGUAGE sql STABLE
AS $$
    SELECT items.id, deleted_at IS NOT NULL, items.is_everywhere, json_strip_nulls(json_build_object(
        'kind', items.kind, 'id', items.id, 'serialNumber', items.serial_number, 'slug', items.slug,
        'title', texts.titles, 'subtitle', texts.subtitles,
        'image', coalesce(images.icon, CASE WHEN texts.alts IS NOT NULL THEN json_build_object('alt', texts.alts) END),
        'images', images.others,
        'categories', (SELECT json_agg(category ORDER BY rank) FROM vitrine.item_categories WHERE item_categories.item_id = items.id),
        'tags', nullif(tags, '{}'),
        'rating', CASE WHEN rating_count IS NOT NULL THEN json_build_object('average', rating_average, 'count', rating_count) END,
        'availability', CASE WHEN NOT items.is_everywhere THEN (
            SELECT coalesce(json_object_agg(storefront, (
                SELECT json_agg(json_build_object(
                    'from', to_char(lower(span) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                    'until', to_char(upper(span) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) ORDER BY span)
                FROM unnest(during) AS span) ORDER BY storefront), '{}')
            FROM vitrine.item_availability WHERE item_availability.item_id = items.id) END,
        'prices', costs.prices, 'minimumOrder', costs.minimum_orders, 'deliveryFee', costs.delivery_fees,
        'bundleId', bundle_id, 'developer', developer, 'appVersion', app_version, 'sizeBytes', size_bytes,
        'platforms', (
            SELECT json_object_agg(platform, json_build_object('minimumOsVersion', minimum_os) ORDER BY platform COLLATE "C")
            FROM vitrine.item_platforms WHERE item_platforms.item_id = items.id),
        'ageRatings', (
            SELECT json_object_agg(scheme, label ORDER BY scheme COLLATE "C")
            FROM vitrine.item_age_ratings WHERE item_age_ratings.item_id = items.id),
        'brand', brand, 'cuisines', cuisines, 'dietaryTags', nullif(dietary_tags, '{}'),
        'deliveryMinutes', CASE WHEN food_apps.item_id IS NOT NULL THEN
            json_build_object('from', delivery_minutes_from, 'to', delivery_minutes_to) END,
        'priceBand', price_band,
        'timeZone', time_zone,
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

-- Like the previous function. In addition, a TopApp has platforms and age ratings, a FoodApp has none, and a time zone
-- exists.
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
    UNION ALL
    -- Reads the names of the time zones once, and only if there is a time zone to check.
    SELECT id, 'food_apps_time_zone_check'
    FROM living JOIN vitrine.food_apps ON food_apps.item_id = id AND time_zone IS NOT NULL
    WHERE time_zone NOT IN (SELECT name FROM pg_catalog.pg_timezone_names)
    UNION ALL
    SELECT id, 'item_platforms_kind_check'
    FROM living
    WHERE EXISTS (SELECT FROM vitrine.item_platforms WHERE item_platforms.item_id = id) <> (kind = 'topApp')
    UNION ALL
    SELECT id, 'item_age_ratings_kind_check'
    FROM living
    WHERE EXISTS (SELECT FROM vitrine.item_age_ratings WHERE item_age_ratings.item_id = id) <> (kind = 'topApp')
    LIMIT 1
$$;

-- The listings of all items have changed.
SELECT queue_all_items();
