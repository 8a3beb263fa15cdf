-- The documents and publications of curators. A transaction that changes a feed locks its row first, and reads after
-- that.

-- name: feeds.create
INSERT INTO vitrine.feeds (key) VALUES ($1::text) ON CONFLICT (key) DO NOTHING;

-- name: feeds.lock
SELECT archived_at IS NOT NULL AS is_archived FROM vitrine.feeds WHERE key = $1::text FOR UPDATE;

-- name: feeds.newest_number
SELECT coalesce(max(number), 0) AS number FROM vitrine.revisions WHERE feed = $1::text;

-- name: feeds.save
SELECT vitrine.save_revision($1::text, $2::text, $3::text) AS number FROM vitrine.feeds WHERE key = $1 AND archived_at IS NULL;

-- name: feeds.list
-- Returns all feeds with the draft of the main line.
SELECT key, archived_at, (SELECT max(number) FROM vitrine.revisions WHERE revisions.feed = key AND line = 'main') AS draft
FROM vitrine.feeds
ORDER BY key COLLATE "C";

-- name: feeds.live
-- Returns the live revisions at $1 or now, with their scheduled ends, for the storefronts that have the same.
SELECT feed, revision, layer::text AS layer, until_moment, array_agg(storefront ORDER BY storefront COLLATE "C") AS storefronts
FROM vitrine.live_revisions(coalesce($1::timestamptz, clock_timestamp()))
WHERE revision IS NOT NULL
GROUP BY feed, revision, layer, until_moment
ORDER BY feed COLLATE "C", min(storefront COLLATE "C");

-- name: feeds.drafts
-- Returns the newest revision of each line of the feed $1.
SELECT DISTINCT ON (line) number, line, encode(hash, 'hex') AS hash, saved_at
FROM vitrine.revisions
WHERE feed = $1::text
ORDER BY line, number DESC;

-- name: feeds.revisions
-- Returns the newest revisions of the feed $1 with a number below $3, on the line $2 or on all lines.
SELECT number, line, encode(hash, 'hex') AS hash, saved_at
FROM vitrine.revisions
WHERE feed = $1::text AND ($2::text IS NULL OR line = $2) AND ($3::integer IS NULL OR number < $3)
ORDER BY number DESC
LIMIT $4::bigint;

-- name: feeds.revision
SELECT number, line, encode(hash, 'hex') AS hash, saved_at, vitrine.readable_document(document) AS document
FROM vitrine.revisions
WHERE feed = $1::text AND number = $2::integer;

-- name: feeds.publications
-- Returns the publications of the feed $1 or of all feeds that have a span which has not ended at $2, with all of their
-- spans. A row has the spans of a publication with the same period.
SELECT
    id, publications.feed, publications.layer::text AS layer, revision, storefronts, from_text, until_text, replace_local, cancelled_at,
    array_agg(storefront) AS shown_in, lower(during) AS from_moment, upper(during) AS until_moment
FROM vitrine.publications
JOIN vitrine.publication_spans ON publication = id
WHERE ($1::text IS NULL OR publications.feed = $1) AND id IN (
    SELECT publication FROM vitrine.publication_spans WHERE coalesce(upper(during), 'infinity') > coalesce($2::timestamptz, '-infinity'))
GROUP BY id, during
ORDER BY publications.feed COLLATE "C", id;

-- name: feeds.publication_page
-- Returns the first $4 publications of the feed $1 with an ID above $3 that have a span which has not ended at $2, in the
-- same form.
WITH page AS MATERIALIZED (
    SELECT id
    FROM vitrine.publications
    WHERE feed = $1::text AND id > $3::bigint AND EXISTS (
        SELECT FROM vitrine.publication_spans WHERE publication = id AND coalesce(upper(during), 'infinity') > $2::timestamptz)
    ORDER BY id
    LIMIT $4::bigint
)
SELECT
    publications.id, publications.feed, publications.layer::text AS layer, revision, storefronts, from_text, until_text, replace_local, cancelled_at,
    array_agg(storefront) AS shown_in, lower(during) AS from_moment, upper(during) AS until_moment
