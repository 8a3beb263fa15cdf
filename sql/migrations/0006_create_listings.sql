-- What browsing and search read: derived from the items as they are, by one function, which may be called any number of times. A small
-- transaction does so when it ends; a large one queues its items, and whoever is idle derives them behind it. A read walks an index in the
-- order of its page and stops, however many items there are. No key refers to the items here: it would be asked for each row, and only
-- confirm what was read a moment ago.

-- An item in a scope: once in '*' when it is everywhere, else once in each storefront that it is ever in. A storefront is read as the merge
-- of two scopes, so neither a shop that few items are in nor a catalog of many shops makes a page touch what it does not show.
CREATE TABLE listings (
    item_id uuid NOT NULL,
    scope text NOT NULL,
    kind item_kind NOT NULL,
    -- What can be asked for: category:KEY, cuisine:SLUG, diet:SLUG, platform:NAME, priceBand:1 and paid:STOREFRONT; and titles:en,es, the locales
    -- of its titles, which tell in which of them it is shown.
    facets text[] NOT NULL,
    -- 0 where nobody has rated.
    rating_average numeric(3, 2) NOT NULL,
    rating_count bigint NOT NULL,
    released_on date NOT NULL,
    serial_number bigint NOT NULL,
    -- NULL for always.
    during tstzmultirange,
    CONSTRAINT listings_pkey PRIMARY KEY (item_id, scope)
);

CREATE INDEX listings_by_rating ON listings (scope, kind, rating_average DESC, rating_count DESC, serial_number DESC);
CREATE INDEX listings_by_release ON listings (scope, kind, released_on DESC, serial_number DESC);
-- How many listings have a facet, and how many there are of all: what a client is told of categories, and what tells a rare facet from a
-- common one.
CREATE TABLE listing_counts (
    scope text NOT NULL,
    kind item_kind NOT NULL,
    -- Or all.
    facet text NOT NULL,
    -- Those that are there always.
    items bigint NOT NULL,
    -- Those that come and go.
    timed bigint NOT NULL,
    CONSTRAINT listing_counts_pkey PRIMARY KEY (scope, kind, facet)
);

CREATE INDEX listing_counts_by_facet ON listing_counts (facet text_pattern_ops);

-- Of the listings that come and go, by how many those of a category change at a moment, so that counts are right at the time of asking: all
-- changes until then together. Campaigns begin and end together, so there are few moments.
CREATE TABLE listing_moments (
    scope text NOT NULL,
    kind item_kind NOT NULL,
    -- As in facets.
    category text NOT NULL,
    -- Minus infinity for those that were always there until they go.
    moment timestamptz NOT NULL,
    step bigint NOT NULL,
    CONSTRAINT listing_moments_pkey PRIMARY KEY (scope, kind, category, moment)
);

-- The title of a listed item in each of its locales. A page walks each locale in which some of its items are shown.
CREATE TABLE listed_titles (
    item_id uuid NOT NULL,
    locale text NOT NULL,
    title text NOT NULL,
    -- Of its kind and its facets: what lacks a mark of what is wanted is passed by in the index.
    marks bigint NOT NULL,
    CONSTRAINT listed_titles_pkey PRIMARY KEY (item_id, locale)
);

-- In the order of a language; languages that Unicode's root order serves, such as English, German and French, share one index.
CREATE INDEX listed_titles_und ON listed_titles (locale, title COLLATE "und-x-icu", item_id) INCLUDE (marks);
CREATE INDEX listed_titles_ar ON listed_titles (locale, title COLLATE "ar-x-icu", item_id) INCLUDE (marks);
CREATE INDEX listed_titles_es ON listed_titles (locale, title COLLATE "es-x-icu", item_id) INCLUDE (marks);
CREATE INDEX listed_titles_ja ON listed_titles (locale, title COLLATE "ja-x-icu", item_id) INCLUDE (marks);

