internal import JSON
package import Values

/// An item with what the catalog will know it by.
package struct PreparedItem: Sendable {
    /// Where it stands in the file.
    package let line: Int
    package let record: ItemRecord
    /// That of the record, or the one that its kind and source always lead to.
    package let id: UUID
    /// The one that its kind and source lead to.
    let derivedID: UUID
    package let slug: String
    /// Of all that the record says, without what tells the item from others: the same hash means that there is nothing to write.
    package let contentHash: [UInt8]

    /// The digest is SHA-256, which this module is handed.
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
