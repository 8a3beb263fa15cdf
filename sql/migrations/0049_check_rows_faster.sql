-- Constraints that take half of the time and accept the same rows. An import writes ten rows for each item, and their checks
-- took longer than the rest of COPY. A cheap test accepts the usual values, and the complete one decides about the others.

-- A drain locks the head and then reads items. In another order, this migration and a drain would wait for each other.
LOCK TABLE sync_head IN EXCLUSIVE MODE;
LOCK TABLE items IN ACCESS EXCLUSIVE MODE;

-- Whether a text has 1 to max_length characters, not only spaces, and no control characters. It is one expression, so that the
-- planner inlines it. A text has at most as many characters as bytes, which are counted faster.
CREATE FUNCTION is_single_line(given text, max_length integer) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT
        given <> '' AND (octet_length(given) <= max_length OR char_length(given) <= max_length)
        AND (given NOT LIKE ' %' OR btrim(given) <> '') AND given !~ '[[:cntrl:]]'
$$;

-- A text of ASCII characters has as many characters as bytes.
ALTER TABLE items
    DROP CONSTRAINT items_source_check,
    ADD CONSTRAINT items_source_check CHECK (is_single_line(source, 200)) NOT VALID,
    DROP CONSTRAINT items_slug_check,
    ADD CONSTRAINT items_slug_check CHECK (octet_length(slug) BETWEEN 1 AND 80 AND slug !~ '[^a-z0-9-]') NOT VALID,
    DROP CONSTRAINT items_tags_check,
    ADD CONSTRAINT items_tags_check CHECK (tags = '{}' OR cardinality(tags) <= 50 AND is_set_of_slugs(tags)) NOT VALID;

ALTER TABLE top_apps
    DROP CONSTRAINT top_apps_bundle_id_check,
    ADD CONSTRAINT top_apps_bundle_id_check CHECK (octet_length(bundle_id) BETWEEN 1 AND 200 AND bundle_id !~ '[^!-~]') NOT VALID,
    DROP CONSTRAINT top_apps_developer_check,
    ADD CONSTRAINT top_apps_developer_check CHECK (is_single_line(developer, 200)) NOT VALID,
    DROP CONSTRAINT top_apps_app_version_check,
    ADD CONSTRAINT top_apps_app_version_check CHECK (is_single_line(app_version, 100)) NOT VALID,
    DROP CONSTRAINT top_apps_homepage_check,
    ADD CONSTRAINT top_apps_homepage_check CHECK (
        octet_length(homepage) <= 2048 AND (homepage LIKE 'https://_%' OR homepage LIKE 'http://_%') AND homepage !~ '[^!-~]') NOT VALID;

ALTER TABLE food_apps
    DROP CONSTRAINT food_apps_brand_check,
    ADD CONSTRAINT food_apps_brand_check CHECK (is_single_line(brand, 200)) NOT VALID,
    DROP CONSTRAINT food_apps_dietary_tags_check,
    ADD CONSTRAINT food_apps_dietary_tags_check CHECK (
        dietary_tags = '{}' OR cardinality(dietary_tags) <= 50 AND is_set_of_slugs(dietary_tags)) NOT VALID;

ALTER TABLE item_texts
    DROP CONSTRAINT item_texts_locale_check,
    ADD CONSTRAINT item_texts_locale_check CHECK (
        CASE octet_length(locale)
            WHEN 2 THEN locale !~ '[^a-z]'
            ELSE locale ~ '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$'
        END) NOT VALID,
    DROP CONSTRAINT item_texts_title_check,
    ADD CONSTRAINT item_texts_title_check CHECK (is_single_line(title, 200)) NOT VALID,
    DROP CONSTRAINT item_texts_subtitle_check,
    ADD CONSTRAINT item_texts_subtitle_check CHECK (is_single_line(subtitle, 500)) NOT VALID,
    DROP CONSTRAINT item_texts_image_alt_check,
    ADD CONSTRAINT item_texts_image_alt_check CHECK (is_single_line(image_alt, 500)) NOT VALID;

-- Most items that are not in every storefront are in a few of them at all times.
ALTER TABLE item_availability
    DROP CONSTRAINT item_availability_during_check,
    ADD CONSTRAINT item_availability_during_check CHECK (
        during = '{(,)}' OR NOT isempty(during) AND are_half_open(during) AND number_of_spans(during) <= 1000
        AND (lower_inf(during) OR lower(during) >= '0001-01-01T00:00:00Z')
        AND (upper_inf(during) OR upper(during) < '10000-01-01T00:00:00Z')) NOT VALID;

-- A version of eight bytes has at most four numbers.
ALTER TABLE item_platforms
    DROP CONSTRAINT item_platforms_minimum_os_check,
    ADD CONSTRAINT item_platforms_minimum_os_check CHECK (
        minimum_os IS NULL OR octet_length(minimum_os) <= 8 AND minimum_os ~ '^[0-9]+(\.[0-9]+)*$'
        OR measure_key(minimum_os) IS NOT NULL) NOT VALID;

-- Like the previous function, but a transaction of many items that excludes all others from the table locks none of them, because
-- each lock writes a row. A load into an empty catalog is such a transaction.
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
    IF cardinality(touched) <= 100 OR NOT EXISTS (
        SELECT FROM pg_catalog.pg_locks
        WHERE locktype = 'relation' AND relation = 'vitrine.items'::regclass AND mode = 'AccessExclusiveLock' AND granted
            AND database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()) AND pid = pg_backend_pid()
    ) THEN
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
