internal import Values

struct OutboxChanges {
    /// The number of IDs and keys, including ignored ones.
    private(set) var count = 0
    private(set) var items: Set<UUID> = []
    /// The items of which only lists and searches changed.
    private(set) var listings: Set<UUID> = []
    /// The items, of both kinds of changes, that edits have changed. Only imports have changed the others.
    private(set) var editedItems: Set<UUID> = []
    private(set) var storefronts: Set<String> = []
    /// The charts that edits have changed, such as `us/top-free`.
    private(set) var editedCharts: Set<String> = []
    /// The charts that imports have changed.
    private(set) var importedCharts: Set<String> = []
    /// The items whose published documents a consistency check has found to be wrong.
    private(set) var republishedItems: Set<UUID> = []
    /// The layouts whose published documents a consistency check has found to be wrong.
    private(set) var republishedLayouts: Set<String> = []
    /// Whether a consistency check has found another wrong document. The known published state is then unreliable.
    private(set) var republishesParts = false
    /// Whether spans have changed, or which feeds and storefronts take part.
    private(set) var changesSchedules = false

    init(_ rows: [(kind: String, ids: [UUID], keys: [String], isImport: Bool)] = []) {
        for row in rows {
            count += row.ids.count + row.keys.count
            if !row.isImport { editedItems.formUnion(row.ids) }
            switch row.kind {
            case "item": items.formUnion(row.ids)
            case "listing": listings.formUnion(row.ids)
            case "storefront":
                storefronts.formUnion(row.keys)
                changesSchedules = true
            case "span", "feed": changesSchedules = true
            case "chart" where row.isImport: importedCharts.formUnion(row.keys)
            case "chart": editedCharts.formUnion(row.keys)
            case "doubtedItem":
                items.formUnion(row.ids)
                republishedItems.formUnion(row.ids)
            case "doubtedLayout":
                republishedLayouts.formUnion(row.keys)
                republishesParts = true
            case "doubtedPart": republishesParts = true
            // The experiments are read each time, and feeds do not show the titles of categories.
            default: continue
            }
        }
    }
}
