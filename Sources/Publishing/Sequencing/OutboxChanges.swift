internal import Values

struct OutboxChanges {
    /// Ids and keys, those of no interest included.
    private(set) var count = 0
    private(set) var items: Set<UUID> = []
    /// Of these, only lists and searches changed.
    private(set) var listings: Set<UUID> = []
    private(set) var storefronts: Set<String> = []
    /// `us/top-free`.
    private(set) var charts: Set<String> = []
    /// Items that an audit has found to be published otherwise than they are.
    private(set) var republishedItems: Set<UUID> = []
    /// The layouts of which it has found that.
    private(set) var republishedLayouts: Set<String> = []
    /// Whether it has found that of anything else: what is known of what is published is not to be relied on.
    private(set) var republishesParts = false

    init(_ rows: [(kind: String, ids: [UUID], keys: [String])] = []) {
        for row in rows {
            count += row.ids.count + row.keys.count
            switch row.kind {
            case "item": items.formUnion(row.ids)
            case "listing": listings.formUnion(row.ids)
            case "storefront": storefronts.formUnion(row.keys)
            case "chart": charts.formUnion(row.keys)
            case "doubtedItem":
                items.formUnion(row.ids)
                republishedItems.formUnion(row.ids)
            case "doubtedLayout":
                republishedLayouts.formUnion(row.keys)
                republishesParts = true
            case "doubtedPart": republishesParts = true
            // What feeds are to show is asked each time, and of a category's titles none shows anything.
            default: continue
            }
        }
    }
}
