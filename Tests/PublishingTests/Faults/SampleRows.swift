import Feeds
import JSON
import SQLFiles

/// The sample catalog and its feeds as rows, for the schema before publications per storefront and for the current one.
///
/// An import needs the current schema, so the statements read the records themselves.
enum SampleRows {
    /// The statements that insert storefronts, categories, items and charts.
    static var catalog: String {
        let lines = SQLFiles.sample.flatMap { String(decoding: $0.bytes, as: UTF8.self).split(separator: "\n") }
        return """
            CREATE TEMP TABLE sample AS
            SELECT coalesce((row ->> 'id')::uuid, md5(row ->> 'source')::uuid) AS id, row ->> 'kind' AS kind, row
            FROM jsonb_array_elements($sample$[\(lines.joined(separator: ","))]$sample$::jsonb) AS row;
            \(vocabulary)
            \(items)
            DROP TABLE sample;
            """
    }

    private static let vocabulary = """
        INSERT INTO vitrine.storefronts (key, currency, time_zone, default_locale)
        SELECT row ->> 'key', row ->> 'currency', row ->> 'timeZone', row ->> 'defaultLocale' FROM sample WHERE kind = 'storefront';
        INSERT INTO vitrine.storefront_locales (storefront, locale, rank)
        SELECT row ->> 'key', locale, place
        FROM sample CROSS JOIN jsonb_array_elements_text(row -> 'locales') WITH ORDINALITY AS locales (locale, place) WHERE kind = 'storefront';
        INSERT INTO vitrine.categories (key, item_kind)
        SELECT row ->> 'key', (row ->> 'itemKind')::vitrine.item_kind FROM sample WHERE kind = 'category';
        INSERT INTO vitrine.category_texts (category, locale, title)
        SELECT row ->> 'key', key, value FROM sample CROSS JOIN jsonb_each_text(row -> 'title') WHERE kind = 'category';
        """

