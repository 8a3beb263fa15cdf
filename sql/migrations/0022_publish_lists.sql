-- breaks older programs
-- The lists of sections. The feed of a list, of its entries and of the memberships of their items is the key of the feed
-- with +lists, so that clients without lists skip them by the index. An older sequencer would delete them.
ALTER TABLE published DROP CONSTRAINT published_item_id_check;
ALTER TABLE published
    ADD CONSTRAINT published_item_id_check CHECK (kind = 'membership' OR (item_id IS NOT NULL) = (kind IN ('placement', 'entry'))) NOT VALID,
    ADD CONSTRAINT published_lists_check CHECK (
        CASE
            WHEN kind = 'membership' THEN starts_with(id, feed || '/')
            ELSE (kind IN ('list', 'entry')) = (feed LIKE '%+lists')
        END) NOT VALID;

CREATE OR REPLACE FUNCTION feed_entries(asked_storefront text, asked_feeds text[])
RETURNS TABLE (feed text, kind published_kind, id text, version bigint, hash bytea) LANGUAGE sql STABLE
AS $$
    SELECT feed, kind, id, version, hash
    FROM vitrine.published
    WHERE storefront = asked_storefront AND feed = ANY(asked_feeds) AND kind IN ('section', 'placement', 'list', 'entry', 'feed')
        AND document IS NOT NULL
    UNION ALL
    SELECT members.feed, own.kind, own.id, greatest(own.version, members.version), own.hash
    FROM vitrine.published AS members
    JOIN vitrine.published AS own
        ON own.kind = CASE WHEN members.item_id IS NULL THEN 'layout' ELSE 'item' END::vitrine.published_kind
        AND own.id = split_part(members.id, '/', 2) AND own.storefront = '*' AND own.document IS NOT NULL
    WHERE members.storefront = asked_storefront AND members.feed = ANY(asked_feeds) AND members.kind = 'membership'
        AND members.document IS NOT NULL
$$;
