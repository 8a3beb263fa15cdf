-- The access tokens, the audit log and the stored responses of the admin API.

-- name: curating.find_token
-- Returns the data to authenticate the token with the prefix $1.
SELECT
    id, name, hash, scope::text AS scope, revoked_at IS NULL AND coalesce(expires_at > now(), true) AS is_good,
    coalesce(last_used_at < now() - interval '1 minute', true) AS is_use_due
FROM vitrine.tokens
WHERE prefix = $1::text;

-- name: curating.note_use
UPDATE vitrine.tokens
SET last_used_at = greatest(now(), created_at)
WHERE id = $1::uuid AND coalesce(last_used_at < now() - interval '1 minute', true);

-- name: curating.create_token
-- Creates a token with the name $1, the prefix $2, the hash $3 and the scope $4. It expires after $5 milliseconds, or
-- never if it is NULL.
INSERT INTO vitrine.tokens (name, prefix, hash, scope, created_at, expires_at)
SELECT $1::text, $2::text, $3::bytea, $4::text::vitrine.token_scope, present, present + $5::bigint * interval '1 ms'
FROM clock_timestamp() AS present
RETURNING id, name, prefix, scope::text AS scope, created_at, expires_at, last_used_at, revoked_at;

-- name: curating.tokens
-- Returns the first $3 tokens by name, after the token $2 if it is given. $1 is whether to include revoked ones. A token is
-- never deleted, so the list can continue after one that was revoked.
SELECT id, name, prefix, scope::text AS scope, created_at, expires_at, last_used_at, revoked_at
FROM vitrine.tokens
WHERE (revoked_at IS NULL OR $1::boolean) AND ($2::uuid IS NULL OR (name COLLATE "C", created_at, id) > (
    SELECT previous.name COLLATE "C", previous.created_at, previous.id FROM vitrine.tokens AS previous WHERE previous.id = $2))
ORDER BY name COLLATE "C", created_at, id
LIMIT $3::bigint;

-- name: curating.find_tokens
-- Returns the tokens that a word may refer to and that are not revoked, by name, prefix or ID.
SELECT id, name, prefix, scope::text AS scope, created_at, expires_at, last_used_at, revoked_at
FROM vitrine.tokens
WHERE revoked_at IS NULL AND (name = $1::text OR prefix = $1 OR id::text = lower($1))
ORDER BY created_at
FOR UPDATE;

-- name: curating.token
SELECT id, name, prefix, scope::text AS scope, created_at, expires_at, last_used_at, revoked_at
FROM vitrine.tokens
WHERE id = $1::uuid;

-- name: curating.lock_token
SELECT true AS is_there FROM vitrine.tokens WHERE id = $1::uuid FOR UPDATE;

-- name: curating.revoke_token
UPDATE vitrine.tokens
SET revoked_at = greatest(clock_timestamp(), created_at)
WHERE id = $1::uuid AND revoked_at IS NULL
RETURNING id, name, prefix, scope::text AS scope, created_at, expires_at, last_used_at, revoked_at;

-- name: curating.record
-- Records the action $3 of the token $1 named $2, or of the database user. It concerns the feed $4 and the subject $5,
-- from $6 to $7, in the request $8.
INSERT INTO vitrine.audit_entries (token, actor, action, feed, subject, before, after, request)
VALUES (
    $1::uuid, coalesce($2::text, left(session_user::text, 80)), $3::text, $4::text, $5::text, $6::jsonb, $7::jsonb, $8::text);

-- name: curating.audit
-- Returns the newest entries with a number below $4, of the feed $1, by the actor $2, since $3.
SELECT number, at, token, actor, action, feed, subject, before, after, request
FROM vitrine.audit_entries
WHERE
    ($1::text IS NULL OR feed = $1) AND ($2::text IS NULL OR actor = $2) AND ($3::timestamptz IS NULL OR at >= $3)
    AND ($4::bigint IS NULL OR number < $4)
ORDER BY number DESC
LIMIT $5::bigint;

-- name: curating.take_key
-- Locks the key until the end of the transaction. Returns false if another transaction holds it.
SELECT pg_try_advisory_xact_lock(hashtextextended($1::uuid::text || ' ' || $2::text, 0)) AS is_taken;

-- name: curating.reply
-- Returns the stored response if it is at most $3 microseconds old. The row lock counts as a write, so the commit of a
-- repeated request waits for a synchronous standby like the original. A repeated request therefore never confirms data
-- that no standby has.
SELECT request_hash, status::integer AS status, etag, location, body
FROM vitrine.replies
WHERE token = $1::uuid AND key = $2::text AND answered_at > now() - $3::bigint * interval '1 microsecond'
FOR UPDATE;

-- name: curating.keep_reply
-- Replaces a response only if it is at least $8 microseconds old.
INSERT INTO vitrine.replies (token, key, request_hash, status, etag, location, body)
VALUES ($1::uuid, $2::text, $3::bytea, $4::integer, $5::text, $6::text, $7::bytea)
ON CONFLICT (token, key) DO UPDATE
SET
    request_hash = excluded.request_hash, status = excluded.status, etag = excluded.etag, location = excluded.location,
    body = excluded.body, answered_at = excluded.answered_at
WHERE replies.answered_at <= now() - $8::bigint * interval '1 microsecond';

-- name: curating.forget_replies
-- Deletes the oldest $2 responses that are at least $1 microseconds old. Skips those that another transaction is
-- deleting.
DELETE FROM vitrine.replies
WHERE (token, key) IN (
    SELECT token, key
    FROM vitrine.replies
    WHERE answered_at <= now() - $1::bigint * interval '1 microsecond'
    ORDER BY answered_at
    LIMIT $2::bigint
    FOR UPDATE SKIP LOCKED);

-- name: curating.savepoint
SAVEPOINT deed;

-- name: curating.roll_back
ROLLBACK TO SAVEPOINT deed;
