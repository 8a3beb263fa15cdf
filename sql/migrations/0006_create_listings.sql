-- The tables that browsing and search read. One function computes them from the current items, and can be called any
-- number of times. A small transaction calls it at its end. A large one queues its items, and an idle session indexes
-- them later.
--
-- A query scans an index in the order of its page and stops when the page is full, however many items exist. No foreign
-- key refers to the items, because it would be checked for each row, although the items were just read.

-- An item in a scope: in '*' if it is everywhere, otherwise in each storefront in which it is ever available. A query
-- for a storefront merges the two scopes. A page therefore reads few rows that it does not show, even if the storefront
-- has few items or the catalog has many storefronts.
CREATE TABLE listings (
    item_id uuid NOT NULL,
    scope text NOT NULL,
    kind item_kind NOT NULL,
    -- The facets: category:KEY, cuisine:SLUG, diet:SLUG, platform:NAME, priceBand:1, paid:STOREFRONT, and titles:en,es
    -- with the locales of the titles. The last one decides in which locale the item is shown.
    facets text[] NOT NULL,
    -- 0 without ratings.
    rating_average numeric(3, 2) NOT NULL,
    rating_count bigint NOT NULL,
    released_on date NOT NULL,
    serial_number bigint NOT NULL,
    -- NULL if the item is always available.
    during tstzmultirange,
    CONSTRAINT listings_pkey PRIMARY KEY (item_id, scope)
);

CREATE INDEX listings_by_rating ON listings (scope, kind, rating_average DESC, rating_count DESC, serial_number DESC);
CREATE INDEX listings_by_release ON listings (scope, kind, released_on DESC, serial_number DESC);
-- The number of listings, in total and with each facet. Clients receive the counts of categories. Queries use the
-- counts to detect rare facets.
CREATE TABLE listing_counts (
    scope text NOT NULL,
    kind item_kind NOT NULL,
    -- A facet, or `all`.
    facet text NOT NULL,
    -- The number of listings that are always available.
    items bigint NOT NULL,
    -- The number of listings that are available for limited times.
    timed bigint NOT NULL,
    CONSTRAINT listing_counts_pkey PRIMARY KEY (scope, kind, facet)
);

CREATE INDEX listing_counts_by_facet ON listing_counts (facet text_pattern_ops);

-- The changes in the number of listings of a category whose availability is limited. The number at a time is the sum of
-- all changes until then. Campaigns start and end together, so there are few such times.
CREATE TABLE listing_moments (
    scope text NOT NULL,
    kind item_kind NOT NULL,
    -- The facet of the category.
    category text NOT NULL,
    -- Minus infinity for a listing without a start.
    moment timestamptz NOT NULL,
    step bigint NOT NULL,
    CONSTRAINT listing_moments_pkey PRIMARY KEY (scope, kind, category, moment)
);

-- The titles of listed items in all their locales. A page scans each locale in which some of its items are shown.
CREATE TABLE listed_titles (
    item_id uuid NOT NULL,
    locale text NOT NULL,
    title text NOT NULL,
    -- The marks of the kind and the facets. An index scan skips titles that lack a mark of a requested facet.
    marks bigint NOT NULL,
    CONSTRAINT listed_titles_pkey PRIMARY KEY (item_id, locale)
);

-- The alphabetical order of each language. Languages that Unicode's root collation sorts correctly, such as English,
-- German and French, share an index.
CREATE INDEX listed_titles_und ON listed_titles (locale, title COLLATE "und-x-icu", item_id) INCLUDE (marks);
CREATE INDEX listed_titles_ar ON listed_titles (locale, title COLLATE "ar-x-icu", item_id) INCLUDE (marks);
CREATE INDEX listed_titles_es ON listed_titles (locale, title COLLATE "es-x-icu", item_id) INCLUDE (marks);
CREATE INDEX listed_titles_ja ON listed_titles (locale, title COLLATE "ja-x-icu", item_id) INCLUDE (marks);

