// The compiler reads each embedded file almost instantly. A Swift array literal of as many bytes takes it a minute and
// two gigabytes.
#include "CFiles.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const struct cfiles_file migrations[] = {
    {"0001_create_schema.sql", (const char[]){
#embed "../../sql/migrations/0001_create_schema.sql" suffix(, 0)
    }},
    {"0002_create_storefronts.sql", (const char[]){
#embed "../../sql/migrations/0002_create_storefronts.sql" suffix(, 0)
    }},
    {"0003_create_items.sql", (const char[]){
#embed "../../sql/migrations/0003_create_items.sql" suffix(, 0)
    }},
    {"0004_create_charts.sql", (const char[]){
#embed "../../sql/migrations/0004_create_charts.sql" suffix(, 0)
    }},
    {"0005_create_outbox.sql", (const char[]){
#embed "../../sql/migrations/0005_create_outbox.sql" suffix(, 0)
    }},
    {"0006_create_listings.sql", (const char[]){
#embed "../../sql/migrations/0006_create_listings.sql" suffix(, 0)
    }},
    {"0007_create_feeds.sql", (const char[]){
#embed "../../sql/migrations/0007_create_feeds.sql" suffix(, 0)
    }},
    {"0008_create_published.sql", (const char[]){
#embed "../../sql/migrations/0008_create_published.sql" suffix(, 0)
    }},
    {"0009_create_sync.sql", (const char[]){
#embed "../../sql/migrations/0009_create_sync.sql" suffix(, 0)
    }},
    {"0010_harden_catalog.sql", (const char[]){
#embed "../../sql/migrations/0010_harden_catalog.sql" suffix(, 0)
    }},
    {"0011_create_curating.sql", (const char[]){
#embed "../../sql/migrations/0011_create_curating.sql" suffix(, 0)
    }},
    {"0012_create_imports.sql", (const char[]){
#embed "../../sql/migrations/0012_create_imports.sql" suffix(, 0)
    }},
    {"0013_lock_serial_numbers.sql", (const char[]){
#embed "../../sql/migrations/0013_lock_serial_numbers.sql" suffix(, 0)
    }},
    {"0014_bound_drains.sql", (const char[]){
#embed "../../sql/migrations/0014_bound_drains.sql" suffix(, 0)
    }},
    {"0015_write_item_documents_in_file_form.sql", (const char[]){
#embed "../../sql/migrations/0015_write_item_documents_in_file_form.sql" suffix(, 0)
    }},
    {"0016_rename_underived_items.sql", (const char[]){
#embed "../../sql/migrations/0016_rename_underived_items.sql" suffix(, 0)
    }},
    {"0017_create_retained_sections.sql", (const char[]){
#embed "../../sql/migrations/0017_create_retained_sections.sql" suffix(, 0)
    }},
    {"0018_measure_outbox.sql", (const char[]){
#embed "../../sql/migrations/0018_measure_outbox.sql" suffix(, 0)
    }},
    {"0019_create_item_slugs.sql", (const char[]){
#embed "../../sql/migrations/0019_create_item_slugs.sql" suffix(, 0)
    }},
    {"0020_add_list_kinds.sql", (const char[]){
#embed "../../sql/migrations/0020_add_list_kinds.sql" suffix(, 0)
    }},
    {"0021_index_placed_items.sql", (const char[]){
#embed "../../sql/migrations/0021_index_placed_items.sql" suffix(, 0)
    }},
    {"0022_publish_lists.sql", (const char[]){
#embed "../../sql/migrations/0022_publish_lists.sql" suffix(, 0)
    }},
    {"0023_validate_lists.sql", (const char[]){
#embed "../../sql/migrations/0023_validate_lists.sql" suffix(, 0)
    }},
    {"0024_publish_cards.sql", (const char[]){
#embed "../../sql/migrations/0024_publish_cards.sql" suffix(, 0)
    }},
    {"0025_validate_cards.sql", (const char[]){
#embed "../../sql/migrations/0025_validate_cards.sql" suffix(, 0)
    }},
    {"0026_create_item_images.sql", (const char[]){
#embed "../../sql/migrations/0026_create_item_images.sql" suffix(, 0)
    }},
    {"0027_publish_item_images.sql", (const char[]){
#embed "../../sql/migrations/0027_publish_item_images.sql" suffix(, 0)
    }},
    {"0028_publish_per_storefront.sql", (const char[]){
#embed "../../sql/migrations/0028_publish_per_storefront.sql" suffix(, 0)
    }},
    {"0029_create_item_facts.sql", (const char[]){
#embed "../../sql/migrations/0029_create_item_facts.sql" suffix(, 0)
    }},
    {"0030_publish_item_facts.sql", (const char[]){
#embed "../../sql/migrations/0030_publish_item_facts.sql" suffix(, 0)
    }},
    {"0031_create_price_periods.sql", (const char[]){
#embed "../../sql/migrations/0031_create_price_periods.sql" suffix(, 0)
    }},
    {"0032_use_price_periods.sql", (const char[]){
#embed "../../sql/migrations/0032_use_price_periods.sql" suffix(, 0)
    }},
    {"0033_create_experiments.sql", (const char[]){
#embed "../../sql/migrations/0033_create_experiments.sql" suffix(, 0)
    }},
    {"0034_list_by_platform.sql", (const char[]){
#embed "../../sql/migrations/0034_list_by_platform.sql" suffix(, 0)
    }},
    {"0035_create_live_findings.sql", (const char[]){
#embed "../../sql/migrations/0035_create_live_findings.sql" suffix(, 0)
    }},
    {"0036_check_platforms.sql", (const char[]){
#embed "../../sql/migrations/0036_check_platforms.sql" suffix(, 0)
    }},
    {"0037_correct_publications.sql", (const char[]){
#embed "../../sql/migrations/0037_correct_publications.sql" suffix(, 0)
    }},
    {"0038_hold_experiments.sql", (const char[]){
#embed "../../sql/migrations/0038_hold_experiments.sql" suffix(, 0)
    }},
    {"0039_publish_storefronts.sql", (const char[]){
#embed "../../sql/migrations/0039_publish_storefronts.sql" suffix(, 0)
    }},
    {"0040_index_item_facts.sql", (const char[]){
#embed "../../sql/migrations/0040_index_item_facts.sql" suffix(, 0)
    }},
    {"0041_bound_schedule_queries.sql", (const char[]){
#embed "../../sql/migrations/0041_bound_schedule_queries.sql" suffix(, 0)
    }},
    {"0042_notify_sequencer.sql", (const char[]){
#embed "../../sql/migrations/0042_notify_sequencer.sql" suffix(, 0)
    }},
    {"0043_hold_orders_ahead.sql", (const char[]){
#embed "../../sql/migrations/0043_hold_orders_ahead.sql" suffix(, 0)
    }},
    {"0044_move_spans_by_storefront.sql", (const char[]){
#embed "../../sql/migrations/0044_move_spans_by_storefront.sql" suffix(, 0)
    }},
    {"0045_index_item_categories.sql", (const char[]){
#embed "../../sql/migrations/0045_index_item_categories.sql" suffix(, 0)
    }},
    {"0046_create_imported_lines.sql", (const char[]){
#embed "../../sql/migrations/0046_create_imported_lines.sql" suffix(, 0)
    }},
    {"0047_separate_imports.sql", (const char[]){
#embed "../../sql/migrations/0047_separate_imports.sql" suffix(, 0)
    }},
    {"0048_bound_searches.sql", (const char[]){
#embed "../../sql/migrations/0048_bound_searches.sql" suffix(, 0)
    }},
    {"0049_check_rows_faster.sql", (const char[]){
#embed "../../sql/migrations/0049_check_rows_faster.sql" suffix(, 0)
    }},
    {"0050_validate_rows.sql", (const char[]){
#embed "../../sql/migrations/0050_validate_rows.sql" suffix(, 0)
    }},
    {"0051_record_moved_spans_once.sql", (const char[]){
#embed "../../sql/migrations/0051_record_moved_spans_once.sql" suffix(, 0)
    }},
    {"0052_check_loads_faster.sql", (const char[]){
#embed "../../sql/migrations/0052_check_loads_faster.sql" suffix(, 0)
    }},
    {"0053_bound_polling.sql", (const char[]){
#embed "../../sql/migrations/0053_bound_polling.sql" suffix(, 0)
    }},
    {"0054_check_outbox_faster.sql", (const char[]){
#embed "../../sql/migrations/0054_check_outbox_faster.sql" suffix(, 0)
    }},
    {"0055_check_lists_faster.sql", (const char[]){
#embed "../../sql/migrations/0055_check_lists_faster.sql" suffix(, 0)
    }},
    {"0056_check_changed_zones_again.sql", (const char[]){
#embed "../../sql/migrations/0056_check_changed_zones_again.sql" suffix(, 0)
    }},
    {"0057_record_due_sections.sql", (const char[]){
#embed "../../sql/migrations/0057_record_due_sections.sql" suffix(, 0)
    }},
    {"0058_publish_few_items_faster.sql", (const char[]){
#embed "../../sql/migrations/0058_publish_few_items_faster.sql" suffix(, 0)
    }},
    {"0059_number_ends_and_keep_zones.sql", (const char[]){
#embed "../../sql/migrations/0059_number_ends_and_keep_zones.sql" suffix(, 0)
    }},
    {"0060_index_edits_first.sql", (const char[]){
#embed "../../sql/migrations/0060_index_edits_first.sql" suffix(, 0)
    }},
};
const struct cfiles_folder cfiles_migrations = {migrations, sizeof migrations / sizeof *migrations};

