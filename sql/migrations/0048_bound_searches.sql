-- A search reads a part of the index that does not grow with the catalog (decision 45). Items without ratings are in several
-- bands, and each two adjacent words of a title are a word of the index.

-- Transactions that have changed items end first, because they index in the form of before. All others find the new functions
-- after this migration. A drain only reads items, so it does not wait.
LOCK TABLE items IN SHARE MODE;

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

-- Returns the band of an item in the search index. Bands 8 to 1 have items with ratings, in powers of four, and band 0 has
-- those with one to three. Any number of items can have none. Bands -1 to -5 divide them by a hash of their IDs, each with four
-- times as many as all before it: a 256th is in band -1, and three of four are in band -5.
CREATE FUNCTION search_band(rating_count bigint, item_id uuid) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT CASE
        WHEN rating_count > 0 THEN width_bucket(rating_count, '{4,16,64,256,1024,4096,16384,65536}'::bigint[])
        ELSE -1 - width_bucket(('x' || left(md5(item_id::text), 2))::bit(8)::integer, '{1,4,16,64}'::integer[])
    END
$$;

CREATE INDEX search_documents_unrated_1 ON search_documents USING gin (document) WHERE band = -1;
CREATE INDEX search_documents_unrated_2 ON search_documents USING gin (document) WHERE band = -2;
CREATE INDEX search_documents_unrated_3 ON search_documents USING gin (document) WHERE band = -3;
CREATE INDEX search_documents_unrated_4 ON search_documents USING gin (document) WHERE band = -4;
CREATE INDEX search_documents_unrated_5 ON search_documents USING gin (document) WHERE band = -5;

-- Returns the documents that match the query, from the band with the most ratings to the one with the fewest. It is one
-- statement, so that the planner inlines it into the query of the caller.
CREATE FUNCTION matching_documents(wanted tsquery)
RETURNS TABLE (item_id uuid, rating_count bigint, titles text, document tsvector) LANGUAGE sql STABLE
AS $$
    SELECT item_id, rating_count, titles, document FROM vitrine.search_documents WHERE band = 8 AND document @@ wanted
    UNION ALL
    SELECT item_id, rating_count, titles, document FROM vitrine.search_documents WHERE band = 7 AND document @@ wanted
    UNION ALL
    SELECT item_id, rating_count, titles, document FROM vitrine.search_documents WHERE band = 6 AND document @@ wanted
    UNION ALL
    SELECT item_id, rating_count, titles, document FROM vitrine.search_documents WHERE band = 5 AND document @@ wanted
    UNION ALL
    SELECT item_id, rating_count, titles, document FROM vitrine.search_documents WHERE band = 4 AND document @@ wanted
    UNION ALL
    SELECT item_id, rating_count, titles, document FROM vitrine.search_documents WHERE band = 3 AND document @@ wanted
    UNION ALL
    SELECT item_id, rating_count, titles, document FROM vitrine.search_documents WHERE band = 2 AND document @@ wanted
    UNION ALL
    SELECT item_id, rating_count, titles, document FROM vitrine.search_documents WHERE band = 1 AND document @@ wanted
    UNION ALL
    SELECT item_id, rating_count, titles, document FROM vitrine.search_documents WHERE band = 0 AND document @@ wanted
    UNION ALL
    SELECT item_id, rating_count, titles, document FROM vitrine.search_documents WHERE band = -1 AND document @@ wanted
    UNION ALL
    SELECT item_id, rating_count, titles, document FROM vitrine.search_documents WHERE band = -2 AND document @@ wanted
    UNION ALL
    SELECT item_id, rating_count, titles, document FROM vitrine.search_documents WHERE band = -3 AND document @@ wanted
    UNION ALL
    SELECT item_id, rating_count, titles, document FROM vitrine.search_documents WHERE band = -4 AND document @@ wanted
    UNION ALL
    SELECT item_id, rating_count, titles, document FROM vitrine.search_documents WHERE band = -5 AND document @@ wanted
$$;

-- Returns the items of these documents, at most this many.
CREATE OR REPLACE FUNCTION matching_items(wanted tsquery, most bigint) RETURNS TABLE (item_id uuid) LANGUAGE sql STABLE
AS $$ SELECT item_id FROM vitrine.matching_documents(wanted) LIMIT most $$;

-- A document also has each two adjacent words of a title, as ~harbor notes. A bar is between two titles.
SELECT amend(
    'vitrine.derive(uuid[])',
    $before$string_to_array('=' || replace(titles, ' | ', '|='), '|') AS whole,$before$,
    $after$
            string_to_array('=' || replace(titles, ' | ', '|='), '|') || ARRAY(
                SELECT concat('~', word, ' ', next)
                FROM unnest(string_to_array(titles, ' '), (string_to_array(titles, ' '))[2:]) AS pairs (word, next)
                WHERE word <> '|' AND next <> '|') AS whole,
$after$);
SELECT amend(
    'vitrine.derive(uuid[])',
    $before$width_bucket(rating_count, '{4,16,64,256,1024,4096,16384,65536}'::bigint[])$before$,
    'vitrine.search_band(rating_count, item_id)');
SELECT amend(
    'vitrine.derive(uuid[])',
    $before$
        WHERE (search_documents.rating_count, search_documents.titles, search_documents.document)
            IS DISTINCT FROM (excluded.rating_count, excluded.titles, excluded.document)
$before$,
    $after$
        WHERE (search_documents.band, search_documents.rating_count, search_documents.titles, search_documents.document)
            IS DISTINCT FROM (excluded.band, excluded.rating_count, excluded.titles, excluded.document)
$after$);

DROP FUNCTION amend(regprocedure, text, text);

-- Until an item is indexed again, searches find it by its words and not by their pairs.
SELECT queue_all_items();

-- Last, because searches wait from here on. Migration 50 validates the constraint.
ALTER TABLE search_documents
    DROP CONSTRAINT search_documents_band_check,
    ADD CONSTRAINT search_documents_band_check CHECK (band BETWEEN -5 AND 8) NOT VALID;
