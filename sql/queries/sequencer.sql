-- The queries of the sequencer. A drain runs in one REPEATABLE READ transaction.

-- name: sequencer.elect
-- Whether this session becomes the leader, who holds the lock $1. It leads until it ends.
SELECT pg_try_advisory_lock($1::bigint) AS is_elected;

-- name: sequencer.inspect
-- Whether the outbox has changes, and the current time.
SELECT EXISTS (SELECT FROM vitrine.sync_outbox) AS has_changes, clock_timestamp() AS moment;

-- name: sequencer.wait_for_head
-- The first statement of a drain. It takes no snapshot, and the server parses the next statement after it, so a drain
-- that waits here for another writer of the head sees what that writer committed. Such a writer is a drain, a purge or a consistency check
-- that settles buckets. Readers of the head do not wait.
LOCK TABLE vitrine.sync_head IN EXCLUSIVE MODE;

-- name: sequencer.read_head
-- The time is $1 microseconds ahead of the clock, here and below.
SELECT
    version, now() + $1::bigint * interval '1 microsecond' AS moment, moment AS published_moment, is_complete, due_sections
FROM vitrine.sync_head;

-- name: sequencer.waiting
-- Returns the number of changes of each transaction in the outbox, and whether it is of an import, oldest transaction first.
-- Transaction IDs that this server has not issued yet come from a restored dump and are older than all others.
SELECT transaction::text AS transaction, sum(change_count) AS changes, bool_and(is_import) AS is_import
FROM vitrine.sync_outbox
GROUP BY sync_outbox.transaction
ORDER BY sync_outbox.transaction < pg_snapshot_xmax(pg_current_snapshot()), sync_outbox.transaction;

-- name: sequencer.remove_few_changes
-- Removes and returns all changes, if they are at most $1, and those of imports at most $2. Otherwise, a drain chooses some
-- of them.
DELETE FROM vitrine.sync_outbox
WHERE (
    SELECT coalesce(sum(change_count), 0) <= $1::bigint AND coalesce(sum(change_count) FILTER (WHERE is_import), 0) <= $2::bigint
    FROM vitrine.sync_outbox
)
RETURNING kind, coalesce(ids, '{}') AS ids, coalesce(keys, '{}') AS keys, is_import;

-- name: sequencer.inspect_head
-- The same for a reader that changes nothing, with whether there are changes that may affect feeds: in the outbox, or in
-- sections that are due.
SELECT
    version, now() + $1::bigint * interval '1 microsecond' AS moment, moment AS published_moment,
    due_sections > 0
        OR EXISTS (SELECT FROM vitrine.sync_outbox WHERE kind <> 'category' AND NOT starts_with(kind, 'doubted')) AS has_changes
FROM vitrine.sync_head;

-- name: sequencer.begin_epoch
-- Checks whether this is another history than the last that was written. It runs after the lock and before any version.
SELECT vitrine.begin_epoch(false) AS is_another;

-- name: sequencer.remove_changes
-- Removes and returns the changes of the transactions $1, or of all if it is NULL. With $2, items are left for
-- sequencer.open_items.
DELETE FROM vitrine.sync_outbox
WHERE ($1::text[] IS NULL OR transaction = ANY ($1::text[]::xid8[])) AND NOT ($2::boolean AND kind = 'item')
RETURNING kind, coalesce(ids, '{}') AS ids, coalesce(keys, '{}') AS keys, is_import;

-- name: sequencer.open_items
-- Opens a cursor on the item IDs of the transactions $1, or of all if it is NULL. Each row is read once, in any number
-- of steps.
DECLARE items_of_share NO SCROLL CURSOR FOR
SELECT unnest(ids)
FROM vitrine.sync_outbox
WHERE kind = 'item' AND ($1::text[] IS NULL OR transaction = ANY ($1::text[]::xid8[]));

-- name: sequencer.next_items
FETCH FORWARD 10000 FROM items_of_share;

-- name: sequencer.close_items
CLOSE items_of_share;

-- name: sequencer.remove_items
-- Removes the rows that the cursor has read. The transaction sees the same rows in both statements.
DELETE FROM vitrine.sync_outbox
WHERE kind = 'item' AND ($1::text[] IS NULL OR transaction = ANY ($1::text[]::xid8[]));

