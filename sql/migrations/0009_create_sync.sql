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

-- What is there of these feeds of a storefront, once for each of them. An item and a layout have the higher of their version and of that with
-- which they came into the feed.
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

-- Forgets what has been gone for longer than that, the oldest first and so many at once; of each feed the newest row stays, as the version of its
-- pages is that of the newest. Answers how many those were.
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

-- What the buckets from the first to before the last should say, by what is published.
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

-- Lets the buckets in the same places of both say what they should; behind the lock of the head, as what is published counts on what they say.
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
