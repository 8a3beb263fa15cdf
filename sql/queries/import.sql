-- The queries of an import. New rows, and the rows of changed items, are copied directly into their tables with COPY.
-- One query per chunk determines which rows these are.

-- name: import.lock
-- Allows one chunk at a time over all imports, so that the changes of one plan are written before the next is made.
--
-- The other locks block indexing and serial numbers. Indexing would wait for items of this chunk while it holds others
-- that the chunk needs later. A serial number taken from the sequence could be assigned twice, see next_serial_number.
-- The locks last until the transaction ends. So does the setting that the writer knows the hashes of its items, see
-- settle_items.
SELECT
    pg_advisory_xact_lock(7234017283807667300), pg_advisory_xact_lock(7234017283807667301), pg_advisory_xact_lock(7234017283807667302),
    set_config('vitrine.writes_hashes', 'on', true);

-- name: import.queue
-- Changes of this transaction are indexed after its commit, however few they are, see settle_items, and are published apart
-- from edits.
SELECT set_config('vitrine.queues_items', 'on', true), set_config('vitrine.is_import', 'on', true);

-- name: import.backlog
-- Returns the number of changes of imports that are not published yet, the oldest of their transactions, which every drain of
-- imports takes, and whether a process holds the lock of the leader, which publishes them.
SELECT
    coalesce(sum(change_count), 0) AS changes,
    coalesce((
        SELECT transaction::text
        FROM vitrine.sync_outbox
        WHERE is_import
        -- In the order of sequencer.waiting.
        ORDER BY sync_outbox.transaction < pg_snapshot_xmax(pg_current_snapshot()), sync_outbox.transaction
        LIMIT 1
    ), '') AS oldest,
    EXISTS (
        SELECT FROM pg_locks
        WHERE locktype = 'advisory' AND objsubid = 1 AND (classid::bigint << 32 | objid::bigint) = 6021740921345508342
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    ) AS has_leader
FROM vitrine.sync_outbox
WHERE is_import;

-- name: import.hold_items
-- Locks these items against writes until the transaction ends. Imports and edits write the row of an item before its
-- parts.
SELECT FROM vitrine.items WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE;

-- name: import.edit_items
-- Prepares to edit locked items whose hashes the writer knows. Changes are indexed at the end of the transaction, also while an
-- import writes a chunk. If another session is indexing, whose counts the transaction would wait for, the edit is indexed before
-- everything else that waits, see settle_items and derive_items.
SELECT
    set_config('vitrine.writes_hashes', 'on', true),
    set_config('vitrine.queues_items', CASE WHEN pg_try_advisory_xact_lock_shared(7234017283807667304) THEN 'off' ELSE 'on' END, true);

-- name: import.savepoint
SAVEPOINT import_chunk;

-- name: import.release
RELEASE SAVEPOINT import_chunk;

-- name: import.take_back
ROLLBACK TO SAVEPOINT import_chunk;

-- name: import.settle
-- Checks the deferred constraints now, while a part of the transaction can still be rolled back.
SET CONSTRAINTS ALL IMMEDIATE;

-- name: import.defer
SET CONSTRAINTS ALL DEFERRED;

-- name: import.categories
SELECT key, item_kind::text AS item_kind
FROM vitrine.categories
ORDER BY key;

-- name: import.storefronts
SELECT key, currency
FROM vitrine.storefronts
ORDER BY key;

-- name: import.time_zones
SELECT name FROM pg_timezone_names;

-- name: import.platforms
SELECT key FROM vitrine.platforms;

-- name: import.rating_labels
SELECT scheme, label FROM vitrine.rating_labels ORDER BY scheme, minimum_age;

