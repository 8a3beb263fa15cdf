-- The imports with their progress, and an index of items by the prefix of their slugs.

-- For searches by a prefix. The collation is explicit, because that of the database may be any.
CREATE INDEX items_by_slug ON items (slug COLLATE "C");

CREATE TABLE imports (
    id bigint GENERATED ALWAYS AS IDENTITY,
    -- NULL for a command with direct access to the database.
    token uuid,
    -- The name of the token, or the database user.
    actor text NOT NULL,
    begun_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- NULL while the import runs, or if its session died. The session of a running import holds a lock.
    ended_at timestamptz,
    -- The code of the failure.
    failure text,
    is_dry_run boolean NOT NULL,
    bytes_read bigint NOT NULL DEFAULT 0,
    new_records bigint NOT NULL DEFAULT 0,
    changed_records bigint NOT NULL DEFAULT 0,
    unchanged_records bigint NOT NULL DEFAULT 0,
    rejected_records bigint NOT NULL DEFAULT 0,
    withdrawn_items bigint NOT NULL DEFAULT 0,
    -- The SHA-256 of all bytes read.
    hash bytea,
    CONSTRAINT imports_pkey PRIMARY KEY (id),
    CONSTRAINT imports_token_fkey FOREIGN KEY (token) REFERENCES tokens (id),
    CONSTRAINT imports_actor_check CHECK (length(actor) BETWEEN 1 AND 80),
    CONSTRAINT imports_ended_at_check CHECK (ended_at >= begun_at),
    CONSTRAINT imports_failure_check CHECK (failure IS NULL OR ended_at IS NOT NULL AND failure ~ '^[a-z][A-Za-z]{0,39}$'),
    CONSTRAINT imports_counts_check CHECK (
        least(bytes_read, new_records, changed_records, unchanged_records, rejected_records, withdrawn_items) >= 0),
    CONSTRAINT imports_hash_check CHECK (octet_length(hash) = 32)
);

-- The rejects of imports: a row for each issue of a record.
CREATE TABLE import_rejects (
    import bigint NOT NULL,
    number integer NOT NULL,
    -- The form in which `vitrine item import --rejects` writes the reject.
    document json NOT NULL,
    CONSTRAINT import_rejects_pkey PRIMARY KEY (import, number),
    CONSTRAINT import_rejects_import_fkey FOREIGN KEY (import) REFERENCES imports (id) ON DELETE CASCADE,
    CONSTRAINT import_rejects_number_check CHECK (number >= 1)
);
