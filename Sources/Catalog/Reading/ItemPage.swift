package import Items
internal import Values

/// A part of a list: its items, and the place of the last one where there are more.
package struct ItemPage: Sendable {
    package var items: [Item]
    /// For a cursor; nil at the end of the list.
    package var next: [String]?
    /// What was searched for in place of words that no item has.
    package var correctedSearch: String?

    package init(items: [Item], next: [String]? = nil, correctedSearch: String? = nil) {
        self.items = items
        self.next = next
        self.correctedSearch = correctedSearch
    }
}

/// The ids of a page with the place of each, one more than are shown where there are more.
struct IDPage {
    var ids: [UUID] = []
    var next: [String]?
    /// Whether a walk ended there although there may be more before the page is full.
    var isCut = false

    init() {}

    /// A row without an id has the place that a walk was cut at; what lies behind it may be incomplete.
    init<Row>(upToCut rows: [Row], limit: Int, id: (Row) -> UUID?, place: (Row) -> [String]) {
        let whole = rows.prefix { id($0) != nil }
        ids = whole.prefix(limit).compactMap(id)
        if whole.count > limit {
            next = whole.prefix(limit).last.map(place)
        } else if whole.count < rows.count {
            next = place(rows[whole.count])
            isCut = true
        }
    }

    /// Nil where a walk ended before the page was full and before the list did: then a row has no id.
    init?<Row>(walked rows: [Row], limit: Int, id: (Row) -> UUID?, place: (Row) -> [String]) {
        guard rows.allSatisfy({ id($0) != nil }) else { return nil }
        ids = rows.prefix(limit).compactMap(id)
        next = rows.count > limit ? rows.prefix(limit).last.map(place) : nil
    }

    init<Row>(_ rows: [Row], limit: Int, id: (Row) -> UUID, place: (Row) -> [String]) {
        ids = rows.prefix(limit).map(id)
        next = rows.count > limit ? rows.prefix(limit).last.map(place) : nil
    }
}
