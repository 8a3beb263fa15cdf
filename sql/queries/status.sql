-- The state that the admin API reports: the live feeds of each storefront, and everything that needs attention.

-- name: status.publishing
-- Returns the head, whether a process is the leader, the numbers of unpublished changes, of items to index and of items
-- that cannot be indexed, and the time.
SELECT
    version,
    EXISTS (
        SELECT FROM pg_locks
        WHERE locktype = 'advisory' AND objsubid = 1 AND (classid::bigint << 32 | objid::bigint) = 6021740921345508342
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    ) AS has_leader,
    (
        SELECT coalesce(sum(CASE WHEN ids IS NULL THEN cardinality(keys) ELSE (pg_column_size(ids) - 20) / 16 END), 0)
        FROM vitrine.sync_outbox
    ) AS pending_changes,
    (SELECT coalesce(sum(cardinality(ids)), 0) FROM vitrine.stale_items) AS pending_items,
    (SELECT count(*) FROM vitrine.unindexed_items) AS unindexed_items,
    clock_timestamp() AS moment
FROM vitrine.sync_head;

-- name: status.published
-- Returns the published feeds of the storefront $1, or of all.
SELECT
    storefront, feed, coalesce((document ->> 'revision')::integer, 0) AS revision,
    coalesce(json_array_length(document -> 'sections')::integer, 0) AS sections
FROM vitrine.published
WHERE kind = 'feed' AND document IS NOT NULL AND ($1::text IS NULL OR storefront = $1)
ORDER BY storefront COLLATE "C", feed COLLATE "C";

-- name: status.retained
-- Returns the retained sections of the storefront $1, or of all.
SELECT storefront, feed, section, reason, retained_at
FROM vitrine.retained_sections
WHERE $1::text IS NULL OR storefront = $1
ORDER BY feed COLLATE "C", section COLLATE "C", storefront COLLATE "C";

-- name: status.drafts
-- Returns the drafts of the main lines that differ from the base since before $2, and are not scheduled after $1.
SELECT feeds.key, draft.number, greatest(draft.saved_at, lower(base.during)) AS differs_since
FROM vitrine.feeds
CROSS JOIN LATERAL (
    SELECT number, hash, saved_at FROM vitrine.revisions WHERE revisions.feed = key AND line = 'main' ORDER BY number DESC LIMIT 1
) AS draft
JOIN vitrine.publications AS base ON base.feed = key AND base.layer = 'base' AND base.during @> $1::timestamptz
JOIN vitrine.revisions AS live ON live.feed = key AND live.number = base.revision
WHERE archived_at IS NULL AND draft.hash <> live.hash AND greatest(draft.saved_at, lower(base.during)) < $2::timestamptz
    AND NOT EXISTS (
        SELECT FROM vitrine.publications AS planned
        WHERE planned.feed = key AND planned.revision = draft.number AND planned.during && tstzrange($1::timestamptz, NULL))
ORDER BY feeds.key COLLATE "C";

-- name: status.last_import
-- Returns the newest import that was not a dry run, with the code of its failure.
SELECT id, failure FROM vitrine.imports WHERE NOT is_dry_run ORDER BY id DESC LIMIT 1;
