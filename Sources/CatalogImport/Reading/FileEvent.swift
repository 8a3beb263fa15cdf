/// What a piece of a file turned out to be.
package enum FileEvent: Sendable {
    case item(PreparedItem)
    case storefront(StorefrontRecord, line: Int)
    case category(CategoryRecord, line: Int)
    case chart(ChartRecord, line: Int)
    /// Before a record that changes what the catalog or the file has said of a word: what stands above it goes by what was.
    case wordChanges
    /// A record that cannot be imported, with all that is wrong with it.
    case rejected([Reject])
}