-- name: import.plan
-- Plans a chunk by kinds, sources, IDs, whether the ID was given, serial numbers or NULL, slugs and content hashes.
--
-- It returns no row for a record that is already up to date. member names the field that prevents the import: another
-- item has its value, or the item has another value. A slug is free if its item releases it in the same chunk. That is
-- looked up in a hashed set, however few records the planner expects. A join could scan all records of the chunk for
-- each record.
WITH given AS MATERIALIZED (
    SELECT kind::vitrine.item_kind AS kind, source, id, has_id, serial_number, slug, content_hash, place
    FROM unnest($1::text[], $2::text[], $3::uuid[], $4::boolean[], $5::bigint[], $6::text[], $7::bytea[])
        WITH ORDINALITY AS given (kind, source, id, has_id, serial_number, slug, content_hash, place)
)
SELECT place::integer AS place, found_id, member
FROM (
    SELECT
        given.place,
        found.id AS found_id,
        found.content_hash = given.content_hash AND found.deleted_at IS NULL AS is_same,
        CASE
            WHEN found.id IS NULL AND same_id.id IS NOT NULL OR given.has_id AND found.id <> given.id THEN 'id'
            WHEN same_number.id <> coalesce(found.id, given.id) OR found.serial_number <> given.serial_number THEN 'serialNumber'
            WHEN same_slug.id <> coalesce(found.id, given.id) AND NOT (
                (same_slug.kind, same_slug.source) IN (SELECT kind, source FROM given)
                AND (same_slug.kind, same_slug.source, same_slug.slug) NOT IN (SELECT kind, source, slug FROM given)) THEN 'slug'
        END AS member
    FROM given
    LEFT JOIN vitrine.items AS found ON found.kind = given.kind AND found.source = given.source
    LEFT JOIN vitrine.items AS same_id ON same_id.id = given.id AND found.id IS NULL
    LEFT JOIN vitrine.items AS same_number ON same_number.serial_number = given.serial_number
    LEFT JOIN vitrine.items AS same_slug
        ON same_slug.kind = given.kind AND same_slug.slug = given.slug AND found.slug IS DISTINCT FROM given.slug
) AS plans
WHERE is_same IS NOT TRUE OR member IS NOT NULL
ORDER BY place;

-- name: import.last_serial_number
SELECT coalesce(max(serial_number), 0) AS serial_number
FROM vitrine.items;

-- name: import.advance_serial_numbers
-- Serial numbers from the sequence continue after those of the import.
SELECT setval('vitrine.item_serial_numbers', greatest($1::bigint, (SELECT last_value FROM vitrine.item_serial_numbers))) AS serial_number;

-- name: import.may_load
-- Whether keys and indexes may be created after all rows are loaded, which takes an eighth of the time. No session
-- misses them in an empty catalog, and only the owner can create them.
SELECT
    NOT EXISTS (SELECT FROM vitrine.items)
    AND pg_has_role(relowner, 'USAGE') AS may_load
FROM pg_class
WHERE oid = 'vitrine.items'::regclass;

-- name: import.close_catalog
-- After this lock the catalog stays empty. Readers of items lock this table first, too.
LOCK TABLE vitrine.items IN ACCESS EXCLUSIVE MODE;

-- name: import.put_keys_off
-- Drops the keys, indexes and foreign keys of the tables to load, in the phases in which they are created again. The
-- triggers of the tables are disabled. Their work is done explicitly at the end, once per item.
DO $$
DECLARE
    filled CONSTANT regclass[] := '{vitrine.items, vitrine.top_apps, vitrine.food_apps, vitrine.item_texts, vitrine.item_categories,
        vitrine.item_availability, vitrine.item_prices, vitrine.item_price_periods, vitrine.item_images, vitrine.item_platforms,
        vitrine.item_age_ratings, vitrine.imported_lines}';
    removal text;
