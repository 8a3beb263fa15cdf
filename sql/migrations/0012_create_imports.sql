-- What was imported, how far an import is, and the items by the beginnings of their slugs.

-- For whoever types the name of one. Its own collation, as that of a database may be any.
CREATE INDEX items_by_slug ON items (slug COLLATE "C");

CREATE TABLE imports (
    id bigint GENERATED ALWAYS AS IDENTITY,
    -- None of a command that works in the database itself.
    token uuid,
    -- What the token is called, or the user of the database.
    actor text NOT NULL,
    begun_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- NULL while it runs, which its session shows by a lock, or where that has died.
    ended_at timestamptz,
    -- Why it ended early.
    failure text,
    is_dry_run boolean NOT NULL,
    bytes_read bigint NOT NULL DEFAULT 0,
    new_records bigint NOT NULL DEFAULT 0,
    changed_records bigint NOT NULL DEFAULT 0,
    unchanged_records bigint NOT NULL DEFAULT 0,
    rejected_records bigint NOT NULL DEFAULT 0,
    withdrawn_items bigint NOT NULL DEFAULT 0,
    -- SHA-256 of all that was read.
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

-- What could not be imported: of a record each mistake.
CREATE TABLE import_rejects (
    import bigint NOT NULL,
    number integer NOT NULL,
    -- As `vitrine item import --rejects` writes it.
    document json NOT NULL,
    CONSTRAINT import_rejects_pkey PRIMARY KEY (import, number),
    CONSTRAINT import_rejects_import_fkey FOREIGN KEY (import) REFERENCES imports (id) ON DELETE CASCADE,
    CONSTRAINT import_rejects_number_check CHECK (number >= 1)
);
