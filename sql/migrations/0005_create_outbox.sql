-- What has changed, for the composer. Whoever writes to the catalog, also by hand, is heard: statement triggers collect what a transaction
-- touches, and its end tells each item once.

CREATE TABLE sync_outbox (
    -- No number and no time: given out before the commit, either would let a reader pass by a slow transaction.
    kind text NOT NULL,
    -- Of items; all else has keys.
    ids uuid[],
    keys text[],
    CONSTRAINT sync_outbox_kind_check CHECK (kind ~ '^[a-z][A-Za-z]{0,39}$'),
    CONSTRAINT sync_outbox_ids_check CHECK (num_nonnulls(ids, keys) = 1 AND cardinality(coalesce(ids::text[], keys)) BETWEEN 1 AND 1000)
);

-- Random bytes do not get smaller.
ALTER TABLE sync_outbox ALTER COLUMN ids SET STORAGE EXTERNAL;

-- Rows are here from a statement to the end of its transaction, so nobody else ever sees one, and none outlives a crash.
CREATE UNLOGGED TABLE touched_items (
    ids uuid[] NOT NULL
);

ALTER TABLE touched_items ALTER COLUMN ids SET STORAGE EXTERNAL;

-- The argument is the column with the id of the item. Of an UPDATE both sides count, so that an id that was taken away is heard of as well.
CREATE FUNCTION touch_items() RETURNS trigger LANGUAGE plpgsql
AS $$
DECLARE
    changed text := CASE TG_OP
        WHEN 'INSERT' THEN 'SELECT %1$I AS id FROM new_rows'
        WHEN 'DELETE' THEN 'SELECT %1$I AS id FROM old_rows'
        ELSE 'SELECT %1$I AS id FROM old_rows UNION SELECT %1$I FROM new_rows'
    END;
BEGIN
    EXECUTE format(
        'INSERT INTO vitrine.touched_items (ids)
         SELECT array_agg(id) FROM (
             SELECT id, (row_number() OVER () - 1) / 1000 AS part FROM (SELECT DISTINCT id FROM (' || changed || ') AS rows) AS ids
         ) AS parts GROUP BY part',
        TG_ARGV[0]);
    RETURN NULL;
END
$$;

-- The arguments are the kind and an expression for the key.
CREATE FUNCTION tell_keys() RETURNS trigger LANGUAGE plpgsql
AS $$
DECLARE
    changed text := CASE TG_OP
        WHEN 'INSERT' THEN 'SELECT %1$s AS key FROM new_rows'
        WHEN 'DELETE' THEN 'SELECT %1$s AS key FROM old_rows'
        ELSE 'SELECT %1$s AS key FROM old_rows UNION SELECT %1$s FROM new_rows'
    END;
BEGIN
    EXECUTE format(
        'INSERT INTO vitrine.sync_outbox (kind, keys)
         SELECT %2$L, array_agg(key) FROM (
             SELECT key, (row_number() OVER () - 1) / 1000 AS part FROM (SELECT DISTINCT key FROM (' || changed || ') AS rows) AS keys
         ) AS parts GROUP BY part',
        TG_ARGV[1], TG_ARGV[0]);
    RETURN NULL;
END
$$;

CREATE FUNCTION refuse_truncate() RETURNS trigger LANGUAGE plpgsql
AS $$
BEGIN
    RAISE EXCEPTION '% cannot be truncated', TG_TABLE_NAME
        USING ERRCODE = 'feature_not_supported', HINT = 'TRUNCATE tells nobody which rows it takes; use DELETE.';
END
$$;

-- What no constraint of one table can say of an item that is not withdrawn. Asked when the transaction ends, as it takes several statements
-- to write an item. Answers with one that breaks a rule, and the name of the rule.
CREATE FUNCTION broken_item_rule(touched uuid[]) RETURNS TABLE (item_id uuid, rule text) LANGUAGE sql STABLE
AS $$
    SELECT items.id, rule.name
    FROM unnest(touched) AS touched_ids (id)
    JOIN vitrine.items ON items.id = touched_ids.id AND items.deleted_at IS NULL
    LEFT JOIN vitrine.top_apps ON top_apps.item_id = items.id
    LEFT JOIN vitrine.food_apps ON food_apps.item_id = items.id
    CROSS JOIN LATERAL (
        SELECT CASE
            WHEN num_nonnulls(top_apps.item_id, food_apps.item_id) = 0 THEN 'items_kind_detail_check'
            WHEN NOT EXISTS (SELECT FROM vitrine.item_texts WHERE item_texts.item_id = items.id) THEN 'items_title_check'
            WHEN NOT EXISTS (SELECT FROM vitrine.item_categories WHERE item_categories.item_id = items.id) THEN 'items_categories_check'
            WHEN EXISTS (
                SELECT FROM vitrine.item_categories JOIN vitrine.categories ON categories.key = item_categories.category
                WHERE item_categories.item_id = items.id AND categories.item_kind <> items.kind
            ) THEN 'item_categories_kind_check'
            WHEN EXISTS (
                SELECT FROM vitrine.item_prices
                WHERE item_prices.item_id = items.id AND (item_prices.role = 'price') <> (items.kind = 'topApp')
            ) THEN 'item_prices_role_check'
            WHEN items.is_everywhere AND EXISTS (
                SELECT FROM vitrine.item_availability WHERE item_availability.item_id = items.id
            ) THEN 'items_is_everywhere_check'
        END AS name
    ) AS rule
    WHERE rule.name IS NOT NULL
    LIMIT 1
$$;

-- Each table with the function that hears of its rows. ENABLE ALWAYS, so that rows that come by replication or a restore count as well.
DO $$
DECLARE
    heard record;
BEGIN
    FOR heard IN
        SELECT *
        FROM (VALUES
            ('items', 'touch_items(''id'')'),
            ('top_apps', 'touch_items(''item_id'')'),
            ('food_apps', 'touch_items(''item_id'')'),
            ('item_texts', 'touch_items(''item_id'')'),
            ('item_categories', 'touch_items(''item_id'')'),
            ('item_availability', 'touch_items(''item_id'')'),
            ('item_prices', 'touch_items(''item_id'')'),
            ('storefronts', 'tell_keys(''storefront'', ''key'')'),
            ('storefront_locales', 'tell_keys(''storefront'', ''storefront'')'),
            ('categories', 'tell_keys(''category'', ''key'')'),
            ('category_texts', 'tell_keys(''category'', ''category'')'),
            ('charts', 'tell_keys(''chart'', ''storefront || ''''/'''' || name'')'),
            ('chart_entries', 'tell_keys(''chart'', ''storefront || ''''/'''' || chart'')')
        ) AS heard (name, call)
    LOOP
        EXECUTE format('CREATE TRIGGER tell_inserted AFTER INSERT ON %I REFERENCING NEW TABLE AS new_rows EXECUTE FUNCTION %s',
            heard.name, heard.call);
        EXECUTE format(
            'CREATE TRIGGER tell_updated AFTER UPDATE ON %I REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows EXECUTE FUNCTION %s',
            heard.name, heard.call);
        EXECUTE format('CREATE TRIGGER tell_deleted AFTER DELETE ON %I REFERENCING OLD TABLE AS old_rows EXECUTE FUNCTION %s',
            heard.name, heard.call);
        EXECUTE format('CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON %I EXECUTE FUNCTION refuse_truncate()', heard.name);
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER tell_inserted', heard.name);
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER tell_updated', heard.name);
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER tell_deleted', heard.name);
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER refuse_truncate', heard.name);
    END LOOP;
END
$$;
