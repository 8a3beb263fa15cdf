-- Who may arrange the shop, what they did, and what they were told.

-- name: curating.find_token
-- What there is to judge the token with the prefix $1 by.
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
-- Called $1, with the prefix $2, the hash $3 and the scope $4, for so many milliseconds or for ever.
INSERT INTO vitrine.tokens (name, prefix, hash, scope, created_at, expires_at)
SELECT $1::text, $2::text, $3::bytea, $4::text::vitrine.token_scope, present, present + $5::bigint * interval '1 ms'
FROM clock_timestamp() AS present
RETURNING id, name, prefix, scope::text AS scope, created_at, expires_at, last_used_at, revoked_at;

-- name: curating.tokens
-- By their names; those that are revoked where $1 says so.
SELECT id, name, prefix, scope::text AS scope, created_at, expires_at, last_used_at, revoked_at
FROM vitrine.tokens
WHERE revoked_at IS NULL OR $1::boolean
ORDER BY name COLLATE "C", created_at, id;

-- name: curating.find_tokens
-- Those that a word may mean that are not revoked: by the name, the prefix or the id.
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
-- By the token $1 called $2, or by the user of the database; the action $3 on the feed $4, on the subject $5: from $6 to $7, for the request $8.
INSERT INTO vitrine.audit_entries (token, actor, action, feed, subject, before, after, request)
VALUES (
    $1::uuid, coalesce($2::text, left(session_user::text, 80)), $3::text, $4::text, $5::text, $6::jsonb, $7::jsonb, $8::text);

-- name: curating.audit
-- Of the feed $1, by the actor $2, from $3 on, below the number $4: the newest ones.
SELECT number, at, token, actor, action, feed, subject, before, after, request
FROM vitrine.audit_entries
WHERE
    ($1::text IS NULL OR feed = $1) AND ($2::text IS NULL OR actor = $2) AND ($3::timestamptz IS NULL OR at >= $3)
    AND ($4::bigint IS NULL OR number < $4)
ORDER BY number DESC
LIMIT $5::bigint;

-- name: curating.take_key
-- Until the end of the transaction; false where another one has it.
SELECT pg_try_advisory_xact_lock(hashtextextended($1::uuid::text || ' ' || $2::text, 0)) AS is_taken;

-- name: curating.reply
-- Of the last $3 microseconds. Locked, which is itself a write: the commit of a repeat waits for a synchronous standby as that of the change did, so that no repeat confirms
-- what no standby has.
SELECT request_hash, status::integer AS status, etag, location, body
FROM vitrine.replies
WHERE token = $1::uuid AND key = $2::text AND answered_at > now() - $3::bigint * interval '1 microsecond'
FOR UPDATE;

-- name: curating.keep_reply
-- Instead of one that is at least $8 microseconds old.
INSERT INTO vitrine.replies (token, key, request_hash, status, etag, location, body)
VALUES ($1::uuid, $2::text, $3::bytea, $4::integer, $5::text, $6::text, $7::bytea)
ON CONFLICT (token, key) DO UPDATE
SET
    request_hash = excluded.request_hash, status = excluded.status, etag = excluded.etag, location = excluded.location,
    body = excluded.body, answered_at = excluded.answered_at
WHERE replies.answered_at <= now() - $8::bigint * interval '1 microsecond';

-- name: curating.forget_replies
-- The oldest $2 of those that are at least $1 microseconds old; what another one forgets is left to it.
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
