internal import CatalogImport
internal import JSON

/// An import that has ended, as a server tells it.
struct RemoteImport: Sendable {
    let id: Int
    let counts: ImportCounts
    /// Of one that ended by what is in the file.
    let failure: ImportFailure?
    let leftMissing: ImportReport.PruneSkipped?

    /// Nil where it is none.
    init?(_ node: JSONNode?) {
        guard let node, let id = node["id"]?.integer, let counted = node["counts"] else { return nil }
        self.id = id
        var counts = ImportCounts()
        counts.new = counted["new"]?.integer ?? 0
        counts.changed = counted["changed"]?.integer ?? 0
        counts.unchanged = counted["unchanged"]?.integer ?? 0
        counts.rejected = counted["rejected"]?.integer ?? 0
        counts.withdrawn = counted["withdrawn"]?.integer ?? 0
        self.counts = counts
        failure =
            switch node["failure"]?.string {
            case "tooManyRejects": .tooManyRejects(counts)
            case "tooManyRefusals": .tooManyRefusals(counts)
            case "tooManyRecords": .tooManyRecords(counts)
            case "unreadable": .unreadable(counts)
            default: nil
            }
        leftMissing = node["leftMissing"].flatMap { (node) -> ImportReport.PruneSkipped? in
            switch node["reason"]?.string {
            case "rejects": .rejects
            case "tooMany": .tooMany(missing: node["missing"]?.integer ?? 0, living: node["living"]?.integer ?? 0)
            default: nil
            }
        }
    }
}