BEGIN
    -- The catalog is empty.
    DELETE FROM vitrine.imported_lines;
    CREATE TEMPORARY TABLE import_keys ON COMMIT DROP AS
    SELECT
        CASE contype WHEN 'f' THEN 3 ELSE 1 END AS phase,
        format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS removal,
        format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS making
    FROM pg_constraint
    WHERE contype IN ('p', 'u', 'x') AND conrelid = ANY (filled) OR contype = 'f' AND (conrelid = ANY (filled) OR confrelid = ANY (filled))
    UNION ALL
    SELECT
        2, format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
    FROM pg_index
    WHERE indrelid = ANY (filled)
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))
    UNION ALL
    SELECT
        4, format('ALTER TABLE %s DISABLE TRIGGER %I', tgrelid::regclass, tgname),
        format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', tgrelid::regclass, tgname)
    FROM pg_trigger
    WHERE tgrelid = ANY (filled) AND tgname = 'tell_inserted' AND tgenabled = 'A';
    FOR removal IN SELECT import_keys.removal FROM import_keys ORDER BY phase DESC LOOP
        EXECUTE removal;
    END LOOP;
END
$$;

-- name: import.make_keys
DO $$
DECLARE
    making text;
BEGIN
    PERFORM set_config('maintenance_work_mem', '256MB', true);
    -- A second process takes longer than it saves for an index of a smaller table. It starts in 13 ms, and the leader merges its rows.
    PERFORM set_config('min_parallel_table_scan_size', '32MB', true);
    FOR making IN SELECT import_keys.making FROM import_keys ORDER BY phase LOOP
        EXECUTE making;
    END LOOP;
    -- Otherwise the next import, if it comes before an autoanalyze, is planned for tables of a few rows. A sample of 900 rows is
    -- enough for that, and the default one takes as long as all indexes of 50,000 items. The rows of this transaction still count
    -- as changed, so autovacuum reads the default sample soon after the commit.
    PERFORM set_config('default_statistics_target', '3', true);
    ANALYZE vitrine.items, vitrine.top_apps, vitrine.food_apps, vitrine.item_texts, vitrine.item_categories, vitrine.item_availability,
        vitrine.item_prices, vitrine.item_price_periods, vitrine.item_images, vitrine.item_platforms, vitrine.item_age_ratings,
        vitrine.imported_lines;
END
$$;

-- name: import.notify_all
INSERT INTO vitrine.touched_items (ids, is_first)
SELECT array_agg(id), part = 0
FROM (SELECT id, (row_number() OVER () - 1) / 1000 AS part FROM vitrine.items) AS parts
GROUP BY part;

-- name: import.derive
-- Indexes some of the waiting items, in one session at a time, because two would wait for each other's counts. The second lock
-- makes edits wait for their turn as well, see import.edit_items.
SELECT vitrine.derive_items(1000) AS items
FROM (SELECT pg_advisory_xact_lock(7234017283807667301), pg_advisory_xact_lock(7234017283807667304)) AS turn;

-- name: import.derive_edits
-- Indexes the edits that wait. Otherwise, they would wait for the end of an import, which leaves no turn to other sessions.
SELECT vitrine.derive_stale_edits(1000) AS items
FROM (SELECT pg_advisory_xact_lock(7234017283807667301), pg_advisory_xact_lock(7234017283807667304)) AS turn;

-- name: import.analyze
-- Updates the planner's statistics, which lack rows loaded into an empty catalog. It also merges the pending list of
-- the search index, which the planner avoids otherwise. A user that does not own the tables only gets a warning.
VACUUM (ANALYZE) vitrine.items, vitrine.top_apps, vitrine.food_apps, vitrine.item_texts, vitrine.item_categories, vitrine.item_availability,
    vitrine.item_prices, vitrine.item_price_periods, vitrine.item_images, vitrine.item_platforms, vitrine.item_age_ratings, vitrine.listings,
    vitrine.listed_titles, vitrine.listing_counts, vitrine.listing_moments, vitrine.search_documents, vitrine.search_words,
    vitrine.imported_lines;

