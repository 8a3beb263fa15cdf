-- The rules of several tables for a load into an empty catalog, which took as long as a third of its rows.

-- Whether all items keep the rules of broken_item_rule, also if none was checked before. It counts if keys and foreign keys make a
-- count sufficient, and otherwise joins each table with items. If it returns false, a withdrawn item can still keep the rules.
CREATE FUNCTION are_item_rules_kept() RETURNS boolean LANGUAGE sql STABLE
AS $$
    SELECT
        (SELECT count(*) FILTER (WHERE deleted_at IS NULL) FROM vitrine.items) = ALL (ARRAY[
            (SELECT count(*) FROM vitrine.items),
            -- An item has at most one row in the table of its own kind, and none in the other one.
            (SELECT count(*) FROM vitrine.top_apps) + (SELECT count(*) FROM vitrine.food_apps),
            (SELECT count(*) FROM (SELECT FROM vitrine.item_categories GROUP BY item_id) AS categorized),
            (SELECT count(*) FROM (SELECT FROM vitrine.item_texts GROUP BY item_id HAVING count(*) <= 50) AS titled)
        ])
        -- Counts, because the planner expects the first row of EXISTS early and would look up each item.
        AND 0 = ALL (ARRAY[
            (
                SELECT count(*)
                FROM vitrine.item_categories
                JOIN vitrine.items ON items.id = item_id
                JOIN vitrine.categories ON categories.key = category AND categories.item_kind <> items.kind
            ),
            (SELECT count(*) FROM vitrine.item_prices JOIN vitrine.items ON items.id = item_id WHERE (role = 'price') <> (kind = 'topApp')),
            (SELECT count(*) FROM vitrine.item_availability JOIN vitrine.items ON items.id = item_id WHERE is_everywhere),
            (
                SELECT count(*) FROM vitrine.items
                WHERE EXISTS (SELECT FROM vitrine.item_platforms WHERE item_platforms.item_id = id) <> (kind = 'topApp')
            ),
            (
                SELECT count(*) FROM vitrine.items
                WHERE EXISTS (SELECT FROM vitrine.item_age_ratings WHERE item_age_ratings.item_id = id) <> (kind = 'topApp')
            ),
            (
                SELECT count(*) FROM vitrine.food_apps
                WHERE time_zone IS NOT NULL AND time_zone NOT IN (SELECT name FROM pg_catalog.pg_timezone_names)
            ),
            (
                SELECT count(*)
                FROM vitrine.item_price_periods JOIN vitrine.items ON items.id = item_id
                WHERE (role = 'price') <> (kind = 'topApp')
            ),
            (
                SELECT count(*)
                FROM (SELECT FROM vitrine.item_price_periods GROUP BY item_id, storefront, role HAVING count(*) > 1000) AS many
            ),
            (
                SELECT count(*) FROM vitrine.item_images AS image
                WHERE NOT EXISTS (
                    SELECT FROM vitrine.item_images AS base
                    WHERE (base.item_id, base.role, base.place, base.appearance) = (image.item_id, image.role, image.place, 'light')
                        AND base.locale = CASE image.appearance WHEN 'dark' THEN image.locale ELSE '' END
                        AND base.template IS NOT NULL)
            ),
            (
                SELECT count(*)
                FROM vitrine.item_images AS image
                JOIN vitrine.item_images AS standard
                    ON (standard.item_id, standard.role, standard.place, standard.locale, standard.appearance)
                        = (image.item_id, image.role, image.place, '', 'light')
                WHERE strpos(image.template, '{w}') = 0 AND cardinality(standard.sizes) <> 2
            ),
            (
                SELECT count(*)
                FROM (SELECT FROM vitrine.item_images WHERE role <> 'icon' GROUP BY item_id HAVING count(DISTINCT role) > 10) AS many
            ),
            (
                SELECT count(*)
                FROM (
                    SELECT FROM vitrine.item_images WHERE locale <> '' AND appearance = 'light'
                    GROUP BY item_id, role, place HAVING greatest(count(template), count(alt)) > 50
                ) AS many
            )
        ])
$$;

-- Like the previous function, but a load checks the rules of several tables for all items together.
CREATE OR REPLACE FUNCTION settle_items() RETURNS trigger LANGUAGE plpgsql
SET plan_cache_mode = force_custom_plan
SET jit = off
AS $$
DECLARE
    touched uuid[];
    broken record;
    is_load boolean;
BEGIN
    SELECT array_agg(DISTINCT id) INTO touched
    FROM vitrine.touched_items CROSS JOIN unnest(ids) AS id WHERE transaction = pg_current_xact_id();
    -- In a session without foreign keys, counts prove nothing.
    is_load := coalesce(cardinality(touched) > 100, false) AND current_setting('session_replication_role') <> 'replica' AND EXISTS (
        SELECT FROM pg_catalog.pg_locks
        WHERE locktype = 'relation' AND relation = 'vitrine.items'::regclass AND mode = 'AccessExclusiveLock' AND granted
            AND database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()) AND pid = pg_backend_pid()
    );
    -- Locked before the rules are checked. If two transactions each remove one of the two categories of an item, the
    -- second must see the change of the first.
    IF NOT is_load THEN
        PERFORM FROM vitrine.items WHERE id = ANY (touched) ORDER BY id FOR NO KEY UPDATE;
    END IF;
    -- No record has a hash of zeros, so the next import writes the item again.
    IF current_setting('vitrine.writes_hashes', true) IS DISTINCT FROM 'on' THEN
        UPDATE vitrine.items SET content_hash = decode(repeat('00', 32), 'hex'), version = version + 1
        WHERE id = ANY (touched) AND created_at <> transaction_timestamp();
    END IF;
    -- The snapshot of this transaction can hide a line that another one has stored since. This fails if there is one.
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        INSERT INTO vitrine.imported_lines (item_id, line, stored_at)
        SELECT id, decode(repeat('00', 32), 'hex'), '-infinity' FROM unnest(touched) AS id ON CONFLICT (item_id) DO NOTHING;
    END IF;
    -- Also if the writer knows the hashes: only a line that the same transaction has stored is that of the written content.
    DELETE FROM vitrine.imported_lines WHERE item_id = ANY (touched) AND stored_at <> transaction_timestamp();
    -- After the update above, whose rows the triggers collect as well.
    DELETE FROM vitrine.touched_items WHERE transaction = pg_current_xact_id();
    -- A load has written all items, so that each table can be read once for all of them. The other check finds the item.
    is_load := is_load AND (SELECT count(*) FROM vitrine.items) = cardinality(touched);
    IF NOT is_load OR NOT vitrine.are_item_rules_kept() THEN
        SELECT item_id, rule INTO broken FROM vitrine.broken_item_rule(touched);
        IF FOUND THEN
            RAISE EXCEPTION 'item "%" violates check constraint "%"', broken.item_id, broken.rule
                USING ERRCODE = 'check_violation', SCHEMA = 'vitrine', TABLE = 'items', CONSTRAINT = broken.rule;
        END IF;
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
