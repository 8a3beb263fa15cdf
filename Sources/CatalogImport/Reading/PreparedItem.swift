internal import JSON
package import Values

/// An item with its identity in the catalog. It is a class because it passes through several queues, and a value would
/// retain each of its parts in each of them.
package final class PreparedItem: Sendable {
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
    /// The fingerprints of its names.
    let names: ItemNames
    /// The hash of the record as it was written in a file. nil if the record is not part of a file.
    let lineHash: LineHash?

    /// Prepares a record. The digest is SHA-256, which the caller provides.
    package convenience init(_ record: ItemRecord, line: Int = 0, digest: ([UInt8]) -> [UInt8]) {
        self.init(record, line: line, hash: nil, digest: digest)
    }

    init(_ record: ItemRecord, line: Int, hash: LineHash?, digest: ([UInt8]) -> [UInt8]) {
        self.line = line
        lineHash = hash
        derivedID = ItemIdentity.id(record.kind, record.source, digest: digest)
        id = record.id ?? derivedID
        slug = record.slug ?? ItemIdentity.slug(record.source, derivedID)
        var record = record
        record.slug = slug
        let halfOfSlug = slug == record.source ? derivedID.low : ItemIdentity.id(record.kind, slug, digest: digest).low
        names = ItemNames(record.kind, id: record.id, serialNumber: record.serialNumber, derivedID: derivedID, slug: halfOfSlug)
        var json = JSONWriter(capacity: 768)
        record.encode(to: &json, asContent: true)
        contentHash = digest(json.bytes)
        self.record = record
    }

    /// The line in the form in which it is stored with the item, or nil if the record is not part of a file.
    var storedLine: [UInt8]? {
        guard let lineHash else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        bytes.append(bigEndian: lineHash.high)
        bytes.append(bigEndian: lineHash.low)
        for word in names.words { bytes.append(bigEndian: word) }
        return bytes
    }
}