FROM page
JOIN vitrine.publications ON publications.id = page.id
JOIN vitrine.publication_spans ON publication = page.id
GROUP BY publications.id, during
ORDER BY publications.id;

-- name: feeds.present_publications
-- Returns the publications of all feeds that have a span which has not ended at $1, in the same form. It does not look up the
-- spans of each publication that has ended.
WITH ahead AS MATERIALIZED (
    SELECT DISTINCT publication FROM vitrine.publication_spans WHERE coalesce(upper(during), 'infinity') > $1::timestamptz
)
SELECT
    id, publications.feed, publications.layer::text AS layer, revision, storefronts, from_text, until_text, replace_local, cancelled_at,
    array_agg(storefront) AS shown_in, lower(during) AS from_moment, upper(during) AS until_moment
FROM ahead
JOIN vitrine.publications ON id = ahead.publication
JOIN vitrine.publication_spans ON publication_spans.publication = id
GROUP BY id, during
ORDER BY publications.feed COLLATE "C", id;

-- name: feeds.publications_by_id
-- Returns the publications $1 in the same form. One without spans has one row without storefronts.
SELECT
    id, publications.feed, publications.layer::text AS layer, revision, storefronts, from_text, until_text, replace_local, cancelled_at,
    array_agg(storefront) FILTER (WHERE storefront IS NOT NULL) AS shown_in, lower(during) AS from_moment, upper(during) AS until_moment
FROM vitrine.publications
LEFT JOIN vitrine.publication_spans ON publication = id
WHERE id = ANY ($1::bigint[])
GROUP BY id, during
ORDER BY id;

-- name: feeds.is_of_epoch
-- Returns whether the publication $1 was ordered before the end of the epoch with the nonce $2. A later one has an ID that
-- a restore has freed. An epoch that is unknown, because the restore removed it, ended before the present one.
WITH asked AS MATERIALIZED (
    SELECT number FROM vitrine.sync_epoch WHERE vitrine.half_of(nonce, 1) = $2::bigint
)
SELECT
    ordered_at < coalesce(
        CASE
            WHEN EXISTS (SELECT FROM asked)
            THEN (SELECT min(began_at) FROM vitrine.sync_epoch WHERE number > (SELECT number FROM asked))
            ELSE (SELECT max(began_at) FROM vitrine.sync_epoch)
        END, 'infinity') AS is_of_epoch
FROM vitrine.publications
WHERE id = $1::bigint;

-- name: feeds.hold_storefronts
SELECT vitrine.hold_storefronts()::text AS held;

-- name: feeds.unknown_storefronts
-- Returns those of the storefronts $1 that are closed or do not exist.
SELECT given FROM unnest($1::text[]) AS given
WHERE NOT EXISTS (SELECT FROM vitrine.storefronts WHERE key = given AND closed_at IS NULL);

-- name: feeds.proposed_spans
-- Returns what a publication of the feed $1 on the layer $2 from $3 until $4 in the storefronts $5 would mean now, with up to $6
-- publications that have the time in a storefront, the first by start. On the base there is at most one.
SELECT
    storefront, start, finish, starts_now, is_empty,
    CASE
        WHEN conflict IS NULL THEN '{}'
        WHEN $2::text = 'base' THEN ARRAY[conflict]
        ELSE ARRAY(
            SELECT publication FROM vitrine.publication_spans
            WHERE feed = $1::text AND layer = 'takeover' AND publication_spans.storefront = proposed.storefront AND during && tstzrange(start, finish)
            ORDER BY lower(during)
            LIMIT $6::integer)
    END AS conflicts,
    local_base
FROM vitrine.proposed_spans($1::text, $2::text::vitrine.publication_layer, $3::text, $4::text, $5::text[], clock_timestamp()) AS proposed;