-- name: import.copy_items
COPY vitrine.items (
    id, serial_number, content_hash, kind, source, slug, rating_average, rating_count, is_everywhere, tags
) FROM STDIN (FORMAT binary);

-- name: import.copy_top_apps
COPY vitrine.top_apps (
    item_id, bundle_id, developer, app_version, size_bytes, release_date, homepage
) FROM STDIN (FORMAT binary);

-- name: import.copy_food_apps
COPY vitrine.food_apps (
    item_id, brand, cuisines, dietary_tags, delivery_minutes_from, delivery_minutes_to, price_band, opening_hours, time_zone,
    release_date
) FROM STDIN (FORMAT binary);

-- name: import.copy_texts
COPY vitrine.item_texts (item_id, locale, title, subtitle, image_alt) FROM STDIN (FORMAT binary);

-- name: import.copy_categories
COPY vitrine.item_categories (item_id, category, rank) FROM STDIN (FORMAT binary);

-- name: import.copy_availability
COPY vitrine.item_availability (item_id, storefront, during) FROM STDIN (FORMAT binary);

-- name: import.copy_prices
COPY vitrine.item_prices (item_id, storefront, role, amount_minor, currency) FROM STDIN (FORMAT binary);

-- name: import.copy_price_periods
COPY vitrine.item_price_periods (item_id, storefront, role, during, amount_minor, currency, former_minor) FROM STDIN (FORMAT binary);

-- name: import.copy_images
COPY vitrine.item_images (
    item_id, role, place, locale, appearance, template, width, height, sizes, color, blurhash, alt
) FROM STDIN (FORMAT binary);

-- name: import.copy_platforms
COPY vitrine.item_platforms (item_id, platform, minimum_os) FROM STDIN (FORMAT binary);

-- name: import.copy_age_ratings
COPY vitrine.item_age_ratings (item_id, scheme, label) FROM STDIN (FORMAT binary);

-- name: import.copy_lines
COPY vitrine.imported_lines (item_id, line) FROM STDIN (FORMAT binary);

-- name: import.put_lines
-- Stores the lines of existing items whose content is that of the line. An item that another transaction writes gets no line,
-- and one that gets a line cannot be written until this transaction ends, see settle_items.
INSERT INTO vitrine.imported_lines (item_id, line)
SELECT items.id, given.line
FROM unnest($1::text[], $2::text[], $3::bytea[], $4::bytea[]) AS given (kind, source, content_hash, line)
JOIN vitrine.items
    ON items.kind = given.kind::vitrine.item_kind AND items.source = given.source AND items.content_hash = given.content_hash
        AND deleted_at IS NULL
WHERE given.line IS DISTINCT FROM (SELECT stored.line FROM vitrine.imported_lines AS stored WHERE stored.item_id = items.id)
FOR SHARE OF items SKIP LOCKED
ON CONFLICT (item_id) DO UPDATE SET line = excluded.line, stored_at = excluded.stored_at;

-- name: import.forget_lost_lines
DELETE FROM vitrine.lost_lines WHERE lost_at < clock_timestamp() - interval '7 days';

-- name: import.count_lines
-- Returns the snapshot before the lines are read, the time, the number of pages of lines, and the number of short and long lines.
SELECT
    pg_current_snapshot()::text AS snapshot, clock_timestamp()::text AS checked_at,
    (SELECT pg_relation_size('vitrine.imported_lines') / current_setting('block_size')::bigint / 1024 + 1) AS pages,
    count(*) FILTER (WHERE octet_length(line) = 32) AS short_lines,
    count(*) FILTER (WHERE octet_length(line) <> 32) AS long_lines
FROM vitrine.imported_lines;

-- name: import.lines
-- Returns the lines of a page of 1,024 blocks, one after another: those of 32 bytes, and those of 56 bytes.
SELECT
    string_agg(line, '') FILTER (WHERE octet_length(line) = 32) AS short_lines,
    string_agg(line, '') FILTER (WHERE octet_length(line) <> 32) AS long_lines
