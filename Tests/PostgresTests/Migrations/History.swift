/// What can have happened to a database that is not simply behind.
enum History: String, CaseIterable {
    case changed
    case renamed
    case replaced
    case skipped
    case breaking
    case everything

    var database: [Shop.File] {
        switch self {
        case .changed: [Shop.files[0], Shop.file("0002_create_items.sql", "CREATE TABLE shop.items (id integer);")]
        case .renamed: [Shop.files[0], Shop.file("0002_create_goods.sql", "CREATE TABLE shop.items (id bigint);")]
        case .replaced: [Shop.files[0], Shop.file("0002_create_orders.sql", "CREATE TABLE shop.orders (id bigint);")]
        case .skipped: [Shop.files[0], Shop.files[2]]
        case .breaking: Shop.files + [Shop.file("0004_add_stock.sql", ""), Shop.file("0012_drop_stock.sql", Shop.breaking)]
        case .everything:
            [
                Shop.file("0001_create_schema.sql", "CREATE SCHEMA store;"), Shop.file("0003_set_prices.sql", ""),
                Shop.file("0004_add_stock.sql", ""),
            ]
        }
    }
}
