/// What an import may do.
package struct ImportOptions: Sendable {
    /// Plans and writes nothing.
    package var isDryRun = false
    /// All or nothing, instead of chunk by chunk.
    package var isAtomic = false
    /// Withdraws what the catalog has of the kinds of the file and the file has not.
    package var prunes = false
    /// With one more nothing further is applied.
    package var maxRejects = 100

    package init() {}
}
