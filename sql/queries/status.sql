-- The state that the admin API reports: the live feeds of each storefront, and everything that needs attention.

-- name: status.publishing
-- Returns the head, whether a process holds the lock $1 of the leader, the number of unpublished changes and of those of
-- imports, the time of the first one, the number of due sections, the number of items to index up to $2, the number of items that
-- cannot be indexed, and the time.
SELECT
    version,
    EXISTS (
        SELECT FROM pg_locks
        WHERE locktype = 'advisory' AND objsubid = 1 AND (classid::bigint << 32 | objid::bigint) = $1::bigint
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    ) AS has_leader,
    pending_changes, pending_imports, pending_since, due_sections,
    (
        SELECT least(coalesce(sum(cardinality(ids)), 0), $2::bigint)
        FROM (SELECT ids FROM vitrine.stale_items LIMIT $2::bigint) AS stale
    ) AS pending_items,
    (SELECT count(*) FROM vitrine.unindexed_items) AS unindexed_items,
    clock_timestamp() AS moment
FROM vitrine.sync_head
CROSS JOIN (
    SELECT
        coalesce(sum(change_count), 0) AS pending_changes, coalesce(sum(change_count) FILTER (WHERE is_import), 0) AS pending_imports,
        min(recorded_at) AS pending_since
    FROM vitrine.sync_outbox
) AS pending;

-- name: status.pending_keys
-- Returns the feeds, the storefronts and the spans with unpublished changes that were recorded after $1.
SELECT DISTINCT kind, key
FROM vitrine.sync_outbox CROSS JOIN unnest(keys) AS keys (key)
WHERE kind IN ('feed', 'storefront', 'span') AND recorded_at > $1::timestamptz;

-- name: status.published
-- Returns the published feeds of the storefront $1, or of all.
SELECT
    storefront, feed, coalesce((document ->> 'revision')::integer, 0) AS revision,
    coalesce(json_array_length(document -> 'sections')::integer, 0) AS sections
FROM vitrine.published
WHERE kind = 'feed' AND document IS NOT NULL AND ($1::text IS NULL OR storefront = $1)
ORDER BY storefront COLLATE "C", feed COLLATE "C";

-- name: status.findings
-- Returns the live findings of the storefront $1, the feed $2 and the severity $3, each of which can be NULL for all. A row has
-- all storefronts with the same finding, so there are as many rows as a report shows.
SELECT
    feed, array_agg(storefront) AS storefronts, code, min(severity) AS severity, min(section) AS section, revision, platforms, pointer, message,
    min(help) AS help, min(since) AS since
FROM vitrine.live_findings
WHERE ($1::text IS NULL OR storefront = $1) AND ($2::text IS NULL OR feed = $2) AND ($3::text IS NULL OR severity = $3)
GROUP BY feed, code, subject, revision, platforms, pointer, message;

-- name: status.storefronts
-- Returns the open storefronts.
SELECT key FROM vitrine.storefronts WHERE closed_at IS NULL;

-- name: status.time
SELECT clock_timestamp() AS moment;

-- name: status.drafts
-- Returns the drafts of the main lines that differ from the base in each storefront since before $2, and are not
-- scheduled after $1. The spans that have not ended are read once for all feeds.
WITH ahead AS MATERIALIZED (
    SELECT publication, max(lower(during)) FILTER (WHERE lower(during) <= $1::timestamptz) AS live_since
    FROM vitrine.publication_spans
    WHERE coalesce(upper(during), 'infinity') > $1
    GROUP BY publication
), present AS MATERIALIZED (
    SELECT publications.feed, publications.layer, revision, hash, live_since
    FROM ahead
    JOIN vitrine.publications ON id = publication
    JOIN vitrine.revisions ON (revisions.feed, number) = (publications.feed, revision)
)
SELECT feeds.key, draft.number, greatest(draft.saved_at, base.since) AS differs_since
FROM vitrine.feeds
CROSS JOIN LATERAL (
    SELECT number, hash, saved_at FROM vitrine.revisions WHERE revisions.feed = key AND line = 'main' ORDER BY number DESC LIMIT 1
) AS draft
CROSS JOIN LATERAL (
    SELECT max(live_since) AS since
    FROM present
    WHERE present.feed = key AND layer = 'base' AND live_since IS NOT NULL
    HAVING bool_and(draft.hash <> present.hash)
) AS base
WHERE archived_at IS NULL AND greatest(draft.saved_at, base.since) < $2::timestamptz
    AND NOT EXISTS (SELECT FROM present WHERE present.feed = key AND present.revision = draft.number)
ORDER BY feeds.key COLLATE "C";
