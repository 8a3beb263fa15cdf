/// The files beside this one, as they were when the program was built.
///
/// The build embeds every file; the name of its bytes is the file's own with `_` for each `.` and in place of a leading digit. A file is listed
/// here by hand, and a test compares this list with the folders.
package enum SQLFiles {
    package typealias File = (name: String, bytes: [UInt8])

    /// In the order of their numbers.
    package static var migrations: [File] {
        [
            ("0001_create_schema.sql", PackageResources._001_create_schema_sql),
            ("0002_create_storefronts.sql", PackageResources._002_create_storefronts_sql),
            ("0003_create_items.sql", PackageResources._003_create_items_sql),
            ("0004_create_charts.sql", PackageResources._004_create_charts_sql),
            ("0005_create_outbox.sql", PackageResources._005_create_outbox_sql),
            ("0006_create_listings.sql", PackageResources._006_create_listings_sql),
            ("0007_create_feeds.sql", PackageResources._007_create_feeds_sql),
            ("0008_create_published.sql", PackageResources._008_create_published_sql),
            ("0009_create_sync.sql", PackageResources._009_create_sync_sql),
            ("0010_harden_catalog.sql", PackageResources._010_harden_catalog_sql),
            ("0011_create_curating.sql", PackageResources._011_create_curating_sql),
            ("0012_create_imports.sql", PackageResources._012_create_imports_sql),
            ("0013_lock_serial_numbers.sql", PackageResources._013_lock_serial_numbers_sql),
            ("0014_bound_drains.sql", PackageResources._014_bound_drains_sql),
        ]
    }

    package static var queries: [File] {
        [
            ("audit.sql", PackageResources.audit_sql), ("catalog.sql", PackageResources.catalog_sql),
            ("curating.sql", PackageResources.curating_sql), ("doctor.sql", PackageResources.doctor_sql),
            ("feeds.sql", PackageResources.feeds_sql), ("import.sql", PackageResources.import_sql),
            ("imports.sql", PackageResources.imports_sql),
            ("items.sql", PackageResources.items_sql),
            ("migrations.sql", PackageResources.migrations_sql), ("pages.sql", PackageResources.pages_sql),
            ("roles.sql", PackageResources.roles_sql), ("rules.sql", PackageResources.rules_sql), ("sequencer.sql", PackageResources.sequencer_sql),
            ("sync.sql", PackageResources.sync_sql),
        ]
    }

    /// A catalog to look at, as lines for an import; what comes first is needed by what follows.
    package static var sample: [File] {
        [
            ("storefronts.jsonl", PackageResources.storefronts_jsonl), ("categories.jsonl", PackageResources.categories_jsonl),
            ("apps.jsonl", PackageResources.apps_jsonl), ("food.jsonl", PackageResources.food_jsonl),
            ("charts.jsonl", PackageResources.charts_jsonl),
        ]
    }

    /// Feeds for that catalog, as curators write them. One beside `today` takes its place for a night.
    package static var sampleFeeds: [File] {
        [
            ("apps.json", PackageResources.apps_json), ("food.json", PackageResources.food_json),
            ("games.json", PackageResources.games_json), ("search.json", PackageResources.search_json),
            ("today.json", PackageResources.today_json), ("today.takeover.json", PackageResources.today_takeover_json),
        ]
    }
}