-- name: feeds.takeovers_without_span
-- Returns the takeovers for all storefronts that curators ordered since $2, or ever, and that have no span in the storefront $1,
-- although their end there lies ahead and the feed is not archived: their time is empty there, or another takeover has it, which can
-- have ended. The storefront was added in this transaction, or opened after it was closed at $2.
WITH given AS MATERIALIZED (
    SELECT
        id, ordered.feed, greatest(vitrine.moment_in(from_text, time_zone), ordered_at) AS start,
        vitrine.moment_in(until_text, time_zone) AS finish
    FROM vitrine.publications AS ordered CROSS JOIN vitrine.storefronts AS place
    WHERE place.key = $1::text AND layer = 'takeover' AND ordered.storefronts IS NULL AND cancelled_at IS NULL
        AND ordered_at >= coalesce($2::timestamptz, '-infinity')
        AND NOT EXISTS (SELECT FROM vitrine.publication_spans WHERE publication = ordered.id AND storefront = $1)
        AND NOT EXISTS (SELECT FROM vitrine.feeds WHERE key = ordered.feed AND archived_at IS NOT NULL)
)
SELECT
    id, given.feed, coalesce(finish <= start, false) AS is_empty,
    CASE WHEN finish <= start THEN NULL ELSE (
        SELECT publication FROM vitrine.publication_spans AS span
        WHERE span.feed = given.feed AND layer = 'takeover' AND storefront = $1 AND during && tstzrange(start, finish)
        ORDER BY lower(during)
        LIMIT 1)
    END AS conflict
FROM given
WHERE coalesce(finish, 'infinity') > clock_timestamp()
ORDER BY given.feed COLLATE "C", id;

-- name: feeds.publish
-- Publishes the revision $3 of the feed $1 on the layer $2 from $4 until $5 in the storefronts $6.
SELECT vitrine.publish(
    key, $2::text::vitrine.publication_layer, $3::integer, $4::text, $5::text, $6::text[], $7::boolean
) AS published
FROM vitrine.feeds
WHERE key = $1::text AND archived_at IS NULL;

-- name: feeds.cancelable
-- Returns, for each of the storefronts $2, whether it exists, whether the publication $1 has a span there, and whether
-- that span has not ended. The caller has locked the feed.
SELECT
    given, EXISTS (SELECT FROM vitrine.storefronts WHERE key = given) AS is_known, publication IS NOT NULL AS has_span,
    coalesce(publication IS NOT NULL AND coalesce(upper(during), 'infinity') > clock_timestamp(), false) AS is_ahead
FROM unnest($2::text[]) AS given LEFT JOIN vitrine.publication_spans ON publication = $1::bigint AND storefront = given
ORDER BY given COLLATE "C";

-- name: feeds.cancel
SELECT vitrine.cancel_publication($1::bigint, $2::text[])::text AS cancelled;

-- name: feeds.rollback_targets
-- The time is $4.
SELECT revision, storefronts
FROM vitrine.rollback_targets($1::text, $2::text[], $3::integer, $4::timestamptz);

-- name: feeds.archive
UPDATE vitrine.feeds SET archived_at = coalesce(archived_at, now()) WHERE key = $1::text RETURNING true AS is_done;

-- name: feeds.restore
UPDATE vitrine.feeds SET archived_at = NULL WHERE key = $1::text RETURNING true AS is_done;

-- name: feeds.words
-- Returns the existing ones of the categories $1, the cuisines $2, the charts $3, the developers $4 and the tags $5, and
-- all platforms. A chart includes its storefront.
SELECT 'category' AS kind, key AS word FROM vitrine.categories WHERE key = ANY ($1::text[])
UNION ALL
SELECT DISTINCT 'cuisine', cuisine
FROM unnest($2::text[]) AS cuisine
JOIN vitrine.listing_counts ON facet = 'cuisine:' || cuisine AND items + timed > 0
UNION ALL
SELECT DISTINCT 'developer', developer
FROM unnest($4::text[]) AS developer
JOIN vitrine.listing_counts ON facet = 'developer:' || vitrine.folded_name(developer) AND items + timed > 0
UNION ALL
SELECT DISTINCT 'tag', tag
FROM unnest($5::text[]) AS tag
JOIN vitrine.listing_counts ON facet = 'tag:' || tag AND items + timed > 0
UNION ALL
SELECT 'platform', key FROM vitrine.platforms
UNION ALL
SELECT 'chart', storefront || '/' || name FROM vitrine.charts WHERE name = ANY ($3::text[]);

