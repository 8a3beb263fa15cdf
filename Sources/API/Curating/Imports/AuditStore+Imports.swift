package import CatalogImport
package import Curating
internal import JSON

extension AuditStore {
    /// One row for all of an import, with its counts and the hash of its file; none of one that only tried.
    package func record(_ record: ImportRecord, by curator: Curator?, request: String?) async throws {
        guard !record.isDryRun else { return }
        try await self.record(
            AuditedChange(.importItems, of: "imports/\(record.id)", from: nil, to: try record.json()), by: curator, request: request)
    }
}
