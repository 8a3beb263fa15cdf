/// What an import may do.
package struct ImportOptions: Sendable {
    /// Writes all in one transaction, and takes it back.
    package var isDryRun = false
    /// All or nothing, instead of chunk by chunk.
    package var isAtomic = false
    /// Withdraws what the catalog has of the kinds of the file and the file has not.
    package var prunes = false
    /// Of a hundred items of those kinds; if more are missing in the file, none is withdrawn.
    package var maxWithdrawnPercent = 20
    /// Whether a catalog without items may be closed to others until the file ends; not where that may take long.
    package var closesEmptyCatalog = true
    /// With one more nothing further is applied.
    package var maxRejects = 100

    package init() {}
}
