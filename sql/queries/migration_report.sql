-- The effects of migrations, for the report of `vitrine db migrate`. A query with the name of a migration runs after it,
-- in the same transaction, so it sees the schema of that migration and not that of a later one.

-- name: migration_report.changed_rows
-- The rows of each table that the session has written in this transaction, and perhaps in earlier ones.
SELECT relid::bigint AS id, relname::text AS table_name, n_tup_ins AS inserted, n_tup_upd AS updated, n_tup_del AS deleted
FROM pg_catalog.pg_stat_xact_user_tables
WHERE schemaname = 'vitrine' AND n_tup_ins + n_tup_upd + n_tup_del > 0
ORDER BY relname;

-- name: migration_report.orders
-- The number of publications that became orders, and how many of them were canceled.
SELECT count(*) AS orders, count(cancelled_at) AS cancelled FROM vitrine.publications;

-- name: migration_report.spans
SELECT key, count(publication) AS spans
FROM vitrine.storefronts LEFT JOIN vitrine.publication_spans ON storefront = key
GROUP BY key
ORDER BY key COLLATE "C";

-- name: migration_report.images
SELECT role, count(*) AS images FROM vitrine.item_images GROUP BY role ORDER BY role COLLATE "C";

-- name: migration_report.platforms
-- The items of each platform, how many of them state a minimum version, and how many state it in a form that rules cannot
-- compare.
SELECT
    platform, count(*) AS items, count(minimum_os) AS versions,
    count(*) FILTER (WHERE minimum_os IS NOT NULL AND vitrine.measure_key(minimum_os) IS NULL) AS unreadable_versions
FROM vitrine.item_platforms
GROUP BY platform
ORDER BY platform COLLATE "C";

-- name: migration_report.labels
SELECT scheme, label, count(*) AS items
FROM vitrine.item_age_ratings JOIN vitrine.rating_labels USING (scheme, label)
GROUP BY scheme, label, minimum_age
ORDER BY scheme COLLATE "C", minimum_age;

-- name: migration_report.experiments
-- The experiments, which all run.
SELECT key, salt, arms::text AS arms, default_arm FROM vitrine.experiments ORDER BY key COLLATE "C";

-- name: migration_report.default_arm_uses
-- The sections that name the default arm of their experiment, in their own target or in that of a pin, with the numbers of
-- the revisions. is_current is true if one of the revisions is a draft, or is live or scheduled.
SELECT
    experiments.key AS experiment, revisions.feed, section_key, array_agg(DISTINCT number ORDER BY number) AS revisions,
    bool_or(
        NOT EXISTS (
            SELECT FROM vitrine.revisions AS newer
            WHERE newer.feed = revisions.feed AND newer.line = revisions.line AND newer.number > revisions.number)
        OR EXISTS (
            SELECT FROM vitrine.publications JOIN vitrine.publication_spans ON publication = id
            WHERE publications.feed = revisions.feed AND publications.revision = revisions.number
                AND coalesce(upper(during), 'infinity') > clock_timestamp())) AS is_current
FROM vitrine.revisions
CROSS JOIN LATERAL jsonb_path_query(vitrine.readable_document(document)::jsonb, '$.sections[*]') AS section
CROSS JOIN LATERAL (SELECT section ->> 'key') AS keys (section_key)
CROSS JOIN LATERAL (
    SELECT jsonb_path_query(section, '$.target.experiment')
    UNION ALL
    SELECT jsonb_path_query(section, '$.pins[*].target.experiment')
) AS targets (arms_by_experiment)
JOIN vitrine.experiments ON arms_by_experiment -> experiments.key ? default_arm
WHERE strpos(document, '"bucket":{') > 0
GROUP BY experiments.key, revisions.feed, section_key
ORDER BY experiments.key COLLATE "C", revisions.feed COLLATE "C", section_key COLLATE "C";
