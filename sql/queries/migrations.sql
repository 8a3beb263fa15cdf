-- The statements of the migration runner. MigrationStatements in MigrationRunner.swift documents their order.

-- name: migrations.try_lock
-- The key is the word "vitrine" in ASCII and applies to this database only. The lock is held until the connection ends.
SELECT pg_try_advisory_lock(x'76697472696e65'::bigint) AS is_locked;

-- name: migrations.lock
-- Waits for at most lock_timeout.
SELECT pg_advisory_lock(x'76697472696e65'::bigint);

-- name: migrations.unlock
SELECT pg_advisory_unlock(x'76697472696e65'::bigint) AS was_locked;

-- name: migrations.set_timeouts
-- Sets the timeouts of the session, with $1 such as '5s'. A migration that cannot get a lock soon fails, so that other
-- sessions do not queue after it. After that its statements have no time limit. The server checks the connection, so
-- that a killed run does not keep its locks.
SELECT
    set_config('lock_timeout', $1::text, false) AS lock_timeout,
    set_config('statement_timeout', '0', false) AS statement_timeout,
    set_config('client_connection_check_interval', '2s', false) AS client_connection_check_interval,
    set_config('idle_in_transaction_session_timeout', '0', false) AS idle_in_transaction_session_timeout;

-- name: migrations.create_bookkeeping_schema
CREATE SCHEMA IF NOT EXISTS vitrine_meta;

-- name: migrations.create_bookkeeping
-- A separate schema, so that the product's schema contains only the product's tables.
CREATE TABLE IF NOT EXISTS vitrine_meta.migrations (
    number integer NOT NULL,
    name text NOT NULL,
    checksum bytea NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    took_microseconds bigint NOT NULL,
    breaks_older_programs boolean NOT NULL DEFAULT false,
    CONSTRAINT migrations_pkey PRIMARY KEY (number),
    CONSTRAINT migrations_number_check CHECK (number BETWEEN 1 AND 9999),
    CONSTRAINT migrations_name_check CHECK (name ~ '^[a-z][a-z0-9]*(_[a-z0-9]+)+$'),
    CONSTRAINT migrations_checksum_check CHECK (octet_length(checksum) = 32),
    CONSTRAINT migrations_took_microseconds_check CHECK (took_microseconds >= 0)
);

-- name: migrations.has_bookkeeping
-- Used by status checks, which must not create anything.
SELECT to_regclass('vitrine_meta.migrations') IS NOT NULL AS has_bookkeeping;

-- name: migrations.is_bookkeeping_complete
SELECT EXISTS (
    SELECT FROM pg_catalog.pg_attribute
    WHERE attrelid = to_regclass('vitrine_meta.migrations') AND attname = 'breaks_older_programs' AND NOT attisdropped
) AS is_complete;

-- name: migrations.complete_bookkeeping
-- Completes a table that an older program created. That program continues to work with its own columns.
ALTER TABLE vitrine_meta.migrations ADD COLUMN IF NOT EXISTS breaks_older_programs boolean NOT NULL DEFAULT false;

-- name: migrations.recorded
-- The table of an older program does not have the newest column, so the query reads it as a key of the row.
SELECT
    number, name, checksum, applied_at, took_microseconds,
    coalesce((to_jsonb(migrations) ->> 'breaks_older_programs')::boolean, false) AS breaks_older_programs
FROM vitrine_meta.migrations
ORDER BY number;

-- name: migrations.set_search_path
-- Runs first in the transaction of each migration, which then need not qualify the names of the objects that it
-- creates.
SET LOCAL search_path = vitrine, public;

-- name: migrations.record
-- Runs last in the transaction of each migration, which started at transaction_timestamp().
INSERT INTO vitrine_meta.migrations (number, name, checksum, breaks_older_programs, took_microseconds)
VALUES (
    $1::integer, $2::text, $3::bytea, $4::boolean,
    greatest(0, extract(epoch FROM clock_timestamp() - transaction_timestamp()) * 1000000)::bigint
);
