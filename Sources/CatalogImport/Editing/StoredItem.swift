package import JSON
package import Values

/// An item as the catalog has it, in the form of a record, so that it can be changed and written again.
package struct StoredItem: Sendable {
    package let id: UUID
    /// Of its content.
    package let version: Int64
    package let isWithdrawn: Bool
    package let record: ItemRecord

    /// An item of a list.
    package struct Summary: Sendable {
        package let id: UUID
        package let kind: String
        package let slug: String
        package let source: String
        package let serialNumber: Int64
        package let version: Int64
        package let isWithdrawn: Bool
        package let title: String
    }
}

extension StoredItem: JSONEncodable {
    /// As a record of a catalog file.
    package func encode(to json: inout JSONWriter) { record.encode(to: &json) }
}

extension StoredItem.Summary: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("kind", kind)
            $0.member("slug", slug)
            $0.member("source", source)
            $0.member("id", id.description)
            $0.member("serialNumber", serialNumber)
            $0.member("version", version)
            $0.member("title", title)
            $0.member("isWithdrawn", isWithdrawn)
        }
    }
}
