import EventLoop
import Postgres
import TestDatabase
import Testing

@testable import Catalog

@Suite("The constraints of the catalog", .databaseForEachTest)
struct ConstraintTests {
    /// Statements that each violate a constraint, in a transaction with a valid TopApp `a` and a valid FoodApp `f`.
    static let broken: [(rule: String, sql: String)] = [
        ("storefronts_pkey", "INSERT INTO storefronts VALUES ('us', 'EUR', 'UTC', 'en')"),
        ("storefronts_key_check", "INSERT INTO storefronts VALUES ('layouts', 'EUR', 'UTC', 'en')"),
        ("storefronts_currency_check", "INSERT INTO storefronts VALUES ('fr', 'Eur', 'UTC', 'en')"),
        ("storefronts_time_zone_check", "INSERT INTO storefronts VALUES ('fr', 'EUR', 'Europe/Lutetia', 'en')"),
        ("storefronts_time_zone_check", "INSERT INTO storefronts VALUES ('fr', 'EUR', 'UTC+3', 'en')"),
        ("storefronts_time_zone_check", "INSERT INTO storefronts VALUES ('fr', 'EUR', 'Europe/BERLIN', 'en')"),
        ("storefronts_time_zone_check", "INSERT INTO storefronts VALUES ('fr', 'EUR', 'Etc/GMT+99', 'en')"),
        ("storefronts_time_zone_check", "INSERT INTO storefronts VALUES ('fr', 'EUR', 'Nowhere/Land+3', 'en')"),
        ("storefronts_closed_at_check", "UPDATE storefronts SET closed_at = 'infinity' WHERE key = 'us'"),
        ("storefronts_default_locale_fkey", "UPDATE storefronts SET default_locale = 'fr' WHERE key = 'us'"),
        ("storefront_locales_pkey", "INSERT INTO storefront_locales VALUES ('us', 'en', 9)"),
        ("storefront_locales_rank_key", "INSERT INTO storefront_locales VALUES ('us', 'fr', 1)"),
        ("storefront_locales_storefront_fkey", "INSERT INTO storefront_locales VALUES ('zz', 'fr', 1)"),
        ("storefront_locales_locale_check", "INSERT INTO storefront_locales VALUES ('us', 'EN_us', 9)"),
        ("storefront_locales_rank_check", "INSERT INTO storefront_locales VALUES ('us', 'fr', 0)"),
        ("categories_pkey", "INSERT INTO categories VALUES ('tools')"),
        ("categories_key_check", "INSERT INTO categories VALUES ('Tools')"),
        ("categories_item_kind_check", "UPDATE categories SET item_kind = 'foodApp' WHERE key = 'tools'"),
        ("category_texts_pkey", "INSERT INTO category_texts VALUES ('tools', 'en', 'Again')"),
        ("category_texts_category_fkey", "INSERT INTO category_texts VALUES ('nothing', 'en', 'Nothing')"),
        ("category_texts_locale_check", "INSERT INTO category_texts VALUES ('tools', 'english', 'Tools')"),
        ("category_texts_title_check", "INSERT INTO category_texts VALUES ('tools', 'fr', '  ')"),
        ("items_pkey", "INSERT INTO items SELECT (items).* FROM (SELECT items FROM items WHERE slug = 'a') AS taken"),
        ("items_source_key", "UPDATE items SET source = 'b' WHERE slug = 'a'"),
        ("items_slug_key", "UPDATE items SET slug = 'b' WHERE slug = 'a'"),
        ("items_serial_number_key", "UPDATE items SET serial_number = (SELECT serial_number FROM items WHERE slug = 'b') WHERE slug = 'a'"),
        ("items_source_check", "UPDATE items SET source = '' WHERE slug = 'a'"),
        ("items_serial_number_check", "UPDATE items SET serial_number = 0 WHERE slug = 'a'"),
        ("items_source_check", "UPDATE items SET source = '  ' WHERE slug = 'a'"),
        ("items_serial_number_check", "UPDATE items SET serial_number = 9007199254740992 WHERE slug = 'a'"),
        ("items_slug_check", "UPDATE items SET slug = 'A b' WHERE slug = 'a'"),
        ("items_content_hash_check", "UPDATE items SET content_hash = 'short' WHERE slug = 'a'"),
        ("items_version_check", "UPDATE items SET version = 0 WHERE slug = 'a'"),
        ("items_rating_average_check", "UPDATE items SET rating_average = 5.01, rating_count = 1 WHERE slug = 'a'"),
        ("items_rating_count_check", "UPDATE items SET rating_average = 5, rating_count = -1 WHERE slug = 'a'"),
        ("items_rating_check", "UPDATE items SET rating_average = 5 WHERE slug = 'a'"),
        ("items_rating_check", "UPDATE items SET rating_average = 4, rating_count = 0 WHERE slug = 'a'"),
        ("items_created_at_check", "UPDATE items SET created_at = '-infinity' WHERE slug = 'a'"),
        ("items_updated_at_check", "UPDATE items SET updated_at = 'infinity' WHERE slug = 'a'"),
        ("items_deleted_at_check", "UPDATE items SET deleted_at = 'infinity' WHERE slug = 'a'"),
        ("items_updated_at_check", "UPDATE items SET updated_at = created_at - interval '1 s' WHERE slug = 'a'"),
        ("items_deleted_at_check", "UPDATE items SET deleted_at = created_at - interval '1 s' WHERE slug = 'a'"),
        ("items_tags_check", "UPDATE items SET tags = '{a,a}' WHERE slug = 'a'"),
        ("items_tags_check", "UPDATE items SET tags = '{Made}' WHERE slug = 'a'"),
        ("items_tags_check", "UPDATE items SET tags = (SELECT array_agg('t' || n) FROM generate_series(1, 51) AS n) WHERE slug = 'a'"),
        ("items_kind_detail_check", "DELETE FROM top_apps WHERE bundle_id = 'org.a'"),
        ("items_title_check", "DELETE FROM item_texts WHERE title = 'A'"),
        ("items_categories_check", "DELETE FROM item_categories WHERE item_id = md5('a')::uuid"),
        ("items_is_everywhere_check", "INSERT INTO item_availability VALUES (md5('a')::uuid, 'us', '{(,)}')"),
        ("top_apps_pkey", "INSERT INTO top_apps SELECT (t).* FROM (SELECT t FROM top_apps AS t LIMIT 1) AS taken"),
        ("top_apps_item_id_fkey", "UPDATE top_apps SET item_id = md5('f')::uuid WHERE bundle_id = 'org.a'"),
        ("top_apps_kind_check", "UPDATE top_apps SET kind = 'foodApp'"),
        ("top_apps_bundle_id_check", "UPDATE top_apps SET bundle_id = 'a b'"),
        ("top_apps_developer_check", "UPDATE top_apps SET developer = ' '"),
        ("top_apps_app_version_check", "UPDATE top_apps SET app_version = ''"),
        ("top_apps_app_version_check", "UPDATE top_apps SET app_version = ' '"),
        ("top_apps_size_bytes_check", "UPDATE top_apps SET size_bytes = 0"),
        ("top_apps_release_date_check", "UPDATE top_apps SET release_date = 'infinity'"),
        ("top_apps_homepage_check", "UPDATE top_apps SET homepage = 'javascript:1'"),
        ("top_apps_homepage_check", "UPDATE top_apps SET homepage = 'https://café.example'"),
        ("food_apps_pkey", "INSERT INTO food_apps SELECT (t).* FROM (SELECT t FROM food_apps AS t LIMIT 1) AS taken"),
        ("food_apps_item_id_fkey", "UPDATE food_apps SET item_id = md5('a')::uuid"),
        ("food_apps_kind_check", "UPDATE food_apps SET kind = 'topApp'"),
        ("food_apps_brand_check", "UPDATE food_apps SET brand = ''"),
        ("food_apps_cuisines_check", "UPDATE food_apps SET cuisines = '{}'"),
        ("food_apps_cuisines_check", "UPDATE food_apps SET cuisines = '{Thai}'"),
        ("food_apps_cuisines_check", "UPDATE food_apps SET cuisines = '{thai,NULL}'"),
        ("food_apps_cuisines_check", "UPDATE food_apps SET cuisines = '{thai food}'"),
        ("food_apps_cuisines_check", "UPDATE food_apps SET cuisines = '{thai,\"\"}'"),
        ("food_apps_cuisines_check", "UPDATE food_apps SET cuisines = ARRAY[repeat('a', 81)]"),
        ("food_apps_cuisines_check", "UPDATE food_apps SET cuisines = (SELECT array_agg('c-' || n) FROM generate_series(1, 51) AS n)"),
        (
            "food_apps_dietary_tags_check",
            "UPDATE food_apps SET dietary_tags = (SELECT array_agg('c-' || n) FROM generate_series(1, 51) AS n)"
        ),
        ("food_apps_dietary_tags_check", "UPDATE food_apps SET dietary_tags = '{a b}'"),
        ("food_apps_dietary_tags_check", "UPDATE food_apps SET dietary_tags = '{vegan,vegan}'"),
        ("food_apps_delivery_minutes_check", "UPDATE food_apps SET delivery_minutes_to = 5"),
        ("food_apps_price_band_check", "UPDATE food_apps SET price_band = 5"),
        ("food_apps_opening_hours_check", "UPDATE food_apps SET opening_hours = '{[0,11521)}'"),
        ("food_apps_opening_hours_check", "UPDATE food_apps SET opening_hours = '{[0,)}'"),
        ("food_apps_opening_hours_check", "UPDATE food_apps SET opening_hours = '{[0,600),[10000,10700)}'"),
        ("food_apps_opening_hours_check", "UPDATE food_apps SET opening_hours = '{[10100,10200)}'"),
        ("food_apps_opening_hours_check", "UPDATE food_apps SET opening_hours = '{[600,700),[9000,9100),[10100,10200)}'"),
        ("food_apps_time_zone_check", "UPDATE food_apps SET time_zone = 'Europe/Lutetia'"),
        ("food_apps_time_zone_check", "UPDATE food_apps SET time_zone = 'UTC+3'"),
        ("food_apps_release_date_check", "UPDATE food_apps SET release_date = '1969-12-31'"),
        (
            "item_texts_number_check",
            "INSERT INTO item_texts SELECT md5('f')::uuid, 'a' || chr(96 + n % 26 + 1) || chr(97 + n / 26), 'F' FROM generate_series(0, 49) AS n"
        ),
        ("item_texts_pkey", "INSERT INTO item_texts VALUES (md5('a')::uuid, 'en', 'Again')"),
        ("item_texts_item_id_fkey", "INSERT INTO item_texts VALUES (md5('nothing')::uuid, 'en', 'Nothing')"),
        ("item_texts_locale_check", "INSERT INTO item_texts VALUES (md5('a')::uuid, 'EN', 'A')"),
        ("item_texts_locale_check", "INSERT INTO item_texts VALUES (md5('a')::uuid, 'é', 'A')"),
        ("item_texts_title_check", "INSERT INTO item_texts VALUES (md5('a')::uuid, 'fr', E'A\\nB')"),
        ("item_texts_title_check", "INSERT INTO item_texts VALUES (md5('a')::uuid, 'fr', repeat('é', 201))"),
        ("item_texts_subtitle_check", "INSERT INTO item_texts VALUES (md5('a')::uuid, 'fr', 'A', '')"),
        ("item_texts_subtitle_check", "INSERT INTO item_texts VALUES (md5('a')::uuid, 'fr', 'A', '  ')"),
        ("item_texts_image_alt_check", "INSERT INTO item_texts VALUES (md5('a')::uuid, 'fr', 'A', NULL, '  ')"),
        ("item_texts_image_alt_check", "INSERT INTO item_texts VALUES (md5('a')::uuid, 'fr', 'A', NULL, '')"),
        ("item_categories_pkey", "INSERT INTO item_categories VALUES (md5('a')::uuid, 'tools', 9)"),
        ("item_categories_rank_key", "INSERT INTO item_categories VALUES (md5('a')::uuid, 'games', 1)"),
        ("item_categories_item_id_fkey", "INSERT INTO item_categories VALUES (md5('nothing')::uuid, 'tools', 1)"),
        ("item_categories_category_fkey", "INSERT INTO item_categories VALUES (md5('a')::uuid, 'nothing', 2)"),
        ("item_categories_rank_check", "INSERT INTO item_categories VALUES (md5('a')::uuid, 'games', 0)"),
        ("item_categories_rank_check", "INSERT INTO item_categories VALUES (md5('a')::uuid, 'games', 51)"),
        ("item_categories_kind_check", "INSERT INTO item_categories VALUES (md5('a')::uuid, 'dinner', 2)"),
        ("item_availability_pkey", "INSERT INTO item_availability VALUES (md5('f')::uuid, 'us', '{(,)}')"),
        ("item_availability_item_id_fkey", "INSERT INTO item_availability VALUES (md5('nothing')::uuid, 'us', '{(,)}')"),
        ("item_availability_storefront_fkey", "INSERT INTO item_availability VALUES (md5('f')::uuid, 'zz', '{(,)}')"),
        ("item_availability_during_check", "INSERT INTO item_availability VALUES (md5('f')::uuid, 'de', '{}')"),
        ("item_availability_during_check", "INSERT INTO item_availability VALUES (md5('f')::uuid, 'de', '{[2026-01-01,infinity)}')"),
        ("item_availability_during_check", "INSERT INTO item_availability VALUES (md5('f')::uuid, 'de', '{[2026-01-01,12026-01-01)}')"),
        (
            "item_availability_during_check",
            """
            INSERT INTO item_availability SELECT md5('f')::uuid, 'de', range_agg(tstzrange('2026-01-01'::timestamptz + n * interval '2 h', '2026-01-01'::timestamptz + n * interval '2 h' + interval '1 h'))
            FROM generate_series(0, 1000) AS n
            """
        ),
        ("item_availability_during_check", "INSERT INTO item_availability VALUES (md5('f')::uuid, 'de', '{[2026-01-01,2026-02-01]}')"),
        (
            "item_availability_during_check",
            "INSERT INTO item_availability VALUES (md5('f')::uuid, 'de', '{[2026-01-01,2026-02-01],[2026-03-01,2026-04-01)}')"
        ),
        (
            "item_availability_during_check",
            "INSERT INTO item_availability VALUES (md5('f')::uuid, 'de', '{[2026-01-01,2026-02-01),(2026-03-01,2026-04-01)}')"
        ),
        ("item_prices_pkey", "INSERT INTO item_prices VALUES (md5('i')::uuid, 'us', 'price', 1, 'USD')"),
        ("item_prices_item_id_fkey", "INSERT INTO item_prices VALUES (md5('nothing')::uuid, 'us', 'price', 1, 'USD')"),
        ("item_prices_currency_fkey", "INSERT INTO item_prices VALUES (md5('a')::uuid, 'us', 'price', 1, 'EUR')"),
        ("item_prices_amount_minor_check", "INSERT INTO item_prices VALUES (md5('a')::uuid, 'us', 'price', -1, 'USD')"),
        ("item_prices_role_check", "INSERT INTO item_prices VALUES (md5('a')::uuid, 'us', 'deliveryFee', 1, 'USD')"),
        ("item_price_periods_pkey", period("'us', 'price', '[2026-02-01,2026-03-01)', 1, 'USD'", of: "i")),
        ("item_price_periods_overlap_excl", period("'us', 'price', '[2026-02-28,2026-03-02)', 1, 'USD'", of: "i")),
        ("item_price_periods_item_id_fkey", period("'us', 'price', '[2026-02-01,2026-03-01)', 1, 'USD'", of: "nothing")),
        ("item_price_periods_currency_fkey", period("'us', 'price', '[2026-02-01,2026-03-01)', 1, 'EUR'")),
        ("item_price_periods_during_check", period("'us', 'price', '[2026-02-01,)', 1, 'USD'")),
        ("item_price_periods_during_check", period("'us', 'price', '(,2026-02-01)', 1, 'USD'")),
        ("item_price_periods_during_check", period("'us', 'price', 'empty', 1, 'USD'")),
        ("item_price_periods_during_check", period("'us', 'price', '[2026-02-01,2026-03-01]', 1, 'USD'")),
        ("item_price_periods_during_check", period("'us', 'price', '(2026-02-01,2026-03-01)', 1, 'USD'")),
        ("item_price_periods_during_check", period("'us', 'price', '[2026-02-01,infinity)', 1, 'USD'")),
        ("item_price_periods_during_check", period("'us', 'price', '[2026-02-01,10000-01-01 00:00Z)', 1, 'USD'")),
        ("item_price_periods_amount_minor_check", period("'us', 'price', '[2026-02-01,2026-03-01)', -1, 'USD'")),
        ("item_price_periods_former_minor_check", period("'us', 'price', '[2026-02-01,2026-03-01)', 99, 'USD', 99")),
        ("item_price_periods_former_minor_check", period("'us', 'price', '[2026-02-01,2026-03-01)', 99, 'USD', 1000000000001")),
        ("item_price_periods_role_check", period("'us', 'deliveryFee', '[2026-02-01,2026-03-01)', 1, 'USD'")),
        (
            "item_price_periods_number_check",
            """
            INSERT INTO item_price_periods
            SELECT md5('a')::uuid, 'us', 'price', tstzrange('2026-01-01'::timestamptz + n * interval '1 h', '2026-01-01'::timestamptz + (n + 1) * interval '1 h'),
                1, 'USD' FROM generate_series(1, 1001) AS n
            """
        ),
        ("storefronts_rating_scheme_fkey", "UPDATE storefronts SET rating_scheme = 'mpaa' WHERE key = 'us'"),
        ("item_platforms_pkey", "INSERT INTO item_platforms VALUES (md5('a')::uuid, 'ios')"),
        ("item_platforms_item_id_fkey", "INSERT INTO item_platforms VALUES (md5('nothing')::uuid, 'ios')"),
        ("item_platforms_platform_fkey", "INSERT INTO item_platforms VALUES (md5('a')::uuid, 'amiga')"),
        ("item_platforms_minimum_os_check", "UPDATE item_platforms SET minimum_os = ''"),
        ("item_platforms_minimum_os_check", "UPDATE item_platforms SET minimum_os = '16.x'"),
        ("item_platforms_minimum_os_check", "UPDATE item_platforms SET minimum_os = '1.2.3.4.5'"),
        ("item_platforms_minimum_os_check", "UPDATE item_platforms SET minimum_os = '1234567890'"),
        ("item_platforms_kind_check", "DELETE FROM item_platforms WHERE item_id = md5('a')::uuid"),
        ("item_platforms_kind_check", "INSERT INTO item_platforms VALUES (md5('f')::uuid, 'ios')"),
        ("item_age_ratings_pkey", "INSERT INTO item_age_ratings VALUES (md5('a')::uuid, 'apple-2015', '9+')"),
        ("item_age_ratings_item_id_fkey", "INSERT INTO item_age_ratings VALUES (md5('nothing')::uuid, 'usk', '6')"),
        ("item_age_ratings_label_fkey", "INSERT INTO item_age_ratings VALUES (md5('a')::uuid, 'usk', '7')"),
        ("item_age_ratings_label_fkey", "INSERT INTO item_age_ratings VALUES (md5('a')::uuid, 'mpaa', 'R')"),
        ("item_age_ratings_kind_check", "DELETE FROM item_age_ratings WHERE item_id = md5('a')::uuid"),
        ("item_age_ratings_kind_check", "INSERT INTO item_age_ratings VALUES (md5('f')::uuid, 'usk', '6')"),
        ("item_images_pkey", image("'icon', 0, '', 'light', '/{w}/{h}', 1, 1, '{}'", of: "i")),
        ("item_images_item_id_fkey", image("'icon', 0, '', 'light', '/{w}/{h}', 1, 1, '{}'", of: "nothing")),
        ("item_images_role_check", image("'Icon', 0, '', 'light', '/{w}/{h}', 1, 1, '{}'")),
        ("item_images_role_check", image("'', 0, '', 'light', '/{w}/{h}', 1, 1, '{}'")),
        ("item_images_place_check", image("'icon', 1, '', 'light', '/{w}/{h}', 1, 1, '{}'")),
        ("item_images_place_check", image("'hero', 1, '', 'light', '/{w}/{h}', 1, 1, '{}'")),
        ("item_images_place_check", image("'screenshot', 20, '', 'light', '/{w}/{h}', 1, 1, '{}'")),
        ("item_images_place_check", image("'screenshot', -1, '', 'light', '/{w}/{h}', 1, 1, '{}'")),
        ("item_images_locale_check", image("'icon', 0, 'EN', 'light', '/{w}/{h}'", of: "i")),
        ("item_images_appearance_check", image("'icon', 0, 'en', 'dusk', '/{w}/{h}'", of: "i")),
        ("item_images_template_check", image("'icon', 0, '', 'light', 'http://a/{w}/{h}', 1, 1, '{}'")),
        ("item_images_template_check", image("'icon', 0, '', 'light', '//a/{w}/{h}', 1, 1, '{}'")),
        ("item_images_template_check", image("'icon', 0, '', 'light', 'https:///{w}/{h}', 1, 1, '{}'")),
        ("item_images_template_check", image("'icon', 0, '', 'light', '/{w}/{h}' || chr(160), 1, 1, '{}'")),
        ("item_images_template_check", image("'icon', 0, '', 'light', '/{w}/{h}/' || repeat('a', 2048), 1, 1, '{}'")),
        ("item_images_template_check", image("'icon', 0, '', 'light', '/{w}', 1, 1, '{{1,1}}'")),
        ("item_images_template_check", image("'icon', 0, '', 'light', '/{w}/{w}/{h}', 1, 1, '{}'")),
        ("item_images_template_check", image("'icon', 0, '', 'light', NULL, 1, 1, '{}'")),
        ("item_images_template_check", image("'hero', 0, 'fr', 'light', NULL, NULL, NULL, NULL, '#000000', NULL, 'A'", of: "i")),
        ("item_images_size_check", image("'icon', 0, '', 'light', '/{w}/{h}', 0, 1, '{}'")),
        ("item_images_size_check", image("'icon', 0, '', 'light', '/{w}/{h}', 1, 16385, '{}'")),
        ("item_images_size_check", image("'icon', 0, '', 'light', '/{w}/{h}', 1, 1, NULL")),
        ("item_images_size_check", image("'icon', 0, '', 'dark', '/{w}/{h}', 1, 1, '{}'", of: "i")),
        ("item_images_size_check", image("'icon', 0, 'fr', 'light', '/{w}/{h}', NULL, NULL, '{}'", of: "i")),
        ("item_images_sizes_check", image("'icon', 0, '', 'light', '/{w}/{h}', 9, 9, '{1,2}'")),
        ("item_images_sizes_check", image("'icon', 0, '', 'light', '/{w}/{h}', 9, 9, '{{1,2,3}}'")),
        ("item_images_sizes_check", image("'icon', 0, '', 'light', '/{w}/{h}', 9, 9, '{{9,10}}'")),
        ("item_images_sizes_check", image("'icon', 0, '', 'light', '/{w}/{h}', 9, 9, '{{0,1}}'")),
        ("item_images_sizes_check", image("'icon', 0, '', 'light', '/{w}/{h}', 9, 9, '{{NULL,1}}'")),
        ("item_images_sizes_check", image("'icon', 0, '', 'light', '/{w}/{h}', 9, 9, '{{1,2},{3,4},{1,2}}'")),
        (
            "item_images_sizes_check",
            image("'icon', 0, '', 'light', '/{w}/{h}', 9, 99, (SELECT array_agg(ARRAY[1, n]) FROM generate_series(1, 21) AS n)")
        ),
        ("item_images_color_check", image("'icon', 0, '', 'light', '/{w}/{h}', 1, 1, '{}', '#12345'")),
        ("item_images_color_check", image("'icon', 0, '', 'light', '/{w}/{h}', 1, 1, '{}', '#abcdef'")),
        ("item_images_blurhash_check", image("'icon', 0, '', 'light', '/{w}/{h}', 1, 1, '{}', NULL, 'short'")),
        ("item_images_alt_check", image("'icon', 0, '', 'light', '/{w}/{h}', 1, 1, '{}', NULL, NULL, 'A'")),
        ("item_images_alt_check", image("'icon', 0, 'en', 'light', '/{w}/{h}', NULL, NULL, NULL, NULL, NULL, 'A'", of: "i")),
        ("item_images_alt_check", image("'hero', 0, 'de', 'dark', '/{w}/{h}', NULL, NULL, NULL, NULL, NULL, 'A'", of: "i")),
        ("item_images_alt_check", image("'hero', 0, 'fr', 'light', NULL, NULL, NULL, NULL, NULL, NULL, '  '", of: "i")),
        ("item_images_standard_check", image("'hero', 0, 'fr', 'light', '/{w}/{h}'")),
        ("item_images_standard_check", image("'hero', 0, '', 'dark', '/{w}/{h}'")),
        ("item_images_standard_check", image("'hero', 0, 'fr', 'dark', '/{w}/{h}'", of: "i")),
        ("item_images_standard_check", "DELETE FROM item_images WHERE role = 'hero' AND locale = ''"),
        ("item_images_placeholders_check", image("'hero', 0, '', 'light', '/h', 1, 1, '{}'")),
        ("item_images_placeholders_check", image("'hero', 0, '', 'light', '/h', 2, 2, '{{1,1},{2,2}}'")),
        ("item_images_placeholders_check", image("'icon', 0, '', 'dark', '/h'", of: "i")),
        (
            "item_images_number_check",
            "INSERT INTO item_images SELECT md5('i')::uuid, 'r' || n, 0, '', 'light', '/{w}/{h}', 1, 1, '{}' FROM generate_series(1, 10) AS n"
        ),
        (
            "item_images_number_check",
            """
            INSERT INTO item_images (item_id, role, locale, template)
            SELECT md5('i')::uuid, 'icon', 'zh-Hant-' || 100 + n, '/{w}/{h}' FROM generate_series(1, 51) AS n
            """
        ),
        (
            "item_images_number_check",
            """
            INSERT INTO item_images (item_id, role, locale, alt)
            SELECT md5('i')::uuid, 'hero', 'zh-Hant-' || 100 + n, 'A' FROM generate_series(1, 51) AS n
            """
        ),
        ("charts_pkey", "INSERT INTO charts VALUES ('us', 'top-free')"),
        ("charts_storefront_fkey", "INSERT INTO charts VALUES ('zz', 'top-free')"),
        ("charts_name_check", "INSERT INTO charts VALUES ('us', 'Top')"),
        ("chart_entries_pkey", "INSERT INTO chart_entries VALUES ('us', 'top-free', 1, md5('b')::uuid)"),
        ("chart_entries_item_id_key", "INSERT INTO chart_entries VALUES ('us', 'top-free', 2, md5('a')::uuid)"),
        ("chart_entries_chart_fkey", "INSERT INTO chart_entries VALUES ('us', 'nothing', 1, md5('a')::uuid)"),
        ("chart_entries_item_id_fkey", "INSERT INTO chart_entries VALUES ('us', 'top-free', 2, md5('nothing')::uuid)"),
        ("chart_entries_rank_check", "INSERT INTO chart_entries VALUES ('us', 'top-free', 0, md5('b')::uuid)"),
    ]

