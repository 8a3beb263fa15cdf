package import Postgres

/// The violation of a catalog constraint, described by the field of the record that broke it.
package struct ConstraintViolation: Sendable, Equatable {
    /// The name of the database constraint. For a missing value, it is a constraint on the same column.
    package let constraint: String
    /// The JSON Pointer (RFC 6901) of the field in a record, as an import reads it. If a field has parts for each
    /// locale or storefront, it points to the whole field. It is empty if no record has the field, or if the database does
    /// not report which of several fields it is, as for images.
    package let pointer: String
    /// The expected value, or the existing resource that conflicts.
    package let message: String

    /// Returns nil if the error is not the violation of a catalog constraint.
    package init?(_ error: PostgresError) {
        guard let constraint = error.constraint ?? Self.constraint(ofMissing: error), let rule = Self.rules[constraint] else { return nil }
        self.constraint = constraint
        pointer = rule.pointer
        message = error.constraint == nil ? "is missing" : rule.demand.message
    }

    /// The demand that a constraint makes on a field.
    enum Demand: Sendable, ExpressibleByStringLiteral {
        /// The valid values.
        case expected(String)
        /// A value that no other resource has.
        case existing(String)

        init(stringLiteral value: String) { self = .expected(value) }

        var message: String {
            switch self {
            case .expected(let values): "expected \(values)"
            case .existing(let resource): "\(resource) already exists"
            }
        }
    }

    /// Returns another constraint on the same column. A violated NOT NULL has no name of its own.
    private static func constraint(ofMissing error: PostgresError) -> String? {
        guard error.sqlState?.rawValue == "23502", let table = error.table, let column = error.column else { return nil }
        let part = column.hasPrefix("delivery_minutes") ? "delivery_minutes" : column
        return ["check", "fkey", "key", "kind_key", "detail_check"].map { "\(table)_\(part)_\($0)" }.first { rules[$0] != nil }
    }

    /// The constraints by name. A test compares them with those of the database.
    static let rules: [String: (pointer: String, demand: Demand)] = [
        "storefronts_pkey": ("/key", .existing("a storefront with this key")),
        "storefronts_key_check": ("/key", "two letters, or two letters, a hyphen and up to eight letters and digits"),
        "storefronts_currency_check": ("/currency", "three uppercase letters as in ISO 4217"),
        "storefronts_time_zone_check": ("/timeZone", "a time zone name such as Europe/Berlin"),
        "storefronts_closed_at_check": ("", "a time"),
        "storefronts_rating_scheme_fkey": ("/ratingScheme", "an existing rating scheme"),
        "storefronts_key_currency_key": ("/key", .existing("a storefront with this key")),
        "storefronts_default_locale_fkey": ("/defaultLocale", "one of the locales of the storefront"),
        "storefront_locales_pkey": ("/locales", "each locale once"),
        "storefront_locales_rank_key": ("/locales", "each locale at its own position"),
        "storefront_locales_storefront_fkey": ("/locales", "an existing storefront"),
        "storefront_locales_locale_check": ("/locales", "locales such as en, es-MX or zh-Hant"),
        "storefront_locales_rank_check": ("/locales", "positions from 1"),
        "categories_pkey": ("/key", .existing("a category with this key")),
        "categories_key_check": ("/key", "1 to 80 lowercase letters, digits and hyphens"),
        "categories_item_kind_check": ("/itemKind", "the kind of all items in the category"),
        "category_texts_pkey": ("/title", "one title for each locale"),
        "category_texts_category_fkey": ("/title", "an existing category"),
        "category_texts_locale_check": ("/title", "locales such as en, es-MX or zh-Hant"),
        "category_texts_title_check": ("/title", "1 to 200 characters, not only spaces, without control characters"),
        "items_pkey": ("/id", .existing("an item with this ID")),
        "items_id_kind_key": ("/id", .existing("an item with this ID")),
        "items_source_key": ("/source", .existing("an item of this kind with this source")),
        "items_slug_key": ("/slug", .existing("an item of this kind with this slug")),
        "items_serial_number_key": ("/serialNumber", .existing("an item with this serial number")),
        "items_source_check": ("/source", "1 to 200 characters, not only spaces, without control characters"),
        "items_serial_number_check": ("/serialNumber", "1 to 9007199254740991"),
        "items_slug_check": ("/slug", "1 to 80 lowercase letters, digits and hyphens"),
        "items_content_hash_check": ("", "a hash of 32 bytes"),
        "items_version_check": ("", "a version from 1"),
        "items_rating_average_check": ("/rating/average", "0 to 5"),
        "items_rating_count_check": ("/rating/count", "a number from 0"),
        "items_rating_check": ("/rating", "an average and a count, or neither, and an average of 0 if the count is 0"),
        "items_created_at_check": ("", "a time"),
        "items_updated_at_check": ("", "a time that is not before the creation"),
        "items_deleted_at_check": ("", "a time that is not before the creation"),
        "items_kind_detail_check": ("/kind", "only the fields of the kind of the item"),
        "items_title_check": ("/title", "a title in at least one locale"),
        "items_categories_check": ("/categories", "at least one category"),
        "items_tags_check": ("/tags", "up to 50 slugs, each once"),
        "items_is_everywhere_check": ("/availability", "the periods of each storefront, or none for all storefronts"),
        "top_apps_pkey": ("", "one row of its kind for an item"),
        "top_apps_item_id_fkey": ("/kind", "an item of this kind"),
        "top_apps_kind_check": ("/kind", "topApp"),
        "top_apps_bundle_id_check": ("/bundleId", "1 to 200 visible ASCII characters"),
        "top_apps_developer_check": ("/developer", "1 to 200 characters, not only spaces, without control characters"),
        "top_apps_app_version_check": ("/appVersion", "1 to 100 characters, not only spaces, without control characters"),
        "top_apps_size_bytes_check": ("/sizeBytes", "1 to 1125899906842624"),
        "top_apps_release_date_check": ("/releaseDate", "a day of the years 1970 to 2199"),
        "top_apps_homepage_check": ("/homepage", "an http or https URL of up to 2048 visible ASCII characters"),
        "food_apps_pkey": ("", "one row of its kind for an item"),
        "food_apps_item_id_fkey": ("/kind", "an item of this kind"),
        "food_apps_kind_check": ("/kind", "foodApp"),
        "food_apps_brand_check": ("/brand", "1 to 200 characters, not only spaces, without control characters"),
        "food_apps_cuisines_check": ("/cuisines", "1 to 50 slugs, each once"),
        "food_apps_dietary_tags_check": ("/dietaryTags", "up to 50 slugs, each once"),
        "food_apps_delivery_minutes_check": ("/deliveryMinutes", "0 to 1440, with an end that is not before the start"),
        "food_apps_price_band_check": ("/priceBand", "1 to 4"),
        "food_apps_opening_hours_check": ("/openingHours", "periods that start within one week and do not overlap"),
        "food_apps_time_zone_check": ("/timeZone", "a time zone name such as Europe/Berlin"),
        "food_apps_release_date_check": ("/releaseDate", "a day of the years 1970 to 2199"),
        "item_texts_pkey": ("/title", "one text for each locale"),
        "item_texts_item_id_fkey": ("/title", "an existing item"),
        "item_texts_locale_check": ("/title", "locales such as en, es-MX or zh-Hant"),
        "item_texts_number_check": ("/title", "texts in at most 50 locales"),
        "item_texts_title_check": ("/title", "1 to 200 characters, not only spaces, without control characters"),
        "item_texts_subtitle_check": ("/subtitle", "1 to 500 characters, not only spaces, without control characters"),
        "item_texts_image_alt_check": ("/image/alt", "1 to 500 characters, not only spaces, without control characters"),
        "item_categories_pkey": ("/categories", "each category once"),
        "item_categories_rank_key": ("/categories", "each category at its own position"),
        "item_categories_item_id_fkey": ("/categories", "an existing item"),
        "item_categories_category_fkey": ("/categories", "existing categories"),
        "item_categories_rank_check": ("/categories", "positions from 1 to 50"),
        "item_categories_kind_check": ("/categories", "categories for items of this kind"),
        "item_availability_pkey": ("/availability", "each storefront once"),
        "item_availability_item_id_fkey": ("/availability", "an existing item"),
        "item_availability_storefront_fkey": ("/availability", "existing storefronts"),
        "item_availability_during_check": ("/availability", "1 to 1000 periods in the years 1 to 9999, each with its start before its end"),
        "item_prices_pkey": ("/prices", "one price for each storefront"),
        "item_prices_item_id_fkey": ("/prices", "an existing item"),
        "item_prices_currency_fkey": ("/prices", "amounts in existing storefronts, each in the currency of its storefront"),
        "item_prices_amount_minor_check": ("/prices", "amounts from 0 to 1000000000000"),
        "item_prices_role_check": ("/prices", "only prices for items of this kind"),
        "item_price_periods_pkey": ("/pricePeriods", "each period once"),
        "item_price_periods_overlap_excl": ("/pricePeriods", "periods that do not overlap"),
        "item_price_periods_item_id_fkey": ("/pricePeriods", "an existing item"),
        "item_price_periods_currency_fkey": ("/pricePeriods", "amounts in existing storefronts, each in the currency of its storefront"),
        "item_price_periods_during_check": ("/pricePeriods", "periods in the years 1 to 9999, each with its start before its end"),
        "item_price_periods_amount_minor_check": ("/pricePeriods", "amounts from 0 to 1000000000000"),
        "item_price_periods_former_minor_check": ("/pricePeriods", "former amounts above the amounts, up to 1000000000000"),
        "item_price_periods_role_check": ("/pricePeriods", "only prices for items of this kind"),
        "item_price_periods_number_check": ("/pricePeriods", "at most 1000 periods of each price in a storefront"),
        "item_platforms_pkey": ("/platforms", "each platform once"),
        "item_platforms_item_id_fkey": ("/platforms", "an existing item"),
        "item_platforms_platform_fkey": ("/platforms", "existing platforms"),
        "item_platforms_minimum_os_check": ("/platforms", "versions of one to four numbers, such as 16.2"),
        "item_platforms_kind_check": ("/platforms", "at least one platform for a TopApp, and none for a FoodApp"),
        "item_age_ratings_pkey": ("/ageRatings", "one label for each rating scheme"),
        "item_age_ratings_item_id_fkey": ("/ageRatings", "an existing item"),
        "item_age_ratings_label_fkey": ("/ageRatings", "labels of existing rating schemes"),
        "item_age_ratings_kind_check": ("/ageRatings", "at least one label for a TopApp, and none for a FoodApp"),
        "item_images_pkey": ("", "one image for each role, position, locale and appearance"),
        "item_images_item_id_fkey": ("", "an existing item"),
        "item_images_role_check": ("", "roles of 1 to 80 lowercase letters, digits and hyphens"),
        "item_images_place_check": ("", "one icon, one hero, and up to 20 images of each other role"),
        "item_images_number_check": ("", "up to 10 roles in addition to the icon, and images and texts of up to 50 locales for each image"),
        "item_images_locale_check": ("", "locales such as en, es-MX or zh-Hant"),
        "item_images_appearance_check": ("", "light or dark"),
        "item_images_template_check": (
            "",
            "https URLs or paths that begin with one slash, of up to 2048 visible ASCII characters, with {w} and {h} once each, or without both"
        ),
        "item_images_placeholders_check": ("", "templates with {w} and {h}, or exactly one size"),
        "item_images_standard_check": ("", "an image for all locales, in light appearance"),
        "item_images_size_check": ("", "a width and a height of 1 to 16384 for each image"),
        "item_images_sizes_check": ("", "up to 20 sizes, each once and none larger than the image"),
        "item_images_color_check": ("", "colors such as #1F6F8B, in uppercase"),
        "item_images_blurhash_check": ("", "blurhashes of 6 to 128 characters"),
        "item_images_alt_check": (
            "", "texts of 1 to 500 characters, not only spaces, without control characters, and none for the icon"
        ),
        "charts_pkey": ("/name", .existing("a chart with this name")),
        "charts_storefront_fkey": ("/storefront", "an existing storefront"),
        "charts_name_check": ("/name", "1 to 80 lowercase letters, digits and hyphens"),
        "chart_entries_pkey": ("/items", "one item at each rank"),
        "chart_entries_item_id_key": ("/items", "each item once"),
        "chart_entries_chart_fkey": ("/name", "an existing chart"),
        "chart_entries_item_id_fkey": ("/items", "existing items"),
        "chart_entries_rank_check": ("/items", "ranks from 1"),
    ]
}