static const struct cfiles_file queries[] = {
    {"audit.sql", (const char[]){
#embed "../../sql/queries/audit.sql" suffix(, 0)
    }},
    {"catalog.sql", (const char[]){
#embed "../../sql/queries/catalog.sql" suffix(, 0)
    }},
    {"curating.sql", (const char[]){
#embed "../../sql/queries/curating.sql" suffix(, 0)
    }},
    {"doctor.sql", (const char[]){
#embed "../../sql/queries/doctor.sql" suffix(, 0)
    }},
    {"experiments.sql", (const char[]){
#embed "../../sql/queries/experiments.sql" suffix(, 0)
    }},
    {"feeds.sql", (const char[]){
#embed "../../sql/queries/feeds.sql" suffix(, 0)
    }},
    {"import.sql", (const char[]){
#embed "../../sql/queries/import.sql" suffix(, 0)
    }},
    {"imports.sql", (const char[]){
#embed "../../sql/queries/imports.sql" suffix(, 0)
    }},
    {"items.sql", (const char[]){
#embed "../../sql/queries/items.sql" suffix(, 0)
    }},
    {"migration_report.sql", (const char[]){
#embed "../../sql/queries/migration_report.sql" suffix(, 0)
    }},
    {"migrations.sql", (const char[]){
#embed "../../sql/queries/migrations.sql" suffix(, 0)
    }},
    {"pages.sql", (const char[]){
#embed "../../sql/queries/pages.sql" suffix(, 0)
    }},
    {"roles.sql", (const char[]){
#embed "../../sql/queries/roles.sql" suffix(, 0)
    }},
    {"rules.sql", (const char[]){
#embed "../../sql/queries/rules.sql" suffix(, 0)
    }},
    {"sequencer.sql", (const char[]){
#embed "../../sql/queries/sequencer.sql" suffix(, 0)
    }},
    {"status.sql", (const char[]){
#embed "../../sql/queries/status.sql" suffix(, 0)
    }},
    {"sync.sql", (const char[]){
#embed "../../sql/queries/sync.sql" suffix(, 0)
    }},
    {"vocabulary.sql", (const char[]){
#embed "../../sql/queries/vocabulary.sql" suffix(, 0)
    }},
};
const struct cfiles_folder cfiles_queries = {queries, sizeof queries / sizeof *queries};

