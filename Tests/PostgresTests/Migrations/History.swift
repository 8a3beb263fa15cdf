/// The histories of a database that the program rejects.
enum History: String, CaseIterable {
    case changed
    case renamed
    case replaced
    case skipped
    case breaking
    case everything

    var database: [Site.File] {
        switch self {
        case .changed: [Site.files[0], Site.file("0002_create_items.sql", "CREATE TABLE shop.items (id integer);")]
        case .renamed: [Site.files[0], Site.file("0002_create_goods.sql", "CREATE TABLE shop.items (id bigint);")]
        case .replaced: [Site.files[0], Site.file("0002_create_orders.sql", "CREATE TABLE shop.orders (id bigint);")]
        case .skipped: [Site.files[0], Site.files[2]]
        case .breaking: Site.files + [Site.file("0004_add_stock.sql", ""), Site.file("0012_drop_stock.sql", Site.breaking)]
        case .everything:
            [
                Site.file("0001_create_schema.sql", "CREATE SCHEMA store;"), Site.file("0003_set_prices.sql", ""),
                Site.file("0004_add_stock.sql", ""),
            ]
        }
    }
}
