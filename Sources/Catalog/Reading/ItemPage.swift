package import Items
internal import Values

/// A page of a list: its items, and the position of the last one if there are more.
package struct ItemPage: Sendable {
    package var items: [Item]
    /// The position for a cursor, or nil at the end of the list.
    package var next: [String]?
    /// The corrected text, if words that no item has were replaced.
    package var correctedSearch: String?

    package init(items: [Item], next: [String]? = nil, correctedSearch: String? = nil) {
        self.items = items
        self.next = next
        self.correctedSearch = correctedSearch
    }
}

/// The IDs of a page with their positions. It is read from one row more than the limit if the list has more.
struct IDPage {
    var ids: [UUID] = []
    var next: [String]?
    /// Whether the scan was cut, so that the list can have more items for the page.
    var isCut = false

    init() {}

    /// Creates a page from the rows of a scan. A row without an ID has the position at which the scan was cut. The rows
    /// after it can be incomplete.
    init<Row>(upToCut rows: [Row], limit: Int, id: (Row) -> UUID?, position: (Row) -> [String]) {
        let whole = rows.prefix { id($0) != nil }
        ids = whole.prefix(limit).compactMap(id)
        if whole.count > limit {
            next = whole.prefix(limit).last.map(position)
        } else if whole.count < rows.count {
            next = position(rows[whole.count])
            isCut = true
        }
    }

    /// Returns nil if a scan was cut before the page was full. A row then has no ID.
    init?<Row>(walked rows: [Row], limit: Int, id: (Row) -> UUID?, position: (Row) -> [String]) {
        guard rows.allSatisfy({ id($0) != nil }) else { return nil }
        ids = rows.prefix(limit).compactMap(id)
        next = rows.count > limit ? rows.prefix(limit).last.map(position) : nil
    }

    init<Row>(_ rows: [Row], limit: Int, id: (Row) -> UUID, position: (Row) -> [String]) {
        ids = rows.prefix(limit).map(id)
        next = rows.count > limit ? rows.prefix(limit).last.map(position) : nil
    }
}
