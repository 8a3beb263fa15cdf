-- The tokens, the audit log and the stored responses of the admin API.

-- Each scope includes the scopes before it.
CREATE TYPE token_scope AS ENUM ('read', 'curate', 'publish', 'admin');

CREATE TABLE tokens (
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    -- The user of the token in the audit log. The name is free again after the token is revoked.
    name text NOT NULL,
    -- The part before the secret, by which the token is found.
    prefix text NOT NULL,
    -- The SHA-256 of the whole token. A slower hash is not necessary for 256 random bits.
    hash bytea NOT NULL,
    scope token_scope NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at timestamptz,
    -- Accurate to the minute.
    last_used_at timestamptz,
    revoked_at timestamptz,
    CONSTRAINT tokens_pkey PRIMARY KEY (id),
    CONSTRAINT tokens_prefix_key UNIQUE (prefix),
    CONSTRAINT tokens_name_check CHECK (name ~ '^[A-Za-z0-9]([A-Za-z0-9 ._@-]*[A-Za-z0-9])?$' AND length(name) <= 80),
    CONSTRAINT tokens_prefix_check CHECK (prefix ~ '^vtr_[a-z2-7]{10}$'),
    CONSTRAINT tokens_hash_check CHECK (octet_length(hash) = 32),
    CONSTRAINT tokens_expires_at_check CHECK (expires_at > created_at AND expires_at < 'infinity'),
    CONSTRAINT tokens_last_used_at_check CHECK (last_used_at >= created_at),
    CONSTRAINT tokens_revoked_at_check CHECK (revoked_at >= created_at)
);

CREATE UNIQUE INDEX tokens_name_key ON tokens (name) WHERE revoked_at IS NULL;

-- The audit log: a row per change, written by the transaction of the change. A revision is recorded by its number and
-- hash, because it never changes. Other resources are recorded as they were before and after.
CREATE TABLE audit_entries (
    number bigint GENERATED ALWAYS AS IDENTITY,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- NULL for a command with direct access to the database.
    token uuid,
    -- The name of the token, or the database user.
    actor text NOT NULL,
    action text NOT NULL,
    feed text,
    -- The resource that was changed, as a path without the version of the API.
    subject text NOT NULL,
    before jsonb,
    after jsonb,
    request text,
    CONSTRAINT audit_entries_pkey PRIMARY KEY (number),
    CONSTRAINT audit_entries_token_fkey FOREIGN KEY (token) REFERENCES tokens (id),
    CONSTRAINT audit_entries_feed_fkey FOREIGN KEY (feed) REFERENCES feeds (key),
    CONSTRAINT audit_entries_actor_check CHECK (length(actor) BETWEEN 1 AND 80),
    CONSTRAINT audit_entries_action_check CHECK (action ~ '^[a-z]+\.[a-z]+$'),
    CONSTRAINT audit_entries_subject_check CHECK (length(subject) BETWEEN 1 AND 500),
    CONSTRAINT audit_entries_change_check CHECK (before IS DISTINCT FROM after),
    CONSTRAINT audit_entries_request_check CHECK (length(request) BETWEEN 1 AND 128)
);

CREATE INDEX audit_entries_by_feed ON audit_entries (feed, number) WHERE feed IS NOT NULL;
CREATE INDEX audit_entries_by_actor ON audit_entries (actor, number);
CREATE INDEX audit_entries_by_time ON audit_entries (at);

CREATE FUNCTION refuse_forgetting() RETURNS trigger LANGUAGE plpgsql
AS $$
BEGIN
    RAISE EXCEPTION 'entries of the audit log cannot be changed or deleted' USING ERRCODE = 'feature_not_supported';
END
$$;

CREATE TRIGGER refuse_forgetting BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_forgetting();
ALTER TABLE audit_entries ENABLE ALWAYS TRIGGER refuse_forgetting;

-- The responses to changes with an Idempotency-Key, for a day.
CREATE TABLE replies (
    token uuid NOT NULL,
    key text NOT NULL,
    -- The hash of the whole request.
    request_hash bytea NOT NULL,
    status smallint NOT NULL,
    etag text,
    location text,
    body bytea NOT NULL,
    answered_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT replies_pkey PRIMARY KEY (token, key),
    CONSTRAINT replies_token_fkey FOREIGN KEY (token) REFERENCES tokens (id),
    CONSTRAINT replies_key_check CHECK (length(key) BETWEEN 1 AND 128),
    CONSTRAINT replies_request_hash_check CHECK (octet_length(request_hash) = 32),
    CONSTRAINT replies_status_check CHECK (status BETWEEN 200 AND 499)
);

CREATE INDEX replies_by_time ON replies (answered_at);