FROM vitrine.imported_lines
WHERE ctid >= ('(' || $1::bigint * 1024 || ',0)')::tid AND ctid < ('(' || ($1::bigint + 1) * 1024 || ',0)')::tid;

-- name: import.lost_lines
-- Returns the hashes of the lines that other transactions have lost since the snapshot $1, except the transaction $2, which
-- was the importer's own, and the point from which the next query continues. Lost lines are kept for a week only, so
-- is_late says that some can be missing since $3.
SELECT
    (
        SELECT string_agg(hashes, '')
        FROM vitrine.lost_lines
        WHERE NOT pg_visible_in_snapshot(transaction, $1::text::pg_snapshot) AND transaction::text <> ALL (ARRAY[$2::text, pg_current_xact_id()::text])
            -- After a restore, the numbers of transactions can be those of a later time.
            AND transaction < pg_snapshot_xmax(pg_current_snapshot())
    ) AS hashes,
    pg_current_snapshot()::text AS snapshot, pg_current_xact_id()::text AS transaction, clock_timestamp()::text AS checked_at,
    clock_timestamp() - $3::text::timestamptz > interval '1 day' AS is_late;

-- name: import.change_items
-- Restores a withdrawn item that is in a file again. The tags are array literals.
UPDATE vitrine.items SET
    slug = given.slug, content_hash = given.content_hash, version = version + 1, rating_average = given.rating_average,
    rating_count = given.rating_count, is_everywhere = given.is_everywhere, tags = given.tags::text[],
    updated_at = greatest(transaction_timestamp(), created_at), deleted_at = NULL
FROM unnest($1::uuid[], $2::text[], $3::bytea[], $4::numeric[], $5::bigint[], $6::boolean[], $7::text[])
    AS given (id, slug, content_hash, rating_average, rating_count, is_everywhere, tags)
WHERE items.id = given.id;

-- name: import.clear_top_apps
DELETE FROM vitrine.top_apps WHERE item_id = ANY ($1::uuid[]);

-- name: import.clear_food_apps
DELETE FROM vitrine.food_apps WHERE item_id = ANY ($1::uuid[]);

-- name: import.clear_texts
DELETE FROM vitrine.item_texts WHERE item_id = ANY ($1::uuid[]);

-- name: import.clear_categories
DELETE FROM vitrine.item_categories WHERE item_id = ANY ($1::uuid[]);

-- name: import.clear_availability
DELETE FROM vitrine.item_availability WHERE item_id = ANY ($1::uuid[]);

-- name: import.clear_prices
DELETE FROM vitrine.item_prices WHERE item_id = ANY ($1::uuid[]);

-- name: import.clear_price_periods
DELETE FROM vitrine.item_price_periods WHERE item_id = ANY ($1::uuid[]);

-- name: import.clear_images
DELETE FROM vitrine.item_images WHERE item_id = ANY ($1::uuid[]);

-- name: import.clear_platforms
DELETE FROM vitrine.item_platforms WHERE item_id = ANY ($1::uuid[]);

-- name: import.clear_age_ratings
DELETE FROM vitrine.item_age_ratings WHERE item_id = ANY ($1::uuid[]);

-- name: import.active_items
-- Returns a page of items that are not withdrawn, after an ID.
SELECT id, kind::text AS kind, source
FROM vitrine.items
WHERE id > $1::uuid AND kind::text = ANY ($2::text[]) AND deleted_at IS NULL
ORDER BY id
LIMIT 10000;

-- name: import.withdraw
UPDATE vitrine.items SET
    deleted_at = greatest(transaction_timestamp(), created_at), updated_at = greatest(transaction_timestamp(), created_at),
    version = version + 1
WHERE id = ANY ($1::uuid[]) AND deleted_at IS NULL;

