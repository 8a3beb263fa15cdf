-- The epochs of cursors, and the purge of tombstones.

-- A database that was restored, or that lost its last commits, continues with other versions than clients have
-- received. Each such history is an epoch. Up to its start version, it is equal to the epochs before it.
CREATE TABLE sync_epoch (
    number integer NOT NULL,
    -- Random, because a restored database would assign the same number again.
    nonce bytea NOT NULL DEFAULT substring(sha256(uuid_send(gen_random_uuid())) FOR 8),
    start_version bigint NOT NULL,
    -- The identity of the server that started the epoch. If it changes, commits may have been lost.
    identity text NOT NULL,
    began_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT sync_epoch_pkey PRIMARY KEY (number),
    CONSTRAINT sync_epoch_nonce_key UNIQUE (nonce),
    CONSTRAINT sync_epoch_nonce_check CHECK (octet_length(nonce) = 8),
    CONSTRAINT sync_epoch_start_version_check CHECK (start_version >= 0)
);

-- Returns another text after a restart, a failover and a restore, and after the table of the head was rewritten. The
-- timeline comes from the current WAL position, because the control file is updated later.
CREATE FUNCTION epoch_identity() RETURNS text LANGUAGE sql STABLE
AS $$
    SELECT concat_ws(
        ' ', system_identifier, substring(pg_walfile_name(pg_current_wal_insert_lsn()) FOR 8), extract(epoch FROM pg_postmaster_start_time()),
        (SELECT oid FROM pg_database WHERE datname = current_database()), 'vitrine.sync_head'::regclass::oid,
        pg_relation_filenode('vitrine.sync_head'))
    FROM pg_control_system()
$$;

-- Starts an epoch if the identity has changed or `is_forced`. Returns whether it started one. The caller locks the
-- head, and calls this before it assigns versions.
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

-- Returns the entities of these feeds in a storefront, once for each feed. The version of an item or a
-- layout is the higher one of its own and that of its membership.
CREATE FUNCTION feed_entries(asked_storefront text, asked_feeds text[])
RETURNS TABLE (feed text, kind published_kind, id text, version bigint, hash bytea) LANGUAGE sql STABLE
AS $$
    SELECT feed, kind, id, version, hash
    FROM vitrine.published
    WHERE storefront = asked_storefront AND feed = ANY(asked_feeds) AND kind IN ('section', 'placement', 'feed') AND document IS NOT NULL
    UNION ALL
    SELECT members.feed, own.kind, own.id, greatest(own.version, members.version), own.hash
    FROM vitrine.published AS members
    JOIN vitrine.published AS own
        ON own.kind = CASE WHEN members.item_id IS NULL THEN 'layout' ELSE 'item' END::vitrine.published_kind
        AND own.id = split_part(members.id, '/', 2) AND own.storefront = '*' AND own.document IS NOT NULL
    WHERE members.storefront = asked_storefront AND members.feed = ANY(asked_feeds) AND members.kind = 'membership'
        AND members.document IS NOT NULL
$$;

-- Deletes the oldest tombstones that exceed this age, at most this many, and returns their number. The newest row of
-- each feed remains, because its version is the version of the feed's pages.
CREATE FUNCTION purge_published(age interval, most integer) RETURNS bigint LANGUAGE plpgsql
AS $$
DECLARE
    purged bigint;
    newest bigint;
BEGIN
    PERFORM FROM vitrine.sync_head FOR UPDATE;
    WITH gone AS MATERIALIZED (
        SELECT kind, id, storefront
        FROM vitrine.published AS oldest
        WHERE gone_at < now() - age
            AND (feed IS NULL OR version < (
                SELECT max(version) FROM vitrine.published WHERE published.storefront = oldest.storefront AND published.feed = oldest.feed))
        ORDER BY gone_at
        LIMIT most
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

-- Returns the correct buckets from the first to before the end, computed from the published documents.
CREATE FUNCTION counted_buckets(first_bucket integer, end_bucket integer)
RETURNS TABLE (storefront text, bucket integer, entries bigint, high bigint, low bigint) LANGUAGE sql STABLE
AS $$
    SELECT storefront, bucket, count(*), bit_xor(vitrine.half_of(digest, 1)), bit_xor(vitrine.half_of(digest, 9))
    FROM (
        SELECT
            CASE WHEN items.is_everywhere THEN '*' ELSE members.storefront END AS storefront, vitrine.bucket_of(items.id) AS bucket,
            vitrine.entity_digest('item', items.id, items.hash) AS digest
        FROM vitrine.published AS items
        LEFT JOIN LATERAL (
            SELECT storefront
            FROM vitrine.published
            WHERE NOT items.is_everywhere AND kind = 'membership' AND id = '*/' || items.id AND document IS NOT NULL
            OFFSET 0
        ) AS members ON true
        WHERE items.kind = 'item' AND items.document IS NOT NULL AND (items.is_everywhere OR members.storefront IS NOT NULL)
            AND vitrine.bucket_of(items.id) >= first_bucket AND vitrine.bucket_of(items.id) < end_bucket
        OFFSET 0
    ) AS digests
    GROUP BY storefront, bucket
$$;

-- Corrects the buckets at the same positions of both arrays. Locks the head, because publishing updates the buckets
-- relative to their values.
CREATE FUNCTION settle_buckets(asked_storefronts text[], asked_buckets integer[]) RETURNS void LANGUAGE plpgsql
AS $$
BEGIN
    PERFORM FROM vitrine.sync_head FOR UPDATE;
    INSERT INTO vitrine.sync_buckets (storefront, bucket, entries, high, low)
    SELECT asked.storefront, asked.bucket, coalesce(entries, 0), coalesce(high, 0), coalesce(low, 0)
    FROM unnest(asked_storefronts, asked_buckets) AS asked (storefront, bucket)
    LEFT JOIN LATERAL (
        SELECT entries, high, low FROM vitrine.counted_buckets(asked.bucket, asked.bucket + 1) AS counted
        WHERE counted.storefront = asked.storefront
    ) AS counted ON true
    ON CONFLICT (storefront, bucket) DO UPDATE SET entries = excluded.entries, high = excluded.high, low = excluded.low;
END
$$;