static const struct cfiles_file sample[] = {
    {"storefronts.jsonl", (const char[]){
#embed "../../sql/sample/storefronts.jsonl" suffix(, 0)
    }},
    {"categories.jsonl", (const char[]){
#embed "../../sql/sample/categories.jsonl" suffix(, 0)
    }},
    {"apps.jsonl", (const char[]){
#embed "../../sql/sample/apps.jsonl" suffix(, 0)
    }},
    {"food.jsonl", (const char[]){
#embed "../../sql/sample/food.jsonl" suffix(, 0)
    }},
    {"charts.jsonl", (const char[]){
#embed "../../sql/sample/charts.jsonl" suffix(, 0)
    }},
};
const struct cfiles_folder cfiles_sample = {sample, sizeof sample / sizeof *sample};

static const struct cfiles_file sample_feeds[] = {
    {"apps.json", (const char[]){
#embed "../../sql/sample/feeds/apps.json" suffix(, 0)
    }},
    {"food.json", (const char[]){
#embed "../../sql/sample/feeds/food.json" suffix(, 0)
    }},
    {"games.json", (const char[]){
#embed "../../sql/sample/feeds/games.json" suffix(, 0)
    }},
    {"harbor-story.json", (const char[]){
#embed "../../sql/sample/feeds/harbor-story.json" suffix(, 0)
    }},
    {"search.json", (const char[]){
#embed "../../sql/sample/feeds/search.json" suffix(, 0)
    }},
    {"street-food.json", (const char[]){
#embed "../../sql/sample/feeds/street-food.json" suffix(, 0)
    }},
    {"today.json", (const char[]){
#embed "../../sql/sample/feeds/today.json" suffix(, 0)
    }},
    {"today.takeover.json", (const char[]){
#embed "../../sql/sample/feeds/today.takeover.json" suffix(, 0)
    }},
};
const struct cfiles_folder cfiles_sample_feeds = {sample_feeds, sizeof sample_feeds / sizeof *sample_feeds};

const char *const cfiles_openapi = (const char[]){
#embed "../../config/api/openapi.json" suffix(, 0)
};

const char *const cfiles_api_page = (const char[]){
#embed "../../docs/api.html" suffix(, 0)
};

const char *const cfiles_api_style = (const char[]){
#embed "../../docs/api.css" suffix(, 0)
};

const char *const cfiles_locale_parents = (const char[]){
#embed "../../config/locales/parents.json" suffix(, 0)
};

const char *const cfiles_screen_matrix = (const char[]){
#embed "../../config/screens/matrix.json" suffix(, 0)
};