-- Two bits of a word. What has all bits of some words has most likely these words, and what lacks one surely does not.
CREATE FUNCTION mark(word text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT (1::bigint << (('x' || left(md5(word), 2))::bit(8)::integer & 63)) | (1::bigint << (('x' || right(md5(word), 2))::bit(8)::integer & 63))
$$;

-- One document an item, with the texts of all locales: people search in any language, and an item without a text in theirs is found by what
-- they see of it. Half the rows of a document for each locale, and no fallback to keep up.
CREATE TABLE search_documents (
    item_id uuid NOT NULL,
    -- Larger for more ratings, by powers of four. There is an index for each band, and a search ends with the band that fills its page: a word
    -- that a tenth of all items has costs no more than one that few have.
    band smallint NOT NULL,
    rating_count bigint NOT NULL,
    -- Folded, each between two bars: | harbor notes | cuaderno |
    titles text NOT NULL,
    -- Folded words; =harbor notes for a title as a whole; @ before a kind, a scope, a facet, and rated:9 for 4.5 to 4.99.
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

-- The items that a query finds, those with the most ratings first by their bands, and no more than asked for. It is one statement, so that
-- it becomes a part of the plan of whoever asks.
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

-- The words of all documents but numbers, to find the one that was probably meant. There are few of them, so trigrams are looked up here and not among
-- the items. A word stays when no item has it any more; whoever asks here asks the documents as well.
CREATE TABLE search_words (
    word text COLLATE "C" NOT NULL,
    CONSTRAINT search_words_pkey PRIMARY KEY (word)
);

CREATE INDEX search_words_by_trigram ON search_words USING gin (word gin_trgm_ops);

-- As fold, of any text.
CREATE FUNCTION fold_unicode(given text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT
AS $$
BEGIN
    -- Marks of Latin, Greek, Cyrillic and Hebrew, then of Arabic; what has no decomposition follows by hand.
    given := translate(
        regexp_replace(
            normalize(lower(given COLLATE "und-x-icu"), NFKD), '[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]', '', 'g'),
        'øłđðıςٱىةکی٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', 'olddiσايهكي01234567890123456789');
    given := replace(replace(replace(replace(given, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
    RETURN btrim(regexp_replace(normalize(given, NFC), '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u00d7\u00f7\u05be\u05c0\u05c3\u05c6\u2000-\u206f\u20a0-\u2bff\u3000-\u3004\u3008-\u3020\u30fb\u061b-\u061f\u066a-\u066d\u06d4\ufe00-\ufe0f\ufff0-\uffff\U0001f000-\U0001ffff]+', ' ', 'g'));
END
$$;

-- Makes of a text what is compared: lower case without accents, Arabic without its optional signs and with one form for each letter, one
-- blank for all that is neither a letter nor a digit. By Unicode's own decomposition, so that it does not depend on the rules of an
-- extension or on the locale of the database. Not STRICT, so that it becomes a part of the query.
CREATE FUNCTION fold(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT CASE
        WHEN octet_length(given) <> char_length(given) THEN vitrine.fold_unicode(given)
        -- Most titles are words with a blank between: to look for anything else costs a third of replacing it.
        WHEN given !~ '[^A-Za-z0-9 ]|  ' THEN btrim(lower(given COLLATE "C"))
        ELSE btrim(regexp_replace(lower(given COLLATE "C"), '[^a-z0-9]+', ' ', 'g'))
    END
$$;

-- As folded_words, of any text.
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

-- The words of a folded text. Where words have no blanks between them, as in Chinese, Japanese and Thai, each two neighbours are a word, so
-- that any part is found.
CREATE FUNCTION folded_words(folded text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT CASE
        WHEN octet_length(folded) = char_length(folded) THEN array_remove(string_to_array(folded, ' '), '')
        ELSE vitrine.unspaced_words(folded)
    END
$$;

-- Derives all that is above from these items as they are. Whoever calls it has them locked: two that derive one item do so one after the
-- other, and in READ COMMITTED the second sees what the first has written.
CREATE FUNCTION derive(touched uuid[]) RETURNS void LANGUAGE plpgsql
-- Ten items are looked up where thousands are joined, so the plan is made for as many as there are. What a step of it has to hold is small.
SET plan_cache_mode = force_custom_plan
SET random_page_cost = 1.1
SET work_mem = '64MB'
AS $$
BEGIN
    -- An item that was deleted cannot be locked, but its listings can: whoever writes it anew waits here for one that takes them away.
    PERFORM FROM vitrine.listings WHERE item_id = ANY (touched) ORDER BY item_id, scope FOR UPDATE;
    WITH ids AS MATERIALIZED (
        SELECT unnest(touched) AS item_id
    ), parts AS (
        -- All that an item has several of, in one pass: joins of what is counted each for itself are estimated too low, and then made in loops.
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

-- Items of which what is above is not as it should be, in arrays of up to a hundred: of texts that are as long as they may be, these take half
-- a minute.
CREATE TABLE stale_items (
    ids uuid[] NOT NULL,
    CONSTRAINT stale_items_ids_check CHECK (cardinality(ids) BETWEEN 1 AND 100)
);

-- Items of which what is above could not be derived, so it stayed as it was, and why: for an operator to see. They are tried again when they
-- are written again.
CREATE TABLE underived_items (
    item_id uuid NOT NULL,
    reason text NOT NULL,
    CONSTRAINT underived_items_pkey PRIMARY KEY (item_id)
);

-- Derives these items, but for those at fault where something of them cannot be written: they are found by halves, so that they do not keep
-- the others from their lists.
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
        RAISE WARNING 'item "%" cannot be listed: %', touched[1], SQLERRM;
        INSERT INTO vitrine.underived_items (item_id, reason) VALUES (touched[1], SQLERRM);
    END IF;
END
$$;

-- Takes about so many items from the queue, no fewer than a row of it has, and derives them; answers how many it took, 0 when nothing is left
-- that nobody else has taken. To be called in transactions of its own until then: one that is killed leaves its rows in the queue. The outbox
-- is told of them, as whoever reads listings was told too early.
CREATE FUNCTION derive_items(most bigint) RETURNS bigint LANGUAGE plpgsql
-- Compiling would take longer than what is compiled.
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

-- Queues the whole catalog, as after a change of fold; derive_items does the rest.
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

-- Runs once when a transaction ends that touched items, or at SET CONSTRAINTS items_are_settled IMMEDIATE.
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
    -- Before the rules are asked: of two transactions that each take away one of an item's two categories, the second has to see the first.
    PERFORM FROM vitrine.items WHERE id = ANY (touched) ORDER BY id FOR NO KEY UPDATE;
    SELECT item_id, rule INTO broken FROM vitrine.broken_item_rule(touched);
    IF FOUND THEN
        RAISE EXCEPTION 'item "%" violates check constraint "%"', broken.item_id, broken.rule
            USING ERRCODE = 'check_violation', SCHEMA = 'vitrine', TABLE = 'items', CONSTRAINT = broken.rule;
    END IF;
    INSERT INTO vitrine.sync_outbox (kind, ids)
    SELECT 'item', touched[first:first + 999] FROM generate_series(1, cardinality(touched), 1000) AS first;
    -- What a person changes is seen at once; of what a program brings, the commit does not wait for it. An import says that it goes on behind
    -- this: it would hold counts that others wait for who have the items that it comes to next.
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
