-- Prepares the catalog for data from any source. Titles are counted per locale, however the locales are combined. Items
-- are repaired after a manual change, and constraints are as strict as the reader of files.

-- Counts the listings with a title in a locale, title:en, instead of those with titles in exactly one set of locales.
-- If translations are random, there are as many sets as items, and each page by title had to read them all.
INSERT INTO listing_counts (scope, kind, facet, items, timed)
SELECT scope, kind, 'title:' || locale, sum(items), sum(timed)
FROM listing_counts CROSS JOIN unnest(string_to_array(substr(facet, 8), ',')) AS locale
WHERE facet LIKE 'titles:%'
GROUP BY scope, kind, locale;

DELETE FROM listing_counts WHERE facet LIKE 'titles:%';

-- Like the previous function, but counts and finds titles by each of their locales. The facet of the locales has no
-- mark, because no query filters by it.
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
            string_agg(subtitle, ' ') AS subtitles
        FROM (
            SELECT item_id, 'facet' AS part, 'category:' || category AS word, NULL AS title, NULL AS subtitle, rank, '' COLLATE "C" AS name
            FROM ids JOIN vitrine.item_categories USING (item_id)
            UNION ALL
            SELECT item_id, 'facet', 'paid:' || storefront, NULL, NULL, 32767, storefront
            FROM ids JOIN vitrine.item_prices USING (item_id) WHERE role = 'price' AND amount_minor > 0
            UNION ALL
            SELECT item_id, 'scope', '@' || storefront, NULL, NULL, 0, storefront FROM ids JOIN vitrine.item_availability USING (item_id)
            UNION ALL
            SELECT item_id, 'text', vitrine.fold(title), title, vitrine.fold(subtitle), 0, locale FROM ids JOIN vitrine.item_texts USING (item_id)
            ORDER BY item_id, part, rank, name
        ) AS rows
        GROUP BY item_id
    ), sources AS MATERIALIZED (
        SELECT
            item_id, items.kind, coalesce(items.rating_average, 0) AS rating_average, coalesce(items.rating_count, 0) AS rating_count,
            coalesce(top_apps.release_date, food_apps.release_date, (items.created_at AT TIME ZONE 'UTC')::date) AS released_on,
            items.serial_number, is_everywhere, scopes, titles, locales, shown_titles,
            string_to_array(
                concat_ws('|',
                    parts.facets, 'platform:' || array_to_string(platforms, '|platform:'), 'cuisine:' || array_to_string(cuisines, '|cuisine:'),
                    'diet:' || nullif(array_to_string(dietary_tags, '|diet:'), ''), 'priceBand:' || price_band),
                '|') AS facets,
            titles || concat_ws(' ', ' |', subtitles, vitrine.fold(developer), vitrine.fold(brand), replace(array_to_string(cuisines, ' '), '-', ' ')) AS text
        FROM parts
        JOIN vitrine.items ON items.id = item_id AND deleted_at IS NULL
        LEFT JOIN vitrine.top_apps USING (item_id)
        LEFT JOIN vitrine.food_apps USING (item_id)
    ), wanted AS MATERIALIZED (
        SELECT
            item_id, '*' AS scope, kind, facets || ('titles:' || locales) AS facets, rating_average, rating_count, released_on, serial_number,
            NULL::tstzmultirange AS during
        FROM sources WHERE is_everywhere
        UNION ALL
        SELECT
            item_id, storefront, kind, facets || ('titles:' || locales), rating_average, rating_count, released_on, serial_number,
            nullif(item_availability.during, '{(,)}')
        FROM sources JOIN vitrine.item_availability USING (item_id) WHERE NOT is_everywhere
    ), present AS MATERIALIZED (
        SELECT item_id, scope, listings.kind, facets, rating_average, rating_count, released_on, serial_number, during FROM ids JOIN vitrine.listings USING (item_id)
    ), deleted AS (
        DELETE FROM vitrine.listings USING present
        WHERE (listings.item_id, listings.scope) = (present.item_id, present.scope)
            AND NOT EXISTS (SELECT FROM wanted WHERE (wanted.item_id, wanted.scope) = (present.item_id, present.scope))
    ), written AS (
        INSERT INTO vitrine.listings (item_id, scope, kind, facets, rating_average, rating_count, released_on, serial_number, during)
        SELECT * FROM (SELECT * FROM wanted EXCEPT SELECT * FROM present) AS changed
        ON CONFLICT (item_id, scope) DO UPDATE SET
            kind = excluded.kind, facets = excluded.facets, rating_average = excluded.rating_average, rating_count = excluded.rating_count,
            released_on = excluded.released_on, serial_number = excluded.serial_number, during = excluded.during
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
        CROSS JOIN LATERAL (SELECT bit_or(vitrine.mark(word)) AS marks FROM unnest(kind::text || facets) AS word) AS marked
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

-- Like the previous function. In addition, converts katakana to hiragana and removes the Arabic article.
CREATE OR REPLACE FUNCTION fold_unicode(given text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT
AS $$
BEGIN
    -- Removes the marks of Latin, Greek, Cyrillic and Hebrew, then of Arabic, and replaces letters without a
    -- decomposition.
    given := translate(
        regexp_replace(
            normalize(lower(given COLLATE "und-x-icu"), NFKD), '[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]', '', 'g'),
        'øłđðıςٱىةکی٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', 'olddiσايهكي01234567890123456789');
    given := replace(replace(replace(replace(given, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
    given := translate(given, 'ァアィイゥウェエォオカガキギクグケゲコゴサザシジスズセゼソゾタダチヂッツヅテデトドナニヌネノハバパヒビピフブプヘベペホボポマミムメモャヤュユョヨラリルレロヮワヰヱヲンヴヵヶ', 'ぁあぃいぅうぇえぉおかがきぎくぐけげこごさざしじすずせぜそぞただちぢっつづてでとどなにぬねのはばぱひびぴふぶぷへべぺほぼぽまみむめもゃやゅゆょよらりるれろゎわゐゑをんゔゕゖ');
    given := btrim(regexp_replace(normalize(given, NFC), '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u00d7\u00f7\u05be\u05c0\u05c3\u05c6\u2000-\u206f\u20a0-\u2bff\u3000-\u3004\u3008-\u3020\u30fb\u061b-\u061f\u066a-\u066d\u06d4\ufe00-\ufe0f\ufff0-\uffff\U0001f000-\U0001ffff]+', ' ', 'g'));
    -- The Arabic article is a part of its word. Users search with and without it.
    IF given ~ '(^| )ال' THEN
        given := regexp_replace(given, '(^| )ال(?=[\u0621-\u064a]{2})', '\1', 'g');
    END IF;
    RETURN given;
END
$$;

-- The words of all documents have changed.
SELECT queue_all_items();

-- Like the previous function. In addition, resets the hash of an item that is changed manually. An import writes the
-- hash, and sets vitrine.writes_hashes.
CREATE OR REPLACE FUNCTION settle_items() RETURNS trigger LANGUAGE plpgsql
SET plan_cache_mode = force_custom_plan
SET jit = off
AS $$
DECLARE
    touched uuid[];
    broken record;
BEGIN
    SELECT array_agg(DISTINCT id) INTO touched
    FROM vitrine.touched_items CROSS JOIN unnest(ids) AS id WHERE transaction = pg_current_xact_id();
    -- Locked before the rules are checked. If two transactions each remove one of the two categories of an item, the
    -- second must see the change of the first.
    PERFORM FROM vitrine.items WHERE id = ANY (touched) ORDER BY id FOR NO KEY UPDATE;
    -- No record has a hash of zeros, so the next import writes the item again.
    IF current_setting('vitrine.writes_hashes', true) IS DISTINCT FROM 'on' THEN
        UPDATE vitrine.items SET content_hash = decode(repeat('00', 32), 'hex'), version = version + 1
        WHERE id = ANY (touched) AND created_at <> transaction_timestamp();
    END IF;
    -- After the update above, whose rows the triggers collect as well.
    DELETE FROM vitrine.touched_items WHERE transaction = pg_current_xact_id();
    SELECT item_id, rule INTO broken FROM vitrine.broken_item_rule(touched);
    IF FOUND THEN
        RAISE EXCEPTION 'item "%" violates check constraint "%"', broken.item_id, broken.rule
            USING ERRCODE = 'check_violation', SCHEMA = 'vitrine', TABLE = 'items', CONSTRAINT = broken.rule;
    END IF;
    INSERT INTO vitrine.sync_outbox (kind, ids)
    SELECT 'item', touched[first:first + 999] FROM generate_series(1, cardinality(touched), 1000) AS first;
    -- Up to 100 items are indexed immediately. A commit of more items does not wait for indexing, and neither does an
    -- import, which sets vitrine.queues_items. It would lock counts that other transactions wait for, while they lock
    -- items that the import needs next.
    IF cardinality(touched) <= 100 AND current_setting('vitrine.queues_items', true) IS DISTINCT FROM 'on' THEN
        PERFORM vitrine.derive(touched);
    ELSE
        INSERT INTO vitrine.stale_items (ids)
        SELECT touched[first:first + 99] FROM generate_series(1, cardinality(touched), 100) AS first;
        NOTIFY vitrine_stale_items;
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION number_of_spans(during tstzmultirange) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT count(*) FROM unnest(during) $$;

-- Makes constraints as strict as the reader of files. Rows that violate a constraint remain until they are written. A
-- constraint is validated if all rows satisfy it.
ALTER TABLE items
    DROP CONSTRAINT items_source_check,
    ADD CONSTRAINT items_source_check CHECK (char_length(source) BETWEEN 1 AND 200 AND btrim(source) <> '' AND source !~ '[[:cntrl:]]') NOT VALID,
    DROP CONSTRAINT items_serial_number_check,
    ADD CONSTRAINT items_serial_number_check CHECK (serial_number BETWEEN 1 AND 9007199254740991) NOT VALID,
    DROP CONSTRAINT items_image_url_check,
    ADD CONSTRAINT items_image_url_check CHECK (char_length(image_url) <= 2048 AND image_url ~ '^(https?://|/)[^/]' AND image_url !~ '[^!-~]') NOT VALID,
    DROP CONSTRAINT items_image_color_check,
    ADD CONSTRAINT items_image_color_check CHECK (char_length(image_color) = 7 AND image_color ~ '^#[0-9A-F]+$') NOT VALID,
    ADD CONSTRAINT items_created_at_check CHECK (isfinite(created_at)) NOT VALID,
    DROP CONSTRAINT items_updated_at_check,
    ADD CONSTRAINT items_updated_at_check CHECK (updated_at >= created_at AND isfinite(updated_at)) NOT VALID,
    DROP CONSTRAINT items_deleted_at_check,
    ADD CONSTRAINT items_deleted_at_check CHECK (deleted_at >= created_at AND isfinite(deleted_at)) NOT VALID;

ALTER TABLE top_apps
    DROP CONSTRAINT top_apps_app_version_check,
    ADD CONSTRAINT top_apps_app_version_check CHECK (char_length(app_version) BETWEEN 1 AND 100 AND btrim(app_version) <> '' AND app_version !~ '[[:cntrl:]]') NOT VALID,
    DROP CONSTRAINT top_apps_minimum_os_check,
    ADD CONSTRAINT top_apps_minimum_os_check CHECK (char_length(minimum_os) BETWEEN 1 AND 50 AND btrim(minimum_os) <> '' AND minimum_os !~ '[[:cntrl:]]') NOT VALID,
    DROP CONSTRAINT top_apps_homepage_check,
    ADD CONSTRAINT top_apps_homepage_check CHECK (char_length(homepage) <= 2048 AND homepage ~ '^https?://.' AND homepage !~ '[^!-~]') NOT VALID;

ALTER TABLE food_apps
    DROP CONSTRAINT food_apps_cuisines_check,
    ADD CONSTRAINT food_apps_cuisines_check CHECK (cardinality(cuisines) BETWEEN 1 AND 50 AND is_set_of_slugs(cuisines)) NOT VALID,
    DROP CONSTRAINT food_apps_dietary_tags_check,
    ADD CONSTRAINT food_apps_dietary_tags_check CHECK (cardinality(dietary_tags) <= 50 AND is_set_of_slugs(dietary_tags)) NOT VALID;

ALTER TABLE item_texts
    DROP CONSTRAINT item_texts_subtitle_check,
    ADD CONSTRAINT item_texts_subtitle_check CHECK (char_length(subtitle) BETWEEN 1 AND 500 AND btrim(subtitle) <> '' AND subtitle !~ '[[:cntrl:]]') NOT VALID,
    DROP CONSTRAINT item_texts_image_alt_check,
    ADD CONSTRAINT item_texts_image_alt_check CHECK (char_length(image_alt) BETWEEN 1 AND 500 AND btrim(image_alt) <> '' AND image_alt !~ '[[:cntrl:]]') NOT VALID;

ALTER TABLE item_categories
    DROP CONSTRAINT item_categories_rank_check,
    ADD CONSTRAINT item_categories_rank_check CHECK (rank BETWEEN 1 AND 50) NOT VALID;

ALTER TABLE item_availability
    DROP CONSTRAINT item_availability_during_check,
    ADD CONSTRAINT item_availability_during_check CHECK (NOT isempty(during) AND are_half_open(during) AND number_of_spans(during) <= 1000
        AND (lower_inf(during) OR lower(during) >= '0001-01-01T00:00:00Z') AND (upper_inf(during) OR upper(during) < '10000-01-01T00:00:00Z')) NOT VALID;

DO $$
DECLARE
    added record;
BEGIN
    FOR added IN SELECT conrelid::regclass AS owner, conname FROM pg_constraint WHERE connamespace = 'vitrine'::regnamespace AND NOT convalidated LOOP
        BEGIN
            EXECUTE format('ALTER TABLE %s VALIDATE CONSTRAINT %I', added.owner, added.conname);
        EXCEPTION WHEN check_violation THEN
            RAISE WARNING '% has older rows that violate %', added.owner, added.conname;
        END;
    END LOOP;
END
$$;