    /// Returns a statement that adds an image to an item.
    private static func image(_ values: String, of item: String = "a") -> String {
        "INSERT INTO item_images VALUES (md5('\(item)')::uuid, \(values))"
    }

    private static func period(_ values: String, of item: String = "a") -> String {
        "INSERT INTO item_price_periods VALUES (md5('\(item)')::uuid, \(values))"
    }

    /// Keys that no input can violate: another constraint fails first, or the server assigns the values.
    private static let unbreakable: Set<String> = ["items_id_kind_key", "storefronts_key_currency_key"]

    /// Items, of which one has images and prices, and a chart.
    private static let sound = """
        BEGIN;
        SELECT pg_temp.top_app('a', '{"en": "A"}'), pg_temp.top_app('b', '{"en": "B", "de": "Be"}', '{tools,games}'),
            pg_temp.top_app('i', '{"en": "I"}');
        SELECT pg_temp.food_app('f', '{"en": "F"}', storefront => 'us');
        INSERT INTO item_images VALUES (md5('i')::uuid, 'icon', 0, '', 'light', '/{w}/{h}', 10, 10, '{}'),
            (md5('i')::uuid, 'hero', 0, '', 'light', '/h', 16, 9, '{{16,9}}');
        INSERT INTO item_images VALUES (md5('i')::uuid, 'hero', 0, 'de', 'light', '/{w}/{h}');
        INSERT INTO item_prices VALUES (md5('i')::uuid, 'us', 'price', 1, 'USD');
        INSERT INTO item_price_periods VALUES (md5('i')::uuid, 'us', 'price', '[2026-02-01,2026-03-01)', 1, 'USD', 2);
        INSERT INTO charts VALUES ('us', 'top-free');
        INSERT INTO chart_entries VALUES ('us', 'top-free', 1, md5('a')::uuid);
        COMMIT;
        """

