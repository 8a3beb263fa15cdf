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

-- name: migrations.check_deferred
-- Runs the deferred triggers, as a commit does, between migrations that are tried in one transaction. The constraints are
-- named, because ALL would also apply to those that later migrations create.
DO $$
DECLARE
    deferred text;
BEGIN
    SELECT string_agg(DISTINCT format('%I.%I', nspname, conname), ', ') INTO deferred
    FROM pg_catalog.pg_constraint JOIN pg_catalog.pg_namespace ON pg_namespace.oid = connamespace
    WHERE condeferred;
    IF deferred IS NOT NULL THEN
        EXECUTE format('SET CONSTRAINTS %s IMMEDIATE', deferred);
        EXECUTE format('SET CONSTRAINTS %s DEFERRED', deferred);
    END IF;
END
$$;

-- name: migrations.current_database
SELECT current_database()::text AS name;

-- name: migrations.leftover_copies
-- The temporary copies of databases that no session uses. A session that makes or uses a copy has its name.
SELECT d.datname::text AS name
FROM pg_catalog.pg_database d
WHERE d.datname LIKE 'vitrine\_dry\_run\_%' AND pg_has_role(d.datdba, 'MEMBER')
    AND NOT EXISTS (SELECT FROM pg_catalog.pg_stat_activity a WHERE a.application_name = d.datname::text)
ORDER BY d.datname;

-- name: migrations.create_copy
-- Returns the statement that creates the database $1 as a copy of $2. A statement of this kind has no parameters.
SELECT format('CREATE DATABASE %I TEMPLATE %I', $1::text, $2::text) AS statement;

-- name: migrations.end_sessions
-- Ends the sessions that make or use the copy $1, and waits for their end.
SELECT count(*) FILTER (WHERE pg_terminate_backend(pid, 60000)) AS ended
FROM pg_catalog.pg_stat_activity
WHERE application_name = $1::text AND pid <> pg_backend_pid();

-- name: migrations.drop_copy
-- Returns the statement that drops the database $1.
SELECT format('DROP DATABASE IF EXISTS %I WITH (FORCE)', $1::text) AS statement;

-- name: migrations.other_sessions
-- The programs of other sessions that use the database $1. A server copies a database only if no session uses it. Autovacuum
-- workers, which have no user, are not among them: the server ends these itself. A parallel worker is part of its session.
SELECT coalesce(nullif(application_name, ''), backend_type, usename)::text AS program, count(*) AS sessions
FROM pg_catalog.pg_stat_activity
WHERE datname = $1::text AND pid <> pg_backend_pid() AND usesysid IS NOT NULL AND leader_pid IS NULL
GROUP BY 1
ORDER BY 1;
