-- What browsing and search read: derived from the items, written when a transaction that touched them ends, and by nothing else. A read
-- walks an index in the order of its page and stops, however many items there are. No key refers to the items here: it would be asked for
-- each row, and only confirm what was read a moment ago.

-- An item in a scope: once in '*' when it is everywhere, else once in each storefront that it is ever in. A storefront is read as the merge
-- of two scopes, so neither a shop that few items are in nor a catalog of many shops makes a page touch what it does not show.
CREATE TABLE listings (
    item_id uuid NOT NULL,
    scope text NOT NULL,
    kind item_kind NOT NULL,
    -- What can be asked for: category:KEY, cuisine:SLUG, diet:SLUG, platform:NAME, priceBand:1 and paid:STOREFRONT.
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
-- The few that come and go, for counts that are right at the time of asking.
CREATE INDEX listings_for_a_time ON listings (scope) WHERE during IS NOT NULL;

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

-- Titles in the order of a language. A page in a locale walks the texts of all locales and takes those that the locale shows; languages
-- that Unicode's root order serves, such as English, German and French, share one index.
CREATE INDEX item_texts_by_title ON item_texts (title COLLATE "und-x-icu", item_id);
CREATE INDEX item_texts_by_title_ar ON item_texts (title COLLATE "ar-x-icu", item_id);
CREATE INDEX item_texts_by_title_es ON item_texts (title COLLATE "es-x-icu", item_id);
CREATE INDEX item_texts_by_title_ja ON item_texts (title COLLATE "ja-x-icu", item_id);

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
    -- Folded words; =harbor notes for a title as a whole; @ before a kind, a scope and a facet.
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
-- the items. A word that no item has any more does no harm.
CREATE TABLE search_words (
    word text COLLATE "C" NOT NULL,
    CONSTRAINT search_words_pkey PRIMARY KEY (word)
);

CREATE INDEX search_words_by_trigram ON search_words USING gin (word gin_trgm_ops);

-- Makes of a text what is compared: lower case without accents, Arabic without its optional signs and with one form for each letter, one
-- blank for all that is neither a letter nor a digit. By Unicode's own decomposition, so that it does not depend on the rules of an
-- extension or on the locale of the database.
CREATE FUNCTION fold(given text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT
AS $$
BEGIN
    IF octet_length(given) = char_length(given) THEN
        RETURN btrim(regexp_replace(lower(given COLLATE "C"), '[^a-z0-9]+', ' ', 'g'));
    END IF;
    -- Marks of Latin, Greek, Cyrillic and Hebrew, then of Arabic; what has no decomposition follows by hand.
    given := translate(
        regexp_replace(
            normalize(lower(given COLLATE "und-x-icu"), NFKD), '[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]', '', 'g'),
        'øłđðıςٱىةکی٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', 'olddiσايهكي01234567890123456789');
    given := replace(replace(replace(replace(given, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
    RETURN btrim(regexp_replace(normalize(given, NFC), '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u206f\u20a0-\u2bff\u3000-\u3004\u3008-\u3020\u30fb\u061b-\u061f\u066a-\u066d\u06d4\ufe00-\ufe0f\ufff0-\uffff\U0001f000-\U0001ffff]+', ' ', 'g'));
END
$$;

-- The words of a folded text. Where words have no blanks between them, as in Chinese, Japanese and Thai, each two neighbours are a word, so
-- that any part is found.
CREATE FUNCTION folded_words(folded text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT
AS $$
DECLARE
    unspaced CONSTANT text := '\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff';
    words text[] := '{}';
    run text;
BEGIN
    IF octet_length(folded) = char_length(folded) OR folded !~ ('[' || unspaced || ']') THEN
        RETURN array_remove(string_to_array(folded, ' '), '');
    END IF;
    FOR run IN SELECT part[1] FROM regexp_matches(folded, format('[%1$s]+|[^ %1$s]+', unspaced), 'g') AS part LOOP
        IF char_length(run) > 1 AND run ~ ('^[' || unspaced || ']') THEN
            words := words || ARRAY(SELECT substr(run, place, 2) FROM generate_series(1, char_length(run)) AS place);
        ELSE
            words := words || run;
        END IF;
    END LOOP;
    RETURN words;
END
$$;

-- Derives all that is above from the items. In READ COMMITTED, two transactions that touch one item derive it one after the other, and the
-- second sees what the first has written.
CREATE FUNCTION list_items(touched uuid[]) RETURNS void LANGUAGE plpgsql
AS $$
DECLARE
    gone text[];
BEGIN
    -- Rows that this transaction has written are its own already.
    PERFORM FROM vitrine.items
    WHERE id = ANY (touched) AND xmin <> pg_current_xact_id()::xid
    ORDER BY id FOR NO KEY UPDATE;

    WITH deleted AS (
        DELETE FROM vitrine.listings WHERE item_id = ANY (touched)
        RETURNING scope, kind, facets, during
    )
    SELECT array_agg(concat_ws('/', scope, kind, facet, during IS NULL)) INTO gone
    FROM deleted CROSS JOIN unnest(facets || 'all'::text) AS facet;

    -- All counts are written by one statement in one order, or two transactions could wait for each other.
    WITH inserted AS (
        INSERT INTO vitrine.listings (
            item_id, scope, kind, facets, rating_average, rating_count, released_on, serial_number, during)
        SELECT
            items.id, scopes.scope, items.kind,
            ARRAY(SELECT 'category:' || category FROM vitrine.item_categories WHERE item_id = items.id ORDER BY rank)
            || ARRAY(SELECT 'cuisine:' || cuisine FROM unnest(food_apps.cuisines) AS cuisine)
            || ARRAY(SELECT 'diet:' || tag FROM unnest(food_apps.dietary_tags) AS tag)
            || ARRAY(SELECT 'platform:' || platform FROM unnest(top_apps.platforms) AS platform)
            || ARRAY(SELECT 'paid:' || storefront FROM vitrine.item_prices WHERE item_id = items.id AND role = 'price' AND amount_minor > 0)
            || CASE WHEN food_apps.price_band IS NULL THEN '{}'::text[] ELSE ARRAY['priceBand:' || food_apps.price_band] END,
            coalesce(items.rating_average, 0), coalesce(items.rating_count, 0),
            coalesce(top_apps.release_date, food_apps.release_date, (items.created_at AT TIME ZONE 'UTC')::date), items.serial_number,
            nullif(scopes.during, '{(,)}')
        FROM vitrine.items
        LEFT JOIN vitrine.top_apps ON top_apps.item_id = items.id
        LEFT JOIN vitrine.food_apps ON food_apps.item_id = items.id
        CROSS JOIN LATERAL (
            SELECT '*' AS scope, NULL::tstzmultirange AS during WHERE items.is_everywhere
            UNION ALL
            SELECT storefront, during FROM vitrine.item_availability WHERE item_id = items.id AND NOT items.is_everywhere
        ) AS scopes
        WHERE items.id = ANY (touched) AND items.deleted_at IS NULL
        RETURNING scope, kind, facets, during
    ), changes AS (
        SELECT scope, kind, facet, during IS NULL AS is_always, 1 AS step
        FROM inserted CROSS JOIN unnest(facets || 'all'::text) AS facet
        UNION ALL
        SELECT
            split_part(name, '/', 1), split_part(name, '/', 2)::vitrine.item_kind, split_part(name, '/', 3),
            split_part(name, '/', 4)::boolean, -1
        FROM unnest(gone) AS name
    )
    INSERT INTO vitrine.listing_counts (scope, kind, facet, items, timed)
    SELECT
        scope, kind, facet, coalesce(sum(step) FILTER (WHERE is_always), 0), coalesce(sum(step) FILTER (WHERE NOT is_always), 0)
    FROM changes
    GROUP BY scope, kind, facet
    ORDER BY scope, kind, facet
    ON CONFLICT (scope, kind, facet) DO UPDATE
        SET items = listing_counts.items + excluded.items, timed = listing_counts.timed + excluded.timed
        WHERE (excluded.items, excluded.timed) <> (0, 0);
END
$$;

CREATE FUNCTION index_items(touched uuid[]) RETURNS void LANGUAGE plpgsql
AS $$
BEGIN
    DELETE FROM vitrine.search_documents
    WHERE item_id = ANY (touched)
        AND NOT EXISTS (SELECT FROM vitrine.items WHERE items.id = search_documents.item_id AND items.deleted_at IS NULL);

    WITH folded AS (
        SELECT
            items.id, coalesce(items.rating_count, 0) AS rating_count, texts.titles,
            vitrine.folded_words(concat_ws(' ',
                array_to_string(texts.titles, ' '),
                vitrine.fold(concat_ws(' ', texts.subtitles, top_apps.developer, food_apps.brand, array_to_string(food_apps.cuisines, ' ')))
            )) AS words,
            ARRAY['@' || items.kind]
            || ARRAY(SELECT DISTINCT '@' || facet FROM vitrine.listings CROSS JOIN unnest(facets) AS facet WHERE item_id = items.id)
            || ARRAY(SELECT '@' || scope FROM vitrine.listings WHERE item_id = items.id) AS facets
        FROM vitrine.items
        LEFT JOIN vitrine.top_apps ON top_apps.item_id = items.id
        LEFT JOIN vitrine.food_apps ON food_apps.item_id = items.id
        CROSS JOIN LATERAL (
            SELECT array_agg(vitrine.fold(title)) AS titles, string_agg(subtitle, ' ') AS subtitles
            FROM vitrine.item_texts WHERE item_id = items.id
        ) AS texts
        WHERE items.id = ANY (touched) AND items.deleted_at IS NULL
    ), documents AS (
        INSERT INTO vitrine.search_documents (item_id, band, rating_count, titles, document)
        SELECT
            id, width_bucket(rating_count, '{4,16,64,256,1024,4096,16384,65536}'::bigint[]), rating_count,
            '| ' || array_to_string(titles, ' | ') || ' |',
            array_to_tsvector(
                ARRAY(SELECT left(word, 100) FROM unnest(words) AS word) || facets
                || ARRAY(SELECT '=' || left(title, 100) FROM unnest(titles) AS title))
        FROM folded
        ON CONFLICT (item_id) DO UPDATE SET
            band = excluded.band, rating_count = excluded.rating_count, titles = excluded.titles, document = excluded.document
        WHERE (search_documents.rating_count, search_documents.titles, search_documents.document)
            IS DISTINCT FROM (excluded.rating_count, excluded.titles, excluded.document)
    )
    INSERT INTO vitrine.search_words (word)
    SELECT DISTINCT left(word, 100) AS word
    FROM folded CROSS JOIN unnest(words) AS word
    WHERE char_length(word) > 2 AND word !~ '^[0-9]+$'
    ORDER BY word
    ON CONFLICT (word) DO NOTHING;
END
$$;

-- Runs when a transaction ends that touched items, or at SET CONSTRAINTS items_are_settled IMMEDIATE. The first call takes all ids of the
-- transaction; those for the other rows find none.
CREATE FUNCTION settle_items() RETURNS trigger LANGUAGE plpgsql
-- Compiling would take longer than what is compiled.
SET jit = off
AS $$
DECLARE
    touched uuid[];
    broken record;
BEGIN
    WITH taken AS (DELETE FROM vitrine.touched_items RETURNING ids)
    SELECT array_agg(DISTINCT id) INTO touched FROM taken CROSS JOIN unnest(taken.ids) AS id;
    IF touched IS NULL THEN
        RETURN NULL;
    END IF;
    SELECT item_id, rule INTO broken FROM vitrine.broken_item_rule(touched);
    IF FOUND THEN
        RAISE EXCEPTION 'item "%" violates check constraint "%"', broken.item_id, broken.rule
            USING ERRCODE = 'check_violation', SCHEMA = 'vitrine', TABLE = 'items', CONSTRAINT = broken.rule;
    END IF;
    INSERT INTO vitrine.sync_outbox (kind, ids)
    SELECT 'item', touched[first:first + 999] FROM generate_series(1, cardinality(touched), 1000) AS first;
    PERFORM vitrine.list_items(touched);
    PERFORM vitrine.index_items(touched);
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER items_are_settled AFTER INSERT ON touched_items
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION settle_items();
ALTER TABLE touched_items ENABLE ALWAYS TRIGGER items_are_settled;