    @Test("The database rejects each violation, and the error leads to the field")
    func refused() async throws {
        try await Fixture.run(Self.sound) { connection, _ async throws in
            for (rule, sql) in Self.broken {
                let error = await #expect(throws: PostgresError.self, "\(sql)") {
                    try await connection.runScript("break", "BEGIN; \(sql); COMMIT", until: .soon)
                }
                try await connection.runScript("end", "ROLLBACK", until: .soon)
                #expect(error?.constraint == rule, "\(sql): \(String(describing: error))")
                let reported = try #require(error.flatMap { ConstraintViolation($0) }, "\(rule)")
                #expect(
                    reported.constraint == rule && reported.pointer == ConstraintViolation.rules[rule]?.pointer && !reported.message.isEmpty
                )
                #expect([.badInput, .conflict].contains(error?.classification), "\(rule)")
            }
        }
    }

    @Test("The check of a load finds each violation of a rule of several tables")
    func rulesOfLoads() async throws {
        try await Fixture.run(Self.sound) { connection, _ async throws in
            let kept = PostgresQuery("kept", "SELECT are_item_rules_kept()")
            let query = PostgresQuery(
                "rules", "SELECT (regexp_matches(prosrc, $$'([a-z_]+_check)'$$, 'g'))[1] FROM pg_proc WHERE proname = 'broken_item_rule'")
            let rules = try await connection.rows(of: query, as: String.self, until: .soon)
            let violations = Self.broken.filter { rules.contains($0.rule) }
            #expect(rules.count > 12 && Set(rules) == Set(violations.map(\.rule)))
            let atStart = try await connection.rows(of: kept, as: Bool.self, until: .soon)
            #expect(atStart == [true])
            // A withdrawn item can break rules, so the items are checked one by one.
            for sql in violations.map(\.sql) + ["UPDATE items SET deleted_at = created_at WHERE slug = 'a'"] {
                try await connection.runScript("break", "BEGIN; \(sql)", until: .soon)
                let found = try await connection.rows(of: kept, as: Bool.self, until: .soon)
                #expect(found == [false], "\(sql)")
                try await connection.runScript("end", "ROLLBACK", until: .soon)
            }
        }
    }

    @Test("Unusual but valid values are accepted")
    func allowed() async throws {
        let script = """
            SELECT pg_temp.top_app('t', (SELECT jsonb_object_agg('zh-Hant-' || 100 + n, 'T') FROM generate_series(1, 50) AS n));
            SELECT pg_temp.food_app('f', '{"en": "F"}', storefront => 'us', during => '{(,2026-01-01),[2026-02-01,)}');
            UPDATE items SET rating_average = 0, rating_count = 0;
            UPDATE item_texts SET title = repeat('é', 200), subtitle = ' ' || repeat('é', 499) WHERE item_id = md5('f')::uuid;
            UPDATE item_platforms SET minimum_os = '123456789.0.123456789.1';
            """
        try await Fixture.run(script) { connection, _ async throws in
            // Periods can touch, and other prices and storefronts have their own.
            let periods = """
                INSERT INTO item_price_periods VALUES
                    (md5('t')::uuid, 'us', 'price', '[2026-02-01,2026-03-01)', 0, 'USD', 1),
                    (md5('t')::uuid, 'us', 'price', '[2026-03-01,9999-12-31 23:59:59.999999Z)', 1000000000000, 'USD', NULL),
                    (md5('t')::uuid, 'de', 'price', '[2026-02-01,2026-03-01)', 0, 'EUR', 1000000000000),
                    (md5('f')::uuid, 'us', 'minimumOrder', '[2026-02-01,2026-03-01)', 0, 'USD', NULL),
                    (md5('f')::uuid, 'us', 'deliveryFee', '[2026-02-01,2026-03-01)', 0, 'USD', 299);
                """
            try await connection.runScript("price", periods, until: .soon)
            for hours in ["", "[0,10080)", "[600,10680)", "[700,800),[10000,10700)", "[0,1)"] {
                try await connection.runScript("open", "UPDATE food_apps SET opening_hours = '{\(hours)}'", until: .soon)
            }
            for zone in ["UTC", "Asia/Kolkata", "America/Argentina/Buenos_Aires"] {
                try await connection.runScript("move", "UPDATE storefronts SET time_zone = '\(zone)'", until: .soon)
            }
            let images = [
                "0, '', 'light', '/{w}/{h}', 16384, 1, '{}', '#1F6F8B', 'L6Pj0^', NULL",
                "0, 'de', 'light', NULL, NULL, NULL, NULL, NULL, NULL, 'A'",
                "0, 'fr', 'light', 'https://a/{h}{w}', NULL, NULL, NULL, NULL, NULL, 'A'",
                "0, 'fr', 'dark', 'https://a/{h}{w}', NULL, NULL, NULL, NULL, NULL, NULL",
                "19, '', 'light', 'https://example.org/a', 3, 2, '{{3,2}}', NULL, NULL, NULL",
                "19, '', 'dark', '/b', NULL, NULL, NULL, NULL, NULL, NULL",
            ]
            let maximum = """
                INSERT INTO item_images SELECT md5('t')::uuid, role, 0, '', 'light', '/{w}/{h}', 1, 1, '{}'
                FROM unnest('{icon,hero,a,b,c,d,e,f,g}'::text[]) AS role;
                INSERT INTO item_images (item_id, role, locale, template, alt)
                SELECT md5('t')::uuid, 'hero', 'zh-Hant-' || 100 + n, '/{w}/{h}', 'A' FROM generate_series(1, 50) AS n;
                """
            try await connection.runScript("fill", maximum, until: .soon)
            for role in ["screenshot", "banner"] {
                let rows = images.map { "(md5('t')::uuid, '\(role)', \($0))" }.joined(separator: ", ")
                try await connection.runScript("show", "INSERT INTO item_images VALUES \(rows)", until: .soon)
            }
        }
    }

    @Test("A missing value is rejected, and the error leads to its field")
    func missing() async throws {
        try await Fixture.run { connection, _ async throws in
            let query = PostgresQuery(
                "columns",
                """
                SELECT relname::text, attname::text FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
                WHERE relnamespace = 'vitrine'::regnamespace AND relkind = 'r' AND attnum > 0 AND attnotnull AND NOT atthasdef
                    AND relname = ANY ('{storefronts,categories,category_texts,items,top_apps,food_apps,item_texts,charts}')
                    AND attname NOT IN ('item_id', 'category')
                """)
            let columns = try await connection.rows(of: query, as: String.self, String.self, until: .soon)
            #expect(columns.count > 25)
            for (table, column) in columns {
                var error = PostgresError(.refused, "null", sqlState: SQLState(rawValue: "23502"))
                (error.table, error.column) = (table, column)
                let reported = ConstraintViolation(error)
                #expect(
                    reported?.message == "is missing" && (reported?.pointer.isEmpty == false || column == "content_hash"),
                    "\(table).\(column)")
            }
            let error = await #expect(throws: PostgresError.self) {
                try await connection.runScript("break", "INSERT INTO storefronts VALUES ('fr', NULL, 'UTC', 'en')", until: .soon)
            }
            #expect(error.flatMap { ConstraintViolation($0) }?.pointer == "/currency")
        }
    }

    @Test("Every constraint has a field, and a statement of these tests that violates it")
    func complete() async throws {
        try await Fixture.run { connection, _ async throws in
            // Input cannot violate the keys and checks of the index, its queue, the outbox, former slugs, platforms and rating
            // schemes. Feeds, experiments and access have their own tests.
            let query = PostgresQuery(
                "constraints",
                """
                SELECT conname::text FROM pg_constraint
                WHERE connamespace = 'vitrine'::regnamespace AND contype <> 't' AND conrelid NOT IN (
                    'vitrine.sync_outbox'::regclass, 'vitrine.listings'::regclass, 'vitrine.listing_counts'::regclass,
                    'vitrine.listing_moments'::regclass, 'vitrine.listed_titles'::regclass,
                    'vitrine.search_documents'::regclass, 'vitrine.search_words'::regclass, 'vitrine.stale_items'::regclass,
                    'vitrine.unindexed_items'::regclass, 'vitrine.item_slugs'::regclass, 'vitrine.platforms'::regclass,
                    'vitrine.rating_schemes'::regclass, 'vitrine.rating_labels'::regclass,
                    'vitrine.secrets'::regclass, 'vitrine.feeds'::regclass, 'vitrine.revisions'::regclass,
                    'vitrine.experiments'::regclass, 'vitrine.holdouts'::regclass,
                    'vitrine.publications'::regclass, 'vitrine.publication_spans'::regclass, 'vitrine.published'::regclass,
                    'vitrine.sync_head'::regclass,
                    'vitrine.availability_bounds'::regclass, 'vitrine.sync_buckets'::regclass, 'vitrine.sync_epoch'::regclass,
                    'vitrine.published_ends'::regclass, 'vitrine.sync_catalogs'::regclass,
                    'vitrine.tokens'::regclass, 'vitrine.audit_entries'::regclass, 'vitrine.replies'::regclass,
                    'vitrine.imports'::regclass, 'vitrine.import_rejects'::regclass, 'vitrine.imported_lines'::regclass,
                    'vitrine.lost_lines'::regclass, 'vitrine.published_storefronts'::regclass,
                    'vitrine.live_findings'::regclass, 'vitrine.moved_spans'::regclass, 'vitrine.zone_rules'::regclass)
                UNION ALL
                SELECT DISTINCT (regexp_matches(prosrc, '''([a-z_]+_check)''', 'g'))[1]
                FROM pg_proc WHERE proname IN ('broken_item_rule', 'keep_kind_of_items')
                """)
            let names = try await connection.rows(of: query, as: String.self, until: .soon)
            #expect(Set(names) == Set(ConstraintViolation.rules.keys))
            #expect(Set(names).subtracting(Self.broken.map(\.rule)) == Self.unbreakable)
        }
    }
}
