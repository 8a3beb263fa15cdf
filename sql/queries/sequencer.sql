-- What the sequencer asks and writes, in one REPEATABLE READ transaction a drain.

-- name: sequencer.elect
-- Whether this session is the one that drains now; it is until it ends.
SELECT pg_try_advisory_lock(6021740921345508342) AS is_elected;

-- name: sequencer.look
-- Whether there is anything to take, and what time it is.
SELECT EXISTS (SELECT FROM vitrine.sync_outbox) AS has_changes, clock_timestamp() AS moment;

-- name: sequencer.wait_for_head
-- The first statement of a drain, in a round trip of its own. It takes no snapshot, so a drain that waits here for another writer of the head
-- (a drain, a purge, an audit that settles buckets) sees what that writer has committed. Readers of the head do not wait.
LOCK TABLE vitrine.sync_head IN EXCLUSIVE MODE;

-- name: sequencer.read_head
-- The moment is $1 microseconds ahead of the clock, here and below.
SELECT
    version, now() + $1::bigint * interval '1 microsecond' AS moment, moment AS published_moment, is_complete
FROM vitrine.sync_head;

-- name: sequencer.waiting
-- How many changes each transaction has left in the outbox, the oldest transaction first. Numbers that this server has not given yet are those
-- of a restored dump, which are older than all others. The size of an array of ids says how many it has: it is stored uncompressed, and is
-- not read for this.
SELECT
    transaction::text AS transaction,
    sum(CASE WHEN ids IS NULL THEN cardinality(keys) ELSE (pg_column_size(ids) - 20) / 16 END) AS changes
FROM vitrine.sync_outbox
GROUP BY transaction
ORDER BY transaction < pg_snapshot_xmax(pg_current_snapshot()), transaction;

-- name: sequencer.look_at_head
-- The same for one who changes nothing; and whether anything waits that may change what feeds show.
SELECT
    version, now() + $1::bigint * interval '1 microsecond' AS moment, moment AS published_moment,
    EXISTS (SELECT FROM vitrine.sync_outbox WHERE kind <> 'category' AND NOT starts_with(kind, 'doubted')) AS has_changes
FROM vitrine.sync_head;

-- name: sequencer.begin_epoch
-- Behind the lock and before any version: whether this is another history than the last that was written.
SELECT vitrine.begin_epoch(false) AS is_another;

-- name: sequencer.take
-- The changes of the transactions $1, or of all where it is NULL; with $2 items are left for sequencer.open_items.
DELETE FROM vitrine.sync_outbox
WHERE ($1::text[] IS NULL OR transaction = ANY ($1::text[]::xid8[])) AND NOT ($2::boolean AND kind = 'item')
RETURNING kind, coalesce(ids, '{}') AS ids, coalesce(keys, '{}') AS keys;

-- name: sequencer.open_items
-- Opens a cursor on the ids of the items of the transactions $1, or of all where it is NULL: each row is read once, however many steps it takes.
DECLARE items_of_share NO SCROLL CURSOR FOR
SELECT unnest(ids)
FROM vitrine.sync_outbox
WHERE kind = 'item' AND ($1::text[] IS NULL OR transaction = ANY ($1::text[]::xid8[]));

-- name: sequencer.next_items
FETCH FORWARD 10000 FROM items_of_share;

-- name: sequencer.close_items
CLOSE items_of_share;

-- name: sequencer.remove_items
-- Removes the rows that the cursor has read: the transaction sees the same rows in both.
DELETE FROM vitrine.sync_outbox
WHERE kind = 'item' AND ($1::text[] IS NULL OR transaction = ANY ($1::text[]::xid8[]));

-- name: sequencer.storefronts
-- With the day that it is there, and when the next one begins.
SELECT
    key, currency, time_zone, default_locale,
    ARRAY(SELECT locale FROM vitrine.storefront_locales WHERE storefront = key ORDER BY rank) AS locales,
    (moment AT TIME ZONE time_zone)::date AS today,
    vitrine.beginning_of_day((moment AT TIME ZONE time_zone)::date + 1, time_zone) AS midnight
FROM vitrine.storefronts CROSS JOIN (SELECT now() + $1::bigint * interval '1 microsecond') AS clock (moment)
ORDER BY key COLLATE "C";

-- name: sequencer.live_revisions
SELECT feed, revision, until_moment FROM vitrine.live_revisions(now() + $1::bigint * interval '1 microsecond') ORDER BY feed;

