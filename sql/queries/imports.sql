-- The imports and their progress. An import is running while its session holds a lock, which ends with the session.

-- name: imports.begin
-- Starts an import by the token $1 named $2, or by the database user. $3 is whether it is a dry run. Deletes the
-- rejects of old imports.
WITH begun AS (
    INSERT INTO vitrine.imports (token, actor, is_dry_run)
    VALUES ($1::uuid, coalesce($2::text, left(session_user::text, 80)), $3::boolean)
    RETURNING id
), forgotten AS (
    DELETE FROM vitrine.import_rejects USING begun WHERE import <= begun.id - 100
)
SELECT id FROM begun;

-- name: imports.hold
-- Holds the lock of the import $1 until the end of the session.
SELECT pg_advisory_lock(7234017283808000000 + $1::bigint) IS NOT NULL AS is_held;

-- name: imports.note
-- Records the bytes read of the import $1 and the results of its records.
UPDATE vitrine.imports
SET
    bytes_read = $2::bigint, new_records = $3::bigint, changed_records = $4::bigint, unchanged_records = $5::bigint,
    rejected_records = $6::bigint, withdrawn_items = $7::bigint
WHERE id = $1::bigint AND ended_at IS NULL;

-- name: imports.end
-- Ends the import successfully with the hash $2, or with the failure $3.
UPDATE vitrine.imports
SET ended_at = greatest(clock_timestamp(), begun_at), hash = $2::bytea, failure = $3::text
WHERE id = $1::bigint AND ended_at IS NULL;

-- name: imports.reject
-- Stores the rejects of the import $1.
INSERT INTO vitrine.import_rejects (import, number, document)
SELECT $1::bigint, place, document::json FROM unnest($2::text[]) WITH ORDINALITY AS given (document, place);

-- name: imports.list
-- Returns the newest imports with an ID below $2, or only the import $1. Dry runs are omitted unless $4 is true.
SELECT
    id, token, actor, begun_at, ended_at, failure, is_dry_run, bytes_read, new_records, changed_records, unchanged_records, rejected_records,
    withdrawn_items, encode(hash, 'hex') AS hash,
    ended_at IS NULL AND EXISTS (
        SELECT FROM pg_locks
        WHERE locktype = 'advisory' AND objsubid = 1 AND (classid::bigint << 32 | objid::bigint) = 7234017283808000000 + imports.id
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    ) AS is_running
FROM vitrine.imports
WHERE ($1::bigint IS NULL OR id = $1) AND ($2::bigint IS NULL OR id < $2) AND ($4::boolean OR NOT is_dry_run)
ORDER BY id DESC
LIMIT $3::bigint;

-- name: imports.abandoned
-- Returns the oldest imports without an end whose session is gone.
SELECT id
FROM vitrine.imports
WHERE ended_at IS NULL AND NOT EXISTS (
    SELECT FROM pg_locks
    WHERE locktype = 'advisory' AND objsubid = 1 AND (classid::bigint << 32 | objid::bigint) = 7234017283808000000 + imports.id
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
)
ORDER BY id
LIMIT 100;

-- name: imports.rejects
-- Returns the rejects of the import $1 after the number $2.
SELECT number, document
FROM vitrine.import_rejects
WHERE import = $1::bigint AND number > $2::integer
ORDER BY number
LIMIT $3::bigint;
