package import Postgres

/// The queries that pages are read with, looked up once.
package struct PageQueries: Sendable {
    let head, ends, touched, parts, versions, items, someItems, layouts: NamedQuery

    package init(_ library: QueryLibrary) throws(UnknownQuery) {
        head = try library.query("pages.head")
        ends = try library.query("pages.ends")
        touched = try library.query("pages.touched")
        parts = try library.query("pages.parts")
        versions = try library.query("pages.versions")
        items = try library.query("pages.items")
        someItems = try library.query("pages.some_items")
        layouts = try library.query("pages.layouts")
    }
}
