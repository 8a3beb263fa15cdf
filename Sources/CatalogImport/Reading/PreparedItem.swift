internal import JSON
package import Values

/// An item with its identity in the catalog.
package struct PreparedItem: Sendable {
    /// The line in the file.
    package let line: Int
    package let record: ItemRecord
    /// The ID of the record, or else the one that is derived from its kind and source.
    package let id: UUID
    /// The ID that is derived from its kind and source.
    let derivedID: UUID
    package let slug: String
    /// The hash of the content, without the identity. If it is unchanged, there is nothing to write.
    package let contentHash: [UInt8]

    /// Prepares a record. The digest is SHA-256, which the caller provides.
    package init(_ record: ItemRecord, line: Int = 0, digest: ([UInt8]) -> [UInt8]) {
        self.line = line
        derivedID = ItemIdentity.id(record.kind, record.source, digest: digest)
        id = record.id ?? derivedID
        var record = record
        slug = record.slug ?? ItemIdentity.slug(record.source, derivedID)
        record.slug = slug
        self.record = record
        var json = JSONWriter(capacity: 1_024)
        record.encode(to: &json, asContent: true)
        contentHash = digest(json.bytes)
    }
}
