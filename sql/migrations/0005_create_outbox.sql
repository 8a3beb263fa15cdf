-- The outbox. Statement triggers collect the items that a transaction changes, and the end of the transaction adds each
-- of them to the outbox once. The triggers record manual writes as well.

CREATE TABLE sync_outbox (
    -- A row has no number and no time. Both would be assigned before the commit, so a reader could skip a slow
    -- transaction.
    kind text NOT NULL,
    -- The ids of items. All other kinds have keys.
    ids uuid[],
    keys text[],
    CONSTRAINT sync_outbox_kind_check CHECK (kind ~ '^[a-z][A-Za-z]{0,39}$'),
    CONSTRAINT sync_outbox_ids_check CHECK (num_nonnulls(ids, keys) = 1 AND cardinality(coalesce(ids::text[], keys)) BETWEEN 1 AND 1000)
);

-- Compression does not shrink random bytes.
ALTER TABLE sync_outbox ALTER COLUMN ids SET STORAGE EXTERNAL;

-- A row exists only between a statement and the end of its transaction, so no other transaction sees it, and none
-- survives a crash.
CREATE UNLOGGED TABLE touched_items (
    -- The key by which a transaction finds its own rows, even if an old snapshot retains many dead ones.
    transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
    ids uuid[] NOT NULL,
    -- Whether no earlier row of the transaction waits to be settled. The trigger of this row settles all of them.
    is_first boolean NOT NULL
);

CREATE INDEX touched_items_by_transaction ON touched_items (transaction);
ALTER TABLE touched_items ALTER COLUMN ids SET STORAGE EXTERNAL;

-- The argument is the column with the id of the item. An UPDATE counts the old and the new ids, so that an item that
-- loses a row is recorded as well.
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
        'INSERT INTO vitrine.touched_items (ids, is_first)
         SELECT
             array_agg(id),
             part = 0 AND NOT EXISTS (SELECT FROM vitrine.touched_items WHERE transaction = pg_current_xact_id())
         FROM (
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
        USING ERRCODE = 'feature_not_supported', HINT = 'TRUNCATE does not report the removed rows. Use DELETE.';
END
$$;

-- Returns an item that breaks a rule, and the name of the rule. The rules are for items that are not withdrawn, and
-- compare several tables, so they cannot be constraints. They are checked at the end of the transaction, because it
-- takes several statements to write an item.
CREATE FUNCTION broken_item_rule(touched uuid[]) RETURNS TABLE (item_id uuid, rule text) LANGUAGE sql STABLE
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
    LIMIT 1
$$;

-- Adds triggers that call a function after each write to a table. They are ENABLE ALWAYS, so that no session can bypass
-- them with session_replication_role.
CREATE FUNCTION tell_changes_of(heard text, call text) RETURNS void LANGUAGE plpgsql
AS $$
DECLARE
    trigger text;
BEGIN
    EXECUTE format('CREATE TRIGGER tell_inserted AFTER INSERT ON vitrine.%I REFERENCING NEW TABLE AS new_rows EXECUTE FUNCTION vitrine.%s', heard, call);
    EXECUTE format(
        'CREATE TRIGGER tell_updated AFTER UPDATE ON vitrine.%I REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows EXECUTE FUNCTION vitrine.%s',
        heard, call);
    EXECUTE format('CREATE TRIGGER tell_deleted AFTER DELETE ON vitrine.%I REFERENCING OLD TABLE AS old_rows EXECUTE FUNCTION vitrine.%s', heard, call);
    EXECUTE format('CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON vitrine.%I EXECUTE FUNCTION vitrine.refuse_truncate()', heard);
    FOREACH trigger IN ARRAY '{tell_inserted,tell_updated,tell_deleted,refuse_truncate}'::text[] LOOP
        EXECUTE format('ALTER TABLE vitrine.%I ENABLE ALWAYS TRIGGER %I', heard, trigger);
    END LOOP;
END
$$;

SELECT tell_changes_of(heard, call)
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
) AS tables (heard, call);
