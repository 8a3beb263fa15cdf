internal import CatalogImport

extension ImportCounts {
    /// One row of counts; its name is all of them in words.
    var page: ListPage<ImportCounts> {
        let columns: [ListPage<ImportCounts>.Column] = [
            .init(title: "NEW") { "\($0.new)" }, .init(title: "CHANGED") { "\($0.changed)" },
            .init(title: "UNCHANGED") { "\($0.unchanged)" }, .init(title: "REJECTED") { "\($0.rejected)" },
            .init(title: "WITHDRAWN") { "\($0.withdrawn)" },
        ]
        return ListPage(elements: [self], columns: columns) { $0.words }
    }

    var words: String {
        let parts = ["\(new) new", "\(changed) changed", "\(unchanged) unchanged", "\(rejected) rejected"]
        return (parts + (withdrawn > 0 ? ["\(withdrawn) withdrawn"] : [])).joined(separator: ", ")
    }
}