-- name: sequencer.storefronts
-- Returns the storefronts with their current day and the time at which the next one starts.
SELECT
    key, currency, time_zone, default_locale,
    ARRAY(SELECT locale FROM vitrine.storefront_locales WHERE storefront = key ORDER BY rank) AS locales,
    rating_scheme, (SELECT vitrine.rating_scheme_documents()) AS rating_schemes,
    (moment AT TIME ZONE time_zone)::date AS today,
    vitrine.beginning_of_day((moment AT TIME ZONE time_zone)::date + 1, time_zone) AS midnight
FROM vitrine.storefronts CROSS JOIN (SELECT now() + $1::bigint * interval '1 microsecond') AS clock (moment)
WHERE closed_at IS NULL
ORDER BY key COLLATE "C";

-- name: sequencer.published_storefronts
-- Returns the published storefront $1, or all of them if it is NULL.
SELECT storefront, version, document FROM vitrine.published_storefronts WHERE $1::text IS NULL OR storefront = $1;

-- name: sequencer.publish_storefronts
-- Publishes the storefronts $1 with the versions at the same positions of $2.
INSERT INTO vitrine.published_storefronts (storefront, version, document)
SELECT asked_storefront, asked_version, document
FROM unnest($1::text[], $2::bigint[]) AS asked (asked_storefront, asked_version)
JOIN vitrine.storefront_documents() ON storefront = asked_storefront
ON CONFLICT (storefront) DO UPDATE SET version = excluded.version, document = excluded.document;

-- name: sequencer.wall_clocks
-- Returns the instants of the wall-clock times $1 in the time zones of the storefronts.
SELECT time_zone, given, vitrine.moment_of(given::timestamp, time_zone) AS moment
FROM (SELECT DISTINCT time_zone FROM vitrine.storefronts WHERE closed_at IS NULL) AS zones CROSS JOIN unnest($1::text[]) AS asked (given);

-- name: sequencer.live_revisions
-- Returns the live revision of each feed in each storefront with its publication.
SELECT feed, storefront, publication, revision, until_moment
FROM vitrine.live_revisions(now() + $1::bigint * interval '1 microsecond');

-- name: sequencer.revision_documents
-- Returns the revisions at the same positions of $1 and $2.
SELECT feed, number, vitrine.readable_document(document) AS document
FROM unnest($1::text[], $2::integer[]) AS asked (asked_feed, asked_number)
JOIN vitrine.revisions ON (feed, number) = (asked_feed, asked_number);

-- name: sequencer.shown
-- Returns all published parts of feeds, in the storefront $1 or in all, and all layouts. It uses their indexes, so it
-- does not scan millions of items and their catalog memberships. is_whole is false if a document does not match its
-- hash.
SELECT kind::text AS kind, id, storefront, feed, item_id, document, valid_until, hash = substring(vitrine.digest_of(document::text) FOR 16) AS is_whole
FROM vitrine.published
WHERE feed IS NOT NULL AND document IS NOT NULL AND ($1::text IS NULL OR storefront = $1)
UNION ALL
SELECT kind::text, id, storefront, feed, item_id, document, valid_until, hash = substring(vitrine.digest_of(document::text) FOR 16)
FROM vitrine.published
WHERE kind = 'layout' AND document IS NOT NULL;

-- name: sequencer.references
-- Returns the IDs of the items of the kinds $1 with the slugs at the same positions of $2.
SELECT kind::text AS kind, slug, id
FROM unnest($1::text[]::vitrine.item_kind[], $2::text[]) AS asked (asked_kind, asked_slug)
JOIN vitrine.items ON slug = asked_slug AND kind = asked_kind
WHERE deleted_at IS NULL;

