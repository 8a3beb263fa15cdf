/// Why an import ended early.
package enum ImportFailure: Error, Sendable, Equatable {
    /// There are more rejects than were allowed; besides them, what had been written before and stays.
    case tooManyRejects(ImportCounts)
}