    private static let items = """
        INSERT INTO vitrine.items (id, kind, source, slug, serial_number, content_hash, rating_average, rating_count, is_everywhere)
        SELECT
            id, kind::vitrine.item_kind, row ->> 'source', row ->> 'source', (row ->> 'serialNumber')::bigint, sha256((row ->> 'source')::bytea),
            (row -> 'rating' ->> 'average')::numeric, (row -> 'rating' ->> 'count')::bigint, NOT row ? 'availability'
        FROM sample WHERE kind IN ('topApp', 'foodApp');
        DO $$
        BEGIN
            IF to_regclass('vitrine.item_platforms') IS NULL THEN
                INSERT INTO vitrine.top_apps (
                    item_id, bundle_id, developer, app_version, size_bytes, minimum_os, platforms, age_rating, release_date)
                SELECT
                    id, row ->> 'bundleId', row ->> 'developer', row ->> 'appVersion', (row ->> 'sizeBytes')::bigint, row ->> 'minimumOsVersion',
                    ARRAY(SELECT jsonb_array_elements_text(row -> 'platforms')), row ->> 'ageRating', (row ->> 'releaseDate')::date
                FROM sample WHERE kind = 'topApp';
            ELSE
                INSERT INTO vitrine.top_apps (item_id, bundle_id, developer, app_version, size_bytes, release_date)
                SELECT
                    id, row ->> 'bundleId', row ->> 'developer', row ->> 'appVersion', (row ->> 'sizeBytes')::bigint, (row ->> 'releaseDate')::date
                FROM sample WHERE kind = 'topApp';
                INSERT INTO vitrine.item_platforms (item_id, platform, minimum_os)
                SELECT id, platform, row ->> 'minimumOsVersion'
                FROM sample CROSS JOIN jsonb_array_elements_text(row -> 'platforms') AS platform WHERE kind = 'topApp';
                INSERT INTO vitrine.item_age_ratings (item_id, scheme, label)
                SELECT id, 'apple-2015', row ->> 'ageRating' FROM sample WHERE kind = 'topApp';
            END IF;
        END
        $$;
        INSERT INTO vitrine.food_apps (item_id, brand, cuisines, dietary_tags, delivery_minutes_from, delivery_minutes_to, price_band)
        SELECT
            id, row ->> 'brand', ARRAY(SELECT jsonb_array_elements_text(row -> 'cuisines')),
            ARRAY(SELECT jsonb_array_elements_text(coalesce(row -> 'dietaryTags', '[]'))), (row -> 'deliveryMinutes' ->> 'from')::smallint,
            (row -> 'deliveryMinutes' ->> 'to')::smallint, (row ->> 'priceBand')::smallint
        FROM sample WHERE kind = 'foodApp';
        INSERT INTO vitrine.item_texts (item_id, locale, title, subtitle)
        SELECT id, key, value, row -> 'subtitle' ->> key
        FROM sample CROSS JOIN jsonb_each_text(row -> 'title') WHERE kind IN ('topApp', 'foodApp');
        INSERT INTO vitrine.item_categories (item_id, category, rank)
        SELECT id, category, place
        FROM sample CROSS JOIN jsonb_array_elements_text(row -> 'categories') WITH ORDINALITY AS categories (category, place)
        WHERE kind IN ('topApp', 'foodApp');
        INSERT INTO vitrine.item_availability (item_id, storefront, during)
        SELECT id, key, range_agg(tstzrange((span ->> 'from')::timestamptz, (span ->> 'until')::timestamptz))
        FROM sample CROSS JOIN jsonb_each(row -> 'availability') CROSS JOIN jsonb_array_elements(value) AS span
        WHERE kind IN ('topApp', 'foodApp') GROUP BY id, key;
        INSERT INTO vitrine.item_prices (item_id, storefront, role, amount_minor, currency)
        SELECT id, key, role::vitrine.price_role, (value ->> 'amountMinor')::bigint, value ->> 'currency'
        FROM sample
        CROSS JOIN (VALUES ('prices', 'price'), ('minimumOrder', 'minimumOrder'), ('deliveryFee', 'deliveryFee')) AS roles (field, role)
        CROSS JOIN jsonb_each(row -> field)
        WHERE kind IN ('topApp', 'foodApp');
        INSERT INTO vitrine.charts (storefront, name) SELECT row ->> 'storefront', row ->> 'name' FROM sample WHERE kind = 'chart';
        INSERT INTO vitrine.chart_entries (storefront, chart, rank, item_id)
        SELECT row ->> 'storefront', row ->> 'name', place, items.id
        FROM sample
        CROSS JOIN jsonb_array_elements_text(row -> 'items') WITH ORDINALITY AS entries (reference, place)
        JOIN vitrine.items ON lower(items.kind::text) || ':' || slug = reference
        WHERE sample.kind = 'chart';
        """

    /// The documents of the sample feeds in the order in which they can be published, in canonical form. Their sorts do not
    /// rotate, so that two databases show the same items.
    static func documents() throws -> [(feed: String, isTakeover: Bool, document: String)] {
        try SQLFiles.sampleFeeds.map { file in
            let document = try FeedDocument(parsing: file.bytes)
            let text = String(decoding: document.canonical(), as: UTF8.self)
            return (
                document.key.text, file.name.hasSuffix(".takeover.json"), text.replacing(#/\{"rotate":\{[^}]*\}\}/#, with: #""-rating""#)
            )
        }.sorted { one, other in (one.isTakeover ? 1 : 0, one.feed) < (other.isTakeover ? 1 : 0, other.feed) }
    }

    /// Returns a document as programs before experiments have stored it. The arm `pairs` was the first half of the places.
    static func past(_ document: String) -> String {
        document.replacing(
            #""experiment":{"weekend":["pairs"]}"#, with: #""bucket":{"experiment":"weekend","from":0,"to":50}"#)
    }
}
