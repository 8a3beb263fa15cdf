package import Items
internal import JSON
package import Values

/// An item with its identity in the catalog and its rows.
///
/// It is a class because it passes through several queues, and a value would retain each of its parts in each of them. It keeps the
/// text of its record instead of the fifty objects of its content. The thread that reads the file would allocate them, and the
/// thread of the session would free them later, which takes longer for both.
package final class PreparedItem: Sendable {
    /// The line in the file.
    package let line: Int
    package let kind: ItemKind
    package let source: String
    /// The ID of the record, or else the one that is derived from its kind and source.
    package let id: UUID
    /// The ID that is derived from its kind and source.
    let derivedID: UUID
    let serialNumber: Int64?
    package let slug: String
    /// The rating, the tags and whether the item is available everywhere, which an update of its row in `items` needs.
    let rating: ItemRating?
    let tags: [String]
    let isEverywhere: Bool
    /// The number of rows that its texts, categories, prices, images and times take.
    let parts: Int
    /// The rows of the item, without its identity in the catalog. They are encoded by the thread that reads the file.
    let rows: ItemRows
    /// The hash of the rows. If it is unchanged, there is nothing to write.
    package let contentHash: [UInt8]
    /// The fingerprints of its names.
    let names: ItemNames
    /// The hash of the record as it was written in a file. nil if the record is not part of a file.
    let lineHash: LineHash?
    private let origin: Origin

    /// The origin of the record.
    enum Origin {
        case record(ItemRecord)
        /// A record of a file as JSON, with the limits for reading it.
        case file([UInt8], JSONLimits)
    }

    /// Prepares a record. The digest is SHA-256, which the caller provides.
    package convenience init(_ record: ItemRecord, line: Int = 0, digest: ([UInt8]) -> [UInt8]) {
        self.init(record, from: .record(record), line: line, hash: nil, digest: digest)
    }

    init(_ record: ItemRecord, from origin: Origin, line: Int, hash: LineHash?, digest: ([UInt8]) -> [UInt8]) {
        self.line = line
        self.origin = origin
        lineHash = hash
        kind = record.kind
        source = record.source
        serialNumber = record.serialNumber
        rating = record.content.rating
        tags = record.content.tags
        isEverywhere = record.content.availability == .everywhere
        parts = record.parts
        derivedID = ItemIdentity.id(kind, source, digest: digest)
        id = record.id ?? derivedID
        slug = record.slug ?? ItemIdentity.slug(source, derivedID)
        let halfOfSlug = slug == source ? derivedID.low : ItemIdentity.id(kind, slug, digest: digest).low
        names = ItemNames(kind, id: record.id, serialNumber: serialNumber, derivedID: derivedID, slug: halfOfSlug)
        rows = ItemRows(record, slug: slug)
        contentHash = digest(rows.bytes)
    }

    /// The record, with its slug. A record of a file is parsed again, which gives the same result as before. Rejects need it, and each
    /// item that follows a rejected storefront or category.
    package var record: ItemRecord {
        switch origin {
        case .record(var record):
            record.slug = slug
            return record
        case .file(let json, let limits):
            do throws(JSONError) {
                guard case .item(var record) = try CatalogRecord(parsing: json, limits: limits) else { preconditionFailure("no item") }
                record.slug = slug
                return record
            } catch {
                preconditionFailure("a record that was read is invalid: \(error)")
            }
        }
    }

    /// The line in the form in which it is stored with the item, or nil if the record is not part of a file.
    var storedLine: [UInt8]? {
        guard let lineHash else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(56)
        bytes.append(bigEndian: lineHash.high)
        bytes.append(bigEndian: lineHash.low)
        for word in names.words { bytes.append(bigEndian: word) }
        return bytes
    }
}
