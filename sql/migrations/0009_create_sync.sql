-- What cursors stand on: which histories of versions there were, and how what is gone is forgotten.

-- A database that was restored, or that lost its last commits, goes on with other versions than those that clients have seen. Each such history is
-- an epoch; those before it are common up to the version that it starts at.
CREATE TABLE sync_epoch (
    number integer NOT NULL,
    -- At random: what a restored database counts it would hand out twice.
    nonce bytea NOT NULL DEFAULT substring(sha256(uuid_send(gen_random_uuid())) FOR 8),
    start_version bigint NOT NULL,
    -- Of whatever wrote it; where that is another, something may have been lost.
    identity text NOT NULL,
    began_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT sync_epoch_pkey PRIMARY KEY (number),
    CONSTRAINT sync_epoch_nonce_key UNIQUE (nonce),
    CONSTRAINT sync_epoch_nonce_check CHECK (octet_length(nonce) = 8),
    CONSTRAINT sync_epoch_start_version_check CHECK (start_version >= 0)
);

-- Differs after a restart, a failover and a restore, and where the table of the head was written anew. The timeline is that of what is written now, which
-- the control file is told of later.
CREATE FUNCTION epoch_identity() RETURNS text LANGUAGE sql STABLE
AS $$
    SELECT concat_ws(
        ' ', system_identifier, substring(pg_walfile_name(pg_current_wal_insert_lsn()) FOR 8), extract(epoch FROM pg_postmaster_start_time()),
        (SELECT oid FROM pg_database WHERE datname = current_database()), 'vitrine.sync_head'::regclass::oid,
        pg_relation_filenode('vitrine.sync_head'))
    FROM pg_control_system()
$$;

-- To be called by whoever holds the head, before any version is given. True where an epoch began.
CREATE FUNCTION begin_epoch(is_forced boolean) RETURNS boolean LANGUAGE sql VOLATILE
AS $$
    WITH begun AS (
        INSERT INTO vitrine.sync_epoch (number, start_version, identity)
        SELECT coalesce((SELECT max(number) FROM vitrine.sync_epoch), 0) + 1, version, identity
        FROM vitrine.sync_head CROSS JOIN vitrine.epoch_identity() AS identity
        WHERE is_forced OR identity IS DISTINCT FROM (SELECT identity FROM vitrine.sync_epoch ORDER BY number DESC LIMIT 1)
        RETURNING number
    )
    SELECT count(*) > 0 FROM begun
$$;

-- Forgets what has been gone for longer than that, the oldest first and so many at once. Answers how many those were.
CREATE FUNCTION purge_published(age interval, most integer) RETURNS bigint LANGUAGE plpgsql
AS $$
DECLARE
    purged bigint;
    newest bigint;
BEGIN
    PERFORM FROM vitrine.sync_head FOR UPDATE;
    WITH gone AS MATERIALIZED (
        SELECT kind, id, storefront FROM vitrine.published WHERE gone_at < now() - age ORDER BY gone_at LIMIT most
    ), forgotten AS (
        DELETE FROM vitrine.published
        USING gone
        WHERE (published.kind, published.id, published.storefront) = (gone.kind, gone.id, gone.storefront)
        RETURNING version
    )
    SELECT count(*), max(version) INTO purged, newest FROM forgotten;
    UPDATE vitrine.sync_head SET floor = newest WHERE newest > floor;
    RETURN purged;
END
$$;