-- name: sequencer.revision_documents
-- Of the revisions in the same places of $1 and $2.
SELECT feed, number, document
FROM unnest($1::text[], $2::integer[]) AS asked (asked_feed, asked_number)
JOIN vitrine.revisions ON (feed, number) = (asked_feed, asked_number);

-- name: sequencer.shown
-- All that is published of feeds, in the storefront $1 or in all, and of layouts: by their indexes, as millions of items and of their places in
-- catalogs are not passed by for them. What is not what its hash says is not whole.
SELECT kind::text AS kind, id, storefront, feed, item_id, document, valid_until, hash = substring(vitrine.digest_of(document::text) FOR 16) AS is_whole
FROM vitrine.published
WHERE feed IS NOT NULL AND document IS NOT NULL AND ($1::text IS NULL OR storefront = $1)
UNION ALL
SELECT kind::text, id, storefront, feed, item_id, document, valid_until, hash = substring(vitrine.digest_of(document::text) FOR 16)
FROM vitrine.published
WHERE kind = 'layout' AND document IS NOT NULL;

-- name: sequencer.references
-- The ids of the items of the kinds $1 with the slugs in the same places of $2.
SELECT kind::text AS kind, slug, id
FROM unnest($1::text[]::vitrine.item_kind[], $2::text[]) AS asked (asked_kind, asked_slug)
JOIN vitrine.items ON slug = asked_slug AND kind = asked_kind
WHERE deleted_at IS NULL;

-- name: sequencer.bounds
-- The items that have come or gone by the clock in the storefronts $1, in ($2, $3].
SELECT item_id
FROM unnest($1::text[]) AS asked (storefront)
JOIN vitrine.availability_bounds ON availability_bounds.storefront = asked.storefront AND moment > $2::timestamptz AND moment <= $3::timestamptz;

-- name: sequencer.next_bounds
-- In each of the storefronts $1, the first $3 items that come or go by the clock behind $2.
SELECT asked.storefront, next.moment, next.item_id
FROM unnest($1::text[]) AS asked (storefront)
CROSS JOIN LATERAL (
    SELECT moment, item_id
    FROM vitrine.availability_bounds
    WHERE availability_bounds.storefront = asked.storefront AND moment > $2::timestamptz
    ORDER BY moment, item_id
    LIMIT $3::bigint
) AS next
ORDER BY asked.storefront, next.moment, next.item_id;

-- name: sequencer.bounded
-- Which of the items $1 come or go by the clock behind $2.
SELECT DISTINCT item_id FROM vitrine.availability_bounds WHERE item_id = ANY ($1::uuid[]) AND moment > $2::timestamptz;

-- name: sequencer.publish_items
-- Those of $4 whatever is there.
SELECT vitrine.publish_items($1::uuid[], $2::bigint, $3::timestamptz, $4::uuid[]) AS versions;

-- name: sequencer.publish
-- Each with its version; without a document where it is gone.
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
-- When what the feeds $2 show in the storefronts $1 changes next by the clock.
UPDATE vitrine.published
SET valid_until = given.moment
FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS given (storefront, feed, moment)
WHERE kind = 'feed' AND published.id = given.feed AND published.storefront = given.storefront
    AND published.valid_until IS DISTINCT FROM given.moment;

-- name: sequencer.set_head
-- Everything is published up to this version, and all that the clock does up to this moment. With $3 nothing that was committed is left.
UPDATE vitrine.sync_head SET version = $1::bigint, moment = $2::timestamptz, is_complete = $3::boolean;

-- name: sequencer.set_complete
-- What was left has changed nothing that clients see.
UPDATE vitrine.sync_head SET is_complete = true;

-- name: sequencer.purge
-- Forgets what has been gone for more than $1 days.
SELECT vitrine.purge_published($1::bigint * interval '1 second', $2::integer) AS purged;

-- name: sequencer.tell
-- Wakes those who wait for it when this transaction has committed. Who misses it sees the version.
SELECT pg_notify('vitrine_published', $1::bigint::text);

-- name: sequencer.hurry_outbox
SELECT set_config('lock_timeout', '10ms', true) AS lock_timeout;

-- name: sequencer.lock_outbox
LOCK TABLE vitrine.sync_outbox IN ACCESS EXCLUSIVE MODE;

-- name: sequencer.outbox_size
SELECT pg_relation_size('vitrine.sync_outbox') AS bytes, EXISTS (SELECT FROM vitrine.sync_outbox) AS has_changes;

-- name: sequencer.empty_outbox
TRUNCATE vitrine.sync_outbox;