-- Returns a number with two bits for a word. The marks of several words have the bits of all. Marks with both bits of a
-- word most likely include it. Marks that lack one do not.
CREATE FUNCTION mark(word text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT (1::bigint << (('x' || left(md5(word), 2))::bit(8)::integer & 63)) | (1::bigint << (('x' || right(md5(word), 2))::bit(8)::integer & 63))
$$;

-- One document per item, with the texts in all locales. Users search in any language, and find an item without a text
-- in theirs by the text that they see. One document per locale would take twice the rows, and depend on the fallback
-- between locales.
CREATE TABLE search_documents (
    item_id uuid NOT NULL,
    -- The magnitude of the rating count, in powers of four. Each band has an index, and a search ends with the band
    -- that fills its page. A word of a tenth of all items therefore costs no more than a rare one.
    band smallint NOT NULL,
    rating_count bigint NOT NULL,
    -- The folded titles, each between two bars: | harbor notes | cuaderno |
    titles text NOT NULL,
    -- The folded words, =harbor notes for a whole title, and with @ the kind, the scopes, the facets, and rated:9 for a
    -- rating from 4.5 to 4.99.
    document tsvector NOT NULL,
    CONSTRAINT search_documents_pkey PRIMARY KEY (item_id),
    CONSTRAINT search_documents_band_check CHECK (band BETWEEN 0 AND 8)
);

CREATE INDEX search_documents_band_0 ON search_documents USING gin (document) WHERE band = 0;
CREATE INDEX search_documents_band_1 ON search_documents USING gin (document) WHERE band = 1;
CREATE INDEX search_documents_band_2 ON search_documents USING gin (document) WHERE band = 2;
CREATE INDEX search_documents_band_3 ON search_documents USING gin (document) WHERE band = 3;
CREATE INDEX search_documents_band_4 ON search_documents USING gin (document) WHERE band = 4;
CREATE INDEX search_documents_band_5 ON search_documents USING gin (document) WHERE band = 5;
CREATE INDEX search_documents_band_6 ON search_documents USING gin (document) WHERE band = 6;
CREATE INDEX search_documents_band_7 ON search_documents USING gin (document) WHERE band = 7;
CREATE INDEX search_documents_band_8 ON search_documents USING gin (document) WHERE band = 8;

-- Returns items that match the query, at most this many, from the band with the most ratings to the one with the
-- fewest. It is one statement, so that the planner inlines it into the query of the caller.
CREATE FUNCTION matching_items(wanted tsquery, most bigint) RETURNS TABLE (item_id uuid) LANGUAGE sql STABLE
AS $$
    SELECT matching.item_id
    FROM (
        SELECT search_documents.item_id FROM vitrine.search_documents WHERE band = 8 AND document @@ wanted
        UNION ALL
        SELECT search_documents.item_id FROM vitrine.search_documents WHERE band = 7 AND document @@ wanted
        UNION ALL
        SELECT search_documents.item_id FROM vitrine.search_documents WHERE band = 6 AND document @@ wanted
        UNION ALL
        SELECT search_documents.item_id FROM vitrine.search_documents WHERE band = 5 AND document @@ wanted
        UNION ALL
        SELECT search_documents.item_id FROM vitrine.search_documents WHERE band = 4 AND document @@ wanted
        UNION ALL
        SELECT search_documents.item_id FROM vitrine.search_documents WHERE band = 3 AND document @@ wanted
        UNION ALL
        SELECT search_documents.item_id FROM vitrine.search_documents WHERE band = 2 AND document @@ wanted
        UNION ALL
        SELECT search_documents.item_id FROM vitrine.search_documents WHERE band = 1 AND document @@ wanted
        UNION ALL
        SELECT search_documents.item_id FROM vitrine.search_documents WHERE band = 0 AND document @@ wanted
    ) AS matching
    LIMIT most
$$;

-- The words of all documents except numbers, to find the word that a user probably meant. There are few words, so
-- trigrams are looked up here and not among the items. A word remains when no item has it any longer, so callers also
-- check the documents.
CREATE TABLE search_words (
    word text COLLATE "C" NOT NULL,
    CONSTRAINT search_words_pkey PRIMARY KEY (word)
);

CREATE INDEX search_words_by_trigram ON search_words USING gin (word gin_trgm_ops);

-- Folds any text, see fold.
CREATE FUNCTION fold_unicode(given text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT
AS $$
BEGIN
    -- Removes the marks of Latin, Greek, Cyrillic and Hebrew, then of Arabic, and replaces letters without a
    -- decomposition.
    given := translate(
        regexp_replace(
            normalize(lower(given COLLATE "und-x-icu"), NFKD), '[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]', '', 'g'),
        'øłđðıςٱىةکی٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', 'olddiσايهكي01234567890123456789');
    given := replace(replace(replace(replace(given, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
    RETURN btrim(regexp_replace(normalize(given, NFC), '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u00d7\u00f7\u05be\u05c0\u05c3\u05c6\u2000-\u206f\u20a0-\u2bff\u3000-\u3004\u3008-\u3020\u30fb\u061b-\u061f\u066a-\u066d\u06d4\ufe00-\ufe0f\ufff0-\uffff\U0001f000-\U0001ffff]+', ' ', 'g'));
END
$$;

-- Returns the form of a text that is compared: lower case without accents, Arabic without its optional signs and with
-- one form of each letter, and one space for all other characters than letters and digits. It uses Unicode's
-- decomposition, so that it does not depend on the rules of an extension or on the locale of the database. It is not
-- STRICT, so that the planner inlines it.
CREATE FUNCTION fold(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT CASE
        WHEN octet_length(given) <> char_length(given) THEN vitrine.fold_unicode(given)
        -- Most titles are words with single spaces. A search for anything else takes a third of the time of a
        -- replacement.
        WHEN given !~ '[^A-Za-z0-9 ]|  ' THEN btrim(lower(given COLLATE "C"))
        ELSE btrim(regexp_replace(lower(given COLLATE "C"), '[^a-z0-9]+', ' ', 'g'))
    END
$$;

-- Divides any folded text, see folded_words.
CREATE FUNCTION unspaced_words(folded text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT
AS $$
DECLARE
    unspaced CONSTANT text := '\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff';
    words text[] := array_remove(string_to_array(folded, ' '), '');
    word text;
    run text;
    letters text[];
    result text[] := '{}';
BEGIN
    IF folded !~ ('[' || unspaced || ']') THEN
        RETURN words;
    END IF;
    FOREACH word IN ARRAY words LOOP
        IF octet_length(word) = char_length(word) OR word !~ ('[' || unspaced || ']') THEN
            result := result || word;
            CONTINUE;
        END IF;
        FOR run IN SELECT part[1] FROM regexp_matches(word, format('[%1$s]+|[^%1$s]+', unspaced), 'g') AS part LOOP
            IF char_length(run) > 1 AND run ~ ('^[' || unspaced || ']') THEN
                letters := string_to_array(run, NULL);
                FOR place IN 1..cardinality(letters) LOOP
                    result := result || concat(letters[place], letters[place + 1]);
                END LOOP;
            ELSE
                result := result || run;
            END IF;
        END LOOP;
    END LOOP;
    RETURN result;
END
$$;

-- Returns the words of a folded text. In scripts without spaces between words, such as Chinese, Japanese and Thai, each
-- two adjacent characters are a word, so that a search finds any part.
CREATE FUNCTION folded_words(folded text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT CASE
        WHEN octet_length(folded) = char_length(folded) THEN array_remove(string_to_array(folded, ' '), '')
        ELSE vitrine.unspaced_words(folded)
    END
$$;

-- Indexes these items: updates the tables above to their current state. The caller has locked the items. If two
-- sessions index the same item, the second waits, and in READ COMMITTED it sees what the first has written.
CREATE FUNCTION derive(touched uuid[]) RETURNS void LANGUAGE plpgsql
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
                    'diet:' || nullif(array_to_string(dietary_tags, '|diet:'), ''), 'priceBand:' || price_band, 'titles:' || locales),
                '|') AS facets,
            titles || concat_ws(' ', ' |', subtitles, vitrine.fold(developer), vitrine.fold(brand), replace(array_to_string(cuisines, ' '), '-', ' ')) AS text
        FROM parts
        JOIN vitrine.items ON items.id = item_id AND deleted_at IS NULL
        LEFT JOIN vitrine.top_apps USING (item_id)
        LEFT JOIN vitrine.food_apps USING (item_id)
    ), wanted AS MATERIALIZED (
        SELECT item_id, '*' AS scope, kind, facets, rating_average, rating_count, released_on, serial_number, NULL::tstzmultirange AS during
        FROM sources WHERE is_everywhere
        UNION ALL
        SELECT
            item_id, storefront, kind, facets, rating_average, rating_count, released_on, serial_number, nullif(item_availability.during, '{(,)}')
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
        CROSS JOIN unnest(facets || 'all'::text) AS facet
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
                    '@' || kind, '@rated:' || floor(2 * rating_average), '@' || array_to_string(facets, '|@'), CASE WHEN is_everywhere THEN '@*' ELSE scopes END), '|') AS facets,
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

-- The items to index, in arrays of up to a hundred. A hundred items with texts of maximum length take half a minute.
CREATE TABLE stale_items (
    ids uuid[] NOT NULL,
    CONSTRAINT stale_items_ids_check CHECK (cardinality(ids) BETWEEN 1 AND 100)
);

-- The items that could not be indexed and stayed as they were, with the reason, for operators. They are indexed again
-- when they are next written.
CREATE TABLE underived_items (
    item_id uuid NOT NULL,
    reason text NOT NULL,
    CONSTRAINT underived_items_pkey PRIMARY KEY (item_id)
);

-- Indexes these items. Items that cannot be written are found by halving, so that they do not keep the others out of
-- lists.
CREATE FUNCTION derive_all_that_can_be(touched uuid[]) RETURNS void LANGUAGE plpgsql
AS $$
DECLARE
    half CONSTANT integer := cardinality(touched) / 2;
BEGIN
    PERFORM vitrine.derive(touched);
EXCEPTION WHEN data_exception OR integrity_constraint_violation OR program_limit_exceeded OR internal_error THEN
    IF half > 0 THEN
        PERFORM vitrine.derive_all_that_can_be(touched[:half]);
        PERFORM vitrine.derive_all_that_can_be(touched[half + 1:]);
    ELSE
        RAISE WARNING 'item "%" cannot be indexed: %', touched[1], SQLERRM;
        INSERT INTO vitrine.underived_items (item_id, reason) VALUES (touched[1], SQLERRM);
    END IF;
END
$$;

-- Indexes about this many items from the queue, at least one row of it. Returns the number of items, or 0 if the queue
-- is empty or other transactions have locked its rows. Call it until it returns 0, each time in a transaction of its
-- own: a transaction that is killed leaves its rows in the queue. The items are added to the outbox again, because the
-- sequencer may have read their old listings.
CREATE FUNCTION derive_items(most bigint) RETURNS bigint LANGUAGE plpgsql
-- Compiling would take longer than the function.
SET jit = off
AS $$
DECLARE
    taken uuid[];
BEGIN
    WITH rows AS (
        DELETE FROM vitrine.stale_items
        WHERE ctid = ANY (ARRAY(SELECT ctid FROM vitrine.stale_items LIMIT greatest(1, most / 100) FOR UPDATE SKIP LOCKED))
        RETURNING ids
    )
    SELECT array_agg(DISTINCT id) INTO taken FROM rows CROSS JOIN unnest(rows.ids) AS id;
    IF taken IS NULL THEN
        RETURN 0;
    END IF;
    PERFORM FROM vitrine.items WHERE id = ANY (taken) ORDER BY id FOR NO KEY UPDATE;
    DELETE FROM vitrine.underived_items WHERE item_id = ANY (taken);
    PERFORM vitrine.derive_all_that_can_be(taken);
    INSERT INTO vitrine.sync_outbox (kind, ids)
    SELECT 'listing', taken[first:first + 999] FROM generate_series(1, cardinality(taken), 1000) AS first;
    RETURN cardinality(taken);
END
$$;

-- Queues the whole catalog for derive_items, for example after a change of fold.
CREATE FUNCTION queue_all_items() RETURNS void LANGUAGE sql
AS $$
    INSERT INTO vitrine.stale_items (ids)
    SELECT array_agg(id)
    FROM (
        SELECT id, (row_number() OVER () - 1) / 100 AS part
        FROM (
            SELECT id FROM vitrine.items UNION SELECT item_id FROM vitrine.listings UNION SELECT item_id FROM vitrine.search_documents
        ) AS all_items
    ) AS parts
    GROUP BY part
$$;

-- Runs once at the end of a transaction that changed items, or at SET CONSTRAINTS items_are_settled IMMEDIATE.
CREATE FUNCTION settle_items() RETURNS trigger LANGUAGE plpgsql
SET plan_cache_mode = force_custom_plan
SET jit = off
AS $$
DECLARE
    touched uuid[];
    broken record;
BEGIN
    WITH taken AS (DELETE FROM vitrine.touched_items WHERE transaction = pg_current_xact_id() RETURNING ids)
    SELECT array_agg(DISTINCT id) INTO touched FROM taken CROSS JOIN unnest(taken.ids) AS id;
    -- Locked before the rules are checked. If two transactions each remove one of the two categories of an item, the
    -- second must see the change of the first.
    PERFORM FROM vitrine.items WHERE id = ANY (touched) ORDER BY id FOR NO KEY UPDATE;
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

CREATE CONSTRAINT TRIGGER items_are_settled AFTER INSERT ON touched_items
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.is_first) EXECUTE FUNCTION settle_items();
ALTER TABLE touched_items ENABLE ALWAYS TRIGGER items_are_settled;
