/// What an import did.
package struct ImportReport: Sendable {
    package var counts = ImportCounts()
    /// Whether what is missing was left alone although it was to be withdrawn, because of rejects.
    package var leftMissing = false
}