-- name: sequencer.bounds
-- Returns the items whose availability in the storefronts $1 or whose price changed by the clock in ($2, $3]. The document
-- of an item has the prices of all storefronts, also of closed ones.
SELECT item_id
FROM unnest($1::text[]) AS asked (storefront)
JOIN vitrine.availability_bounds ON availability_bounds.storefront = asked.storefront AND moment > $2::timestamptz AND moment <= $3::timestamptz
UNION ALL
SELECT item_id
FROM vitrine.storefronts
JOIN vitrine.item_price_periods ON storefront = key AND lower(during) > $2 AND lower(during) <= $3
UNION ALL
SELECT item_id
FROM vitrine.storefronts
JOIN vitrine.item_price_periods ON storefront = key AND upper(during) > $2 AND upper(during) <= $3;

-- name: sequencer.next_bounds
-- Returns for each of the storefronts $1 the first $3 items whose availability or price changes by the clock after $2. An
-- item can have several periods with one bound, so each part is limited after its duplicates are removed.
SELECT asked.storefront, next.moment, next.item_id
FROM unnest($1::text[]) AS asked (storefront)
CROSS JOIN LATERAL (
    (
        SELECT moment, item_id
        FROM vitrine.availability_bounds
        WHERE availability_bounds.storefront = asked.storefront AND moment > $2::timestamptz
        ORDER BY moment, item_id
        LIMIT $3::bigint
    )
    UNION
    (
        SELECT DISTINCT lower(during) AS moment, item_id
        FROM vitrine.item_price_periods
        WHERE item_price_periods.storefront = asked.storefront AND lower(during) > $2
        ORDER BY moment, item_id
        LIMIT $3
    )
    UNION
    (
        SELECT DISTINCT upper(during) AS moment, item_id
        FROM vitrine.item_price_periods
        WHERE item_price_periods.storefront = asked.storefront AND upper(during) > $2
        ORDER BY moment, item_id
        LIMIT $3
    )
    ORDER BY moment, item_id
    LIMIT $3
) AS next
ORDER BY asked.storefront, next.moment, next.item_id;

-- name: sequencer.bounded
-- Returns the storefronts in which the availability or the price of one of the items $1 changes by the clock after $2.
SELECT storefront FROM vitrine.availability_bounds WHERE item_id = ANY ($1::uuid[]) AND moment > $2::timestamptz
UNION
SELECT storefront FROM vitrine.item_price_periods WHERE item_id = ANY ($1) AND upper(during) > $2;

-- name: sequencer.publish_items
-- Publishes items. Those of $4 are published even if they are unchanged.
SELECT vitrine.publish_items($1::uuid[], $2::bigint, $3::timestamptz, $4::uuid[]) AS versions;

-- name: sequencer.publish
-- Publishes documents with their versions. A row without a document becomes a tombstone.
INSERT INTO vitrine.published (kind, id, storefront, feed, item_id, version, document, hash, gone_at)
SELECT
    kind::vitrine.published_kind, id, storefront, feed, item_id, version, document::json, substring(vitrine.digest_of(document) FOR 16),
    CASE WHEN document IS NULL THEN now() END
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::uuid[], $6::bigint[], $7::text[])
    AS given (kind, id, storefront, feed, item_id, version, document)
ON CONFLICT (kind, id, storefront) DO UPDATE SET
    item_id = excluded.item_id, version = excluded.version, document = excluded.document, hash = excluded.hash, gone_at = excluded.gone_at,
    valid_until = CASE WHEN excluded.document IS NOT NULL THEN published.valid_until END;

-- name: sequencer.set_ends
-- Sets the time at which the feeds $2 in the storefronts $1 change next by the clock.
UPDATE vitrine.published
SET valid_until = given.moment
FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS given (storefront, feed, moment)
WHERE kind = 'feed' AND published.id = given.feed AND published.storefront = given.storefront
    AND published.valid_until IS DISTINCT FROM given.moment;

-- name: sequencer.takeovers
-- Returns the takeovers that have a finding, which are those without a base below them and those that end within $2
-- microseconds, and those that the clock adds to them next.
WITH ahead AS MATERIALIZED (
    SELECT
        feed, storefront, publication, revision, start, finish, is_above_base,
        greatest(start, finish - $2::bigint * interval '1 microsecond') AS noticed
    FROM vitrine.takeovers_ahead(now() + $1::bigint * interval '1 microsecond')
), next AS MATERIALIZED (
    SELECT min(noticed) AS notice FROM ahead WHERE finish IS NOT NULL AND noticed > now() + $1 * interval '1 microsecond'
)
SELECT feed, storefront, publication, revision, start, finish, is_above_base
FROM ahead CROSS JOIN next
WHERE NOT is_above_base OR finish IS NOT NULL AND noticed <= coalesce(notice, now() + $1 * interval '1 microsecond');

