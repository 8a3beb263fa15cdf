package import Access
package import CatalogImport
internal import JSON

extension AuditStore {
    /// One row for all of an import, with its counts and the hash of its file; none of one that only tried.
    package func record(_ record: ImportRecord, request: String?) async throws {
        guard !record.isDryRun else { return }
        let change = AuditedChange(.importItems, of: "imports/\(record.id)", from: nil, to: try record.json())
        try await self.record(change, token: record.token, actor: record.actor, request: request)
    }
}