-- name: import.same_storefronts
-- Returns the given storefronts that are in the catalog with equal values. Without a rating scheme, that of the catalog counts. The
-- locales are array literals. They are locked like those that a new row refers to, so they keep their currencies and are not
-- deleted before the items of the chunk are written. A deletion that is not yet committed is waited for.
SELECT storefronts.key
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
    AS given (key, currency, time_zone, default_locale, rating_scheme, locales)
JOIN vitrine.storefronts
    ON storefronts.key = given.key AND storefronts.currency = given.currency AND storefronts.time_zone = given.time_zone
        AND storefronts.default_locale = given.default_locale
        AND storefronts.rating_scheme = coalesce(given.rating_scheme, storefronts.rating_scheme)
WHERE (
    SELECT array_agg(locale ORDER BY rank) = given.locales::text[] AND max(rank) = count(*)
    FROM vitrine.storefront_locales
    WHERE storefront = storefronts.key
)
FOR KEY SHARE OF storefronts;

-- name: import.same_categories
-- Returns the given categories that are in the catalog with equal values, and locks them in the same way. The titles are JSON objects.
SELECT categories.key
FROM unnest($1::text[], $2::text[], $3::text[]) AS given (key, item_kind, titles)
JOIN vitrine.categories
    ON categories.key = given.key AND categories.item_kind IS NOT DISTINCT FROM given.item_kind::vitrine.item_kind
WHERE (SELECT jsonb_object_agg(locale, title) FROM vitrine.category_texts WHERE category = categories.key) = given.titles::jsonb
FOR KEY SHARE OF categories;

-- name: import.same_charts
-- Returns the positions of the given charts that are in the catalog with the same items. The items are array literals.
SELECT place::integer AS place
FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS given (storefront, name, items, place)
JOIN vitrine.charts ON charts.storefront = given.storefront AND charts.name = given.name
WHERE ARRAY(
    SELECT item_id FROM vitrine.chart_entries WHERE storefront = charts.storefront AND chart = charts.name ORDER BY rank
) = given.items::uuid[]
ORDER BY place;

-- name: import.has_prices
SELECT
    EXISTS (SELECT FROM vitrine.item_prices WHERE storefront = $1::text)
    OR EXISTS (SELECT FROM vitrine.item_price_periods WHERE storefront = $1) AS has_prices;

-- name: import.hold_storefronts
-- Locks the set of storefronts if the storefront $1 exists and its currency is not $2, so also if that is NULL. A publication
-- holds the set before it refers to the row of a storefront. What excludes such references, the deletion of the row and a
-- change of its currency, therefore waits for publications before it locks the row against them. Each change of the row
-- locks it first, so all have one order: the row, the set, the references.
SELECT vitrine.hold_storefronts(exclusively => true)::text AS held
FROM (SELECT FROM vitrine.storefronts WHERE key = $1::text AND currency IS DISTINCT FROM $2::text FOR NO KEY UPDATE) AS storefront;

-- name: import.put_storefront
-- Without the rating scheme $5, an existing storefront keeps its own, and a new one gets $6. An unchanged storefront is
-- not locked, because an edit of prices would wait for the import.
INSERT INTO vitrine.storefronts (key, currency, time_zone, default_locale, rating_scheme)
SELECT key, currency, time_zone, default_locale, coalesce($5::text, $6::text)
FROM (VALUES ($1::text, $2::text, $3::text, $4::text)) AS given (key, currency, time_zone, default_locale)
WHERE (key, currency, time_zone, default_locale) NOT IN (
    SELECT key, currency, time_zone, default_locale FROM vitrine.storefronts WHERE rating_scheme = coalesce($5, rating_scheme))
ON CONFLICT (key) DO UPDATE SET
    currency = excluded.currency, time_zone = excluded.time_zone, default_locale = excluded.default_locale,
    rating_scheme = coalesce($5, storefronts.rating_scheme)
