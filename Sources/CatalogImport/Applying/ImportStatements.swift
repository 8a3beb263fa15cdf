package import Postgres

/// What an import says to the server: see `sql/queries/import.sql`.
package struct ImportStatements: Sendable {
    let lock, queue, holdItems, editItems, savepoint, release, takeBack, settle, `defer`: NamedQuery
    let categories, storefronts, timeZones: NamedQuery
    let plan, lastSerialNumber, advanceSerialNumbers: NamedQuery
    let mayLoad, closeCatalog, putKeysOff, makeKeys, tellAll: NamedQuery
    let derive, analyze: NamedQuery
    let copyItems, copyTopApps, copyFoodApps, copyTexts, copyCategories, copyAvailability, copyPrices: NamedQuery
    let changeItems: NamedQuery
    /// Take away the rows of items beside those in `items`.
    let clear: [NamedQuery]
    let living, withdraw: NamedQuery
    let hasPrices, putStorefront, removeStorefrontLocales, putStorefrontLocales: NamedQuery
    let putCategory, removeCategoryTexts, putCategoryTexts: NamedQuery
    let chartItems, chart, putChart, clearChart, fillChart: NamedQuery

    package init(_ library: QueryLibrary) throws(UnknownQuery) {
        lock = try library.query("import.lock")
        queue = try library.query("import.queue")
        holdItems = try library.query("import.hold_items")
        editItems = try library.query("import.edit_items")
        savepoint = try library.query("import.savepoint")
        release = try library.query("import.release")
        takeBack = try library.query("import.take_back")
        settle = try library.query("import.settle")
        `defer` = try library.query("import.defer")
        categories = try library.query("import.categories")
        storefronts = try library.query("import.storefronts")
        timeZones = try library.query("import.time_zones")
        plan = try library.query("import.plan")
        lastSerialNumber = try library.query("import.last_serial_number")
        advanceSerialNumbers = try library.query("import.advance_serial_numbers")
        mayLoad = try library.query("import.may_load")
        closeCatalog = try library.query("import.close_catalog")
        putKeysOff = try library.query("import.put_keys_off")
        makeKeys = try library.query("import.make_keys")
        tellAll = try library.query("import.tell_all")
        derive = try library.query("import.derive")
        analyze = try library.query("import.analyze")
        copyItems = try library.query("import.copy_items")
        copyTopApps = try library.query("import.copy_top_apps")
        copyFoodApps = try library.query("import.copy_food_apps")
        copyTexts = try library.query("import.copy_texts")
        copyCategories = try library.query("import.copy_categories")
        copyAvailability = try library.query("import.copy_availability")
        copyPrices = try library.query("import.copy_prices")
        changeItems = try library.query("import.change_items")
        clear = [
            try library.query("import.clear_top_apps"), try library.query("import.clear_food_apps"),
            try library.query("import.clear_texts"), try library.query("import.clear_categories"),
            try library.query("import.clear_availability"), try library.query("import.clear_prices"),
        ]
        living = try library.query("import.living")
        withdraw = try library.query("import.withdraw")
        hasPrices = try library.query("import.has_prices")
        putStorefront = try library.query("import.put_storefront")
        removeStorefrontLocales = try library.query("import.remove_storefront_locales")
        putStorefrontLocales = try library.query("import.put_storefront_locales")
        putCategory = try library.query("import.put_category")
        removeCategoryTexts = try library.query("import.remove_category_texts")
        putCategoryTexts = try library.query("import.put_category_texts")
        chartItems = try library.query("import.chart_items")
        chart = try library.query("import.chart")
        putChart = try library.query("import.put_chart")
        clearChart = try library.query("import.clear_chart")
        fillChart = try library.query("import.fill_chart")
    }
}