-- name: feeds.availability
-- Returns when each of the items $1 is available per storefront, without withdrawn items. An item that is everywhere or
-- nowhere has a row without a storefront.
SELECT items.id, is_everywhere, storefront, lower(span) AS from_moment, upper(span) AS until_moment
FROM vitrine.items
LEFT JOIN vitrine.item_availability ON item_id = items.id AND NOT is_everywhere
LEFT JOIN LATERAL unnest(during) AS span ON true
WHERE items.id = ANY ($1::uuid[]) AND deleted_at IS NULL
ORDER BY items.id, storefront, span;

-- name: feeds.openings
-- Returns the feeds $1 that exist, with the spans of their publications from $2 until $3, the storefronts of each span,
-- the documents, and the kind of the newest revision of main. A feed without publications, or one that is archived, has
-- a row without them.
SELECT
    feeds.key, spans.layer::text AS layer, lower(during) AS from_moment, upper(during) AS until_moment, shown_in,
    vitrine.readable_document(revisions.document) AS document,
    (
        SELECT coalesce(draft.document::json ->> 'kind', 'page') FROM vitrine.revisions AS draft
        WHERE draft.feed = feeds.key AND draft.line = 'main'
        ORDER BY draft.number DESC
        LIMIT 1
    ) AS draft_kind
FROM vitrine.feeds
LEFT JOIN (
    SELECT publication, feed, layer, during, array_agg(storefront) AS shown_in
    FROM vitrine.publication_spans
    WHERE during && tstzrange($2::timestamptz, $3::timestamptz)
    GROUP BY publication, feed, layer, during
) AS spans ON spans.feed = feeds.key AND feeds.archived_at IS NULL
LEFT JOIN vitrine.publications ON publications.id = publication
LEFT JOIN vitrine.revisions ON (revisions.feed, number) = (publications.feed, revision)
WHERE feeds.key = ANY ($1::text[]);

-- name: feeds.item_documents
-- Returns the documents of the items $1 with their prices at the time $2.
SELECT document FROM vitrine.item_documents($1::uuid[], $2::timestamptz);

-- name: feeds.items_rated
-- Returns those of the items $2 that have a label of the rating scheme $1.
SELECT item_id FROM vitrine.item_age_ratings WHERE scheme = $1::text AND item_id = ANY ($2::uuid[]);

-- name: feeds.storefronts
-- Like sequencer.storefronts, at the time $1 or now.
SELECT
    key, currency, time_zone, default_locale,
    ARRAY(SELECT locale FROM vitrine.storefront_locales WHERE storefront = key ORDER BY rank) AS locales,
    rating_scheme, (SELECT vitrine.rating_scheme_documents()) AS rating_schemes,
    least(greatest((moment AT TIME ZONE time_zone)::date, '0001-01-01'), '9999-12-31') AS today,
    least(vitrine.beginning_of_day((moment AT TIME ZONE time_zone)::date + 1, time_zone), '9999-12-31T23:59:59.999999Z') AS midnight
FROM vitrine.storefronts CROSS JOIN coalesce($1::timestamptz, now()) AS clock (moment)
WHERE closed_at IS NULL
ORDER BY key COLLATE "C";

-- name: feeds.time
SELECT coalesce($1::timestamptz, now()) AS moment;

-- name: feeds.clock
-- Later than the start of the transaction, which may have waited for another.
SELECT clock_timestamp() AS moment;
