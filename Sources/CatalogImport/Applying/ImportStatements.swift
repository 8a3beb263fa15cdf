internal import Postgres

/// The SQL statements of an import, from `sql/queries/import.sql`.
package enum ImportStatements {
    static let lock = NamedQuery("import.lock")
    static let queue = NamedQuery("import.queue")
    static let backlog = NamedQuery("import.backlog")
    static let holdItems = NamedQuery("import.hold_items")
    static let editItems = NamedQuery("import.edit_items")
    static let savepoint = NamedQuery("import.savepoint")
    static let release = NamedQuery("import.release")
    static let takeBack = NamedQuery("import.take_back")
    static let settle = NamedQuery("import.settle")
    static let `defer` = NamedQuery("import.defer")
    static let categories = NamedQuery("import.categories")
    static let storefronts = NamedQuery("import.storefronts")
    static let platforms = NamedQuery("import.platforms")
    static let ratingLabels = NamedQuery("import.rating_labels")
    static let timeZones = NamedQuery("import.time_zones")
    static let plan = NamedQuery("import.plan")
    static let lastSerialNumber = NamedQuery("import.last_serial_number")
    static let advanceSerialNumbers = NamedQuery("import.advance_serial_numbers")
    static let mayLoad = NamedQuery("import.may_load")
    static let closeCatalog = NamedQuery("import.close_catalog")
    static let putKeysOff = NamedQuery("import.put_keys_off")
    static let makeKeys = NamedQuery("import.make_keys")
    static let notifyAll = NamedQuery("import.notify_all")
    static let derive = NamedQuery("import.derive")
    static let deriveEdits = NamedQuery("import.derive_edits")
    static let analyze = NamedQuery("import.analyze")
    static let putLines = NamedQuery("import.put_lines")
    static let forgetLostLines = NamedQuery("import.forget_lost_lines")
    static let countLines = NamedQuery("import.count_lines")
    static let lines = NamedQuery("import.lines")
    static let lostLines = NamedQuery("import.lost_lines")
    static let changeItems = NamedQuery("import.change_items")
    /// The statements that delete the rows of items from all tables but `items`.
    static let clear: [NamedQuery] = [
        NamedQuery("import.clear_top_apps"), NamedQuery("import.clear_food_apps"),
        NamedQuery("import.clear_texts"), NamedQuery("import.clear_categories"),
        NamedQuery("import.clear_availability"), NamedQuery("import.clear_prices"),
        NamedQuery("import.clear_price_periods"), NamedQuery("import.clear_images"), NamedQuery("import.clear_platforms"),
        NamedQuery("import.clear_age_ratings"),
    ]
    static func copy(_ table: ItemTable) -> NamedQuery {
        switch table {
        case .items: NamedQuery("import.copy_items")
        case .topApps: NamedQuery("import.copy_top_apps")
        case .foodApps: NamedQuery("import.copy_food_apps")
        case .texts: NamedQuery("import.copy_texts")
        case .categories: NamedQuery("import.copy_categories")
        case .availability: NamedQuery("import.copy_availability")
        case .prices: NamedQuery("import.copy_prices")
        case .pricePeriods: NamedQuery("import.copy_price_periods")
        case .images: NamedQuery("import.copy_images")
        case .platforms: NamedQuery("import.copy_platforms")
        case .ageRatings: NamedQuery("import.copy_age_ratings")
        case .lines: NamedQuery("import.copy_lines")
        }
    }
    static let activeItems = NamedQuery("import.active_items")
    static let withdraw = NamedQuery("import.withdraw")
    static let sameStorefronts = NamedQuery("import.same_storefronts")
    static let sameCategories = NamedQuery("import.same_categories")
    static let sameCharts = NamedQuery("import.same_charts")
    static let hasPrices = NamedQuery("import.has_prices")
    static let holdStorefronts = NamedQuery("import.hold_storefronts")
    static let putStorefront = NamedQuery("import.put_storefront")
    static let removeStorefrontLocales = NamedQuery("import.remove_storefront_locales")
    static let putStorefrontLocales = NamedQuery("import.put_storefront_locales")
    static let putCategory = NamedQuery("import.put_category")
    static let removeCategoryTexts = NamedQuery("import.remove_category_texts")
    static let putCategoryTexts = NamedQuery("import.put_category_texts")
    static let chartItems = NamedQuery("import.chart_items")
    static let loadedChartItems = NamedQuery("import.loaded_chart_items")
    static let holdChart = NamedQuery("import.hold_chart")
    static let chart = NamedQuery("import.chart")
    static let putChart = NamedQuery("import.put_chart")
    static let clearChart = NamedQuery("import.clear_chart")
    static let fillChart = NamedQuery("import.fill_chart")
}
