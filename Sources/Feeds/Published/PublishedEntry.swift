internal import JSON
package import Values

/// A document as it is to be published in a storefront.
package struct PublishedEntry: Sendable, Equatable {
    /// Which document it is, of those of one feed in one storefront.
    package struct Key: Sendable, Hashable {
        package let kind: PublishedKind
        package let id: String

        package init(_ kind: PublishedKind, _ id: String) {
            self.kind = kind
            self.id = id
        }
    }

    package let key: Key
    /// Of a membership and a placement.
    package let item: UUID?
    /// What the document says, where it is one.
    package let placement: PublishedPlacement?
    package let document: [UInt8]

    init(_ key: Key, _ document: some JSONEncodable, item: UUID? = nil, placement: PublishedPlacement? = nil) {
        self.key = key
        self.item = item
        self.placement = placement
        do throws(JSONError) {
            self.document = try document.json()
        } catch {
            preconditionFailure("every number of a published document is finite: \(error)")
        }
    }
}