-- name: sequencer.moved_spans
-- Returns the spans that a time zone has moved, or could not move, and whose bounds lie ahead.
SELECT feed, storefront, publication, revision, is_moved, start, finish, start_before, finish_before
FROM vitrine.moved_spans_ahead(now() + $1::bigint * interval '1 microsecond');

-- name: sequencer.findings
-- Returns all live findings, each in one storefront.
SELECT feed, storefront, code, subject, severity, section, revision, platforms, pointer, message, help, since
FROM vitrine.live_findings;

-- name: sequencer.remove_findings
-- Removes the findings at the same positions of the feeds $1, the codes $2, the subjects $3 and the storefronts $4.
DELETE FROM vitrine.live_findings
USING unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS ended (of_feed, of_code, of_subject, of_storefront)
WHERE (feed, code, subject, storefront) = (of_feed, of_code, of_subject, of_storefront);

-- name: sequencer.put_findings
-- Adds or replaces findings. The platforms of each are separated by spaces.
INSERT INTO vitrine.live_findings (
    feed, code, subject, storefront, severity, section, revision, platforms, pointer, message, help, since)
SELECT
    feed, code, subject, storefront, severity, section, revision, string_to_array(platforms, ' '), pointer, message, help, since
FROM unnest(
    $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::integer[], $8::text[], $9::text[], $10::text[], $11::text[],
    $12::timestamptz[]
) AS given (feed, code, subject, storefront, severity, section, revision, platforms, pointer, message, help, since)
ON CONFLICT (feed, code, subject, storefront) DO UPDATE SET
    severity = excluded.severity, section = excluded.section, revision = excluded.revision, platforms = excluded.platforms,
    pointer = excluded.pointer, message = excluded.message, help = excluded.help, since = excluded.since;

-- name: sequencer.changed_zones
-- Returns the time zones whose rules have changed, or changed an hour ago, each with its storefronts.
SELECT time_zone, storefront FROM vitrine.changed_zones();

-- name: sequencer.move_spans
-- Moves the scheduled starts and ends in the storefront $1 whose time zone has other rules.
SELECT vitrine.move_and_record_spans($1::text)::text AS moved;

-- name: sequencer.record_zones
-- Records the rules of the zones $1, in whose storefronts the starts and ends were moved.
SELECT vitrine.record_zone_rules($1::text[])::text AS recorded;

-- name: sequencer.next_zone_check
-- Returns the time of the next second check of a zone, or NULL.
SELECT min(recheck_at) AS recheck_at FROM vitrine.zone_rules;

-- name: sequencer.set_head
-- Everything is published up to this version, and all changes of the clock up to this time. With $3, these versions are one
-- committed state of the catalog. $4 is the number of due sections that are left.
UPDATE vitrine.sync_head SET version = $1::bigint, moment = $2::timestamptz, is_complete = $3::boolean, due_sections = $4::bigint;

-- name: sequencer.purge
-- Removes the tombstones that are older than $1 days.
SELECT vitrine.purge_published($1::bigint * interval '1 second', $2::integer) AS purged;

-- name: sequencer.notify
-- Notifies waiting servers when this transaction commits. A server that misses it finds the version by polling.
SELECT pg_notify('vitrine_published', $1::bigint::text);

-- name: sequencer.hurry_outbox
SELECT set_config('lock_timeout', '10ms', true) AS lock_timeout;

-- name: sequencer.lock_outbox
LOCK TABLE vitrine.sync_outbox IN ACCESS EXCLUSIVE MODE;

-- name: sequencer.outbox_size
SELECT pg_relation_size('vitrine.sync_outbox') AS bytes, EXISTS (SELECT FROM vitrine.sync_outbox) AS has_changes;

-- name: sequencer.empty_outbox
TRUNCATE vitrine.sync_outbox;
