internal import Postgres

/// The queries that pages are read with.
package enum PageQueries {
    static let head = NamedQuery("pages.head")
    static let ends = NamedQuery("pages.ends")
    static let touched = NamedQuery("pages.touched")
    static let parts = NamedQuery("pages.parts")
    static let versions = NamedQuery("pages.versions")
    static let items = NamedQuery("pages.items")
    static let someItems = NamedQuery("pages.some_items")
    static let layouts = NamedQuery("pages.layouts")
}
