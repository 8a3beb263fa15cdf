internal import JSON
package import Values

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

/// What a published document is about; what others refer to comes first, also among the versions of one drain.
package enum PublishedKind: String, Sendable, CaseIterable, Comparable {
    case layout, item, membership, section, placement, feed

    private var rank: Int {
        switch self {
        case .layout: 0
        case .item: 1
        case .membership: 2
        case .section: 3
        case .placement: 4
        case .feed: 5
        }
    }

    package static func < (a: PublishedKind, b: PublishedKind) -> Bool { a.rank < b.rank }
}
