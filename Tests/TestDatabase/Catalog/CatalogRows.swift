/// The SQL that fills a catalog for tests.
package enum CatalogRows {
    /// The functions of the session: `top_app('harbor-notes', '{"en": "Harbor Notes"}')` and `food_app(…)`. An ID is the hash of the
    /// name.
    package static let functions = """
        SET search_path = vitrine, public;
        CREATE FUNCTION pg_temp.top_app(
            name text, titles jsonb, categories text[] DEFAULT '{tools}', rating numeric DEFAULT NULL, ratings bigint DEFAULT NULL,
            day date DEFAULT '2024-05-01', everywhere boolean DEFAULT true, subtitle text DEFAULT NULL, developer text DEFAULT 'Quay Labs'
        ) RETURNS uuid LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO vitrine.items (id, kind, source, slug, content_hash, rating_average, rating_count, is_everywhere)
            VALUES (md5(name)::uuid, 'topApp', name, name, sha256(name::bytea), rating, ratings, everywhere);
            -- The tests of migrations start from older schemas.
            IF to_regclass('vitrine.item_platforms') IS NULL THEN
                INSERT INTO vitrine.top_apps (item_id, bundle_id, developer, app_version, size_bytes, platforms, age_rating, release_date)
                VALUES (md5(name)::uuid, 'org.' || name, developer, '1.0', 1000, '{ios}', '4+', day);
            ELSE
                INSERT INTO vitrine.top_apps (item_id, bundle_id, developer, app_version, size_bytes, release_date)
                VALUES (md5(name)::uuid, 'org.' || name, developer, '1.0', 1000, day);
                INSERT INTO vitrine.item_platforms (item_id, platform) VALUES (md5(name)::uuid, 'ios');
                INSERT INTO vitrine.item_age_ratings (item_id, scheme, label) VALUES (md5(name)::uuid, 'apple-2015', '4+');
            END IF;
            INSERT INTO vitrine.item_texts (item_id, locale, title, subtitle)
            SELECT md5(name)::uuid, key, value, subtitle FROM jsonb_each_text(titles);
            INSERT INTO vitrine.item_categories (item_id, category, rank)
            SELECT md5(name)::uuid, category, place FROM unnest(categories) WITH ORDINALITY AS listed (category, place);
            RETURN md5(name)::uuid;
        END
        $$;
        CREATE FUNCTION pg_temp.food_app(
            name text, titles jsonb, cuisines text[] DEFAULT '{thai}', storefront text DEFAULT NULL, during tstzmultirange DEFAULT '{(,)}',
            rating numeric DEFAULT NULL, ratings bigint DEFAULT NULL
        ) RETURNS uuid LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO vitrine.items (id, kind, source, slug, content_hash, rating_average, rating_count, is_everywhere)
            VALUES (md5(name)::uuid, 'foodApp', name, name, sha256(name::bytea), rating, ratings, storefront IS NULL);
            INSERT INTO vitrine.food_apps (item_id, brand, cuisines, delivery_minutes_from, delivery_minutes_to, price_band, opening_hours)
            VALUES (md5(name)::uuid, 'Saffron', cuisines, 20, 40, 2, '{[660,1380),[2100,2820)}');
            INSERT INTO vitrine.item_texts (item_id, locale, title)
            SELECT md5(name)::uuid, key, value FROM jsonb_each_text(titles);
            INSERT INTO vitrine.item_categories (item_id, category, rank) VALUES (md5(name)::uuid, 'dinner', 1);
            INSERT INTO vitrine.item_availability (item_id, storefront, during)
            SELECT md5(name)::uuid, storefront, during WHERE storefront IS NOT NULL;
            RETURN md5(name)::uuid;
        END
        $$;
        """

    /// Serves only the platforms whose clients can run the items of these rows: TopApps are for iOS. A review otherwise finds that
    /// they are missing on the other platforms.
    package static let served = "UPDATE vitrine.platforms SET is_served = key IN ('ios', 'ipados');"

    /// Publishes all items in their current state, as a sequencer publishes changed ones. The outbox is kept.
    package static let publish = """
        UPDATE vitrine.sync_head SET version = version + vitrine.publish_items(
            ARRAY(SELECT id FROM vitrine.items UNION SELECT id::uuid FROM vitrine.published WHERE kind = 'item'), version, now());
        """

    /// The storefronts `us`, `de` and `sa`, with the categories `tools`, `games`, `dinner` and `new`.
    package static let storefronts = """
        INSERT INTO storefronts (key, currency, time_zone, default_locale)
        VALUES ('us', 'USD', 'America/New_York', 'en'), ('de', 'EUR', 'Europe/Berlin', 'de'), ('sa', 'SAR', 'Asia/Riyadh', 'ar');
        INSERT INTO storefront_locales (storefront, locale, rank)
        VALUES ('us', 'en', 1), ('us', 'es', 2), ('de', 'de', 1), ('de', 'en', 2), ('sa', 'ar', 1), ('sa', 'en', 2);
        INSERT INTO categories (key, item_kind) VALUES ('tools', 'topApp'), ('games', 'topApp'), ('dinner', 'foodApp'), ('new', NULL);
        INSERT INTO category_texts (category, locale, title)
        VALUES ('tools', 'en', 'Tools'), ('tools', 'de', 'Werkzeuge'), ('games', 'en', 'Games'), ('dinner', 'en', 'Dinner'), ('new', 'en', 'New');
        """
}