WHERE (storefronts.currency, storefronts.time_zone, storefronts.default_locale, storefronts.rating_scheme)
    IS DISTINCT FROM (excluded.currency, excluded.time_zone, excluded.default_locale, coalesce($5, storefronts.rating_scheme))
RETURNING xmax = 0 AS is_new;

-- name: import.remove_storefront_locales
DELETE FROM vitrine.storefront_locales WHERE storefront = $1::text AND locale <> ALL ($2::text[]);

-- name: import.put_storefront_locales
INSERT INTO vitrine.storefront_locales (storefront, locale, rank)
SELECT $1::text, locale, rank
FROM unnest($2::text[]) WITH ORDINALITY AS given (locale, rank)
ON CONFLICT (storefront, locale) DO UPDATE SET rank = excluded.rank WHERE storefront_locales.rank <> excluded.rank;

-- name: import.put_category
INSERT INTO vitrine.categories (key, item_kind)
VALUES ($1::text, $2::text::vitrine.item_kind)
ON CONFLICT (key) DO UPDATE SET item_kind = excluded.item_kind WHERE categories.item_kind IS DISTINCT FROM excluded.item_kind
RETURNING xmax = 0 AS is_new;

-- name: import.remove_category_texts
DELETE FROM vitrine.category_texts WHERE category = $1::text AND locale <> ALL ($2::text[]);

-- name: import.put_category_texts
INSERT INTO vitrine.category_texts (category, locale, title)
SELECT $1::text, locale, title
FROM unnest($2::text[], $3::text[]) AS given (locale, title)
ON CONFLICT (category, locale) DO UPDATE SET title = excluded.title WHERE category_texts.title <> excluded.title;

-- name: import.chart_items
-- Returns the ID of each item in a chart, given by its ID or by its kind and slug. The ID is NULL if the item does not
-- exist.
SELECT given.place::integer AS place, coalesce(by_id.id, by_slug.id) AS id
FROM unnest($1::uuid[], $2::text[], $3::text[]) WITH ORDINALITY AS given (id, kind, slug, place)
LEFT JOIN vitrine.items AS by_id ON by_id.id = given.id
LEFT JOIN vitrine.items AS by_slug ON by_slug.kind = given.kind::vitrine.item_kind AND by_slug.slug = given.slug
ORDER BY place;

-- name: import.hold_chart
-- Locks a chart, if it exists, against other imports and edits until the transaction ends.
SELECT FROM vitrine.charts WHERE storefront = $1::text AND name = $2::text FOR NO KEY UPDATE;

-- name: import.loaded_chart_items
-- Like the previous query, for all charts of a chunk at a time at which the items have no keys. It reads the table once and looks up
-- each item in hashed sets, however few references the planner expects. A join sorts the whole table for each chart.
SELECT id, kind::text AS kind, slug
FROM vitrine.items
WHERE id IN (SELECT unnest($1::uuid[]))
    OR (kind, slug) IN (SELECT kind::vitrine.item_kind, slug FROM unnest($2::text[], $3::text[]) AS given (kind, slug));

-- name: import.chart
SELECT
    EXISTS (SELECT FROM vitrine.charts WHERE storefront = $1::text AND name = $2::text) AS is_there,
    ARRAY(SELECT item_id FROM vitrine.chart_entries WHERE storefront = $1::text AND chart = $2::text ORDER BY rank) AS items;

-- name: import.put_chart
INSERT INTO vitrine.charts (storefront, name) VALUES ($1::text, $2::text) ON CONFLICT (storefront, name) DO NOTHING;

-- name: import.clear_chart
DELETE FROM vitrine.chart_entries WHERE storefront = $1::text AND chart = $2::text;

-- name: import.fill_chart
INSERT INTO vitrine.chart_entries (storefront, chart, rank, item_id)
SELECT $1::text, $2::text, rank, item_id
FROM unnest($3::uuid[]) WITH ORDINALITY AS given (item_id, rank);
