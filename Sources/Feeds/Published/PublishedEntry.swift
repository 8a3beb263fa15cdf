internal import JSON
package import Values

package struct PublishedEntry: Sendable, Equatable {
    /// The identity of a document among those of one feed in one storefront.
    package struct Key: Sendable, Hashable {
        package let kind: PublishedKind
        package let id: String

        package init(_ kind: PublishedKind, _ id: String) {
            self.kind = kind
            self.id = id
        }
    }

    package let key: Key
    /// The item of a membership or a placement.
    package let item: UUID?
    /// The decoded document, if it is a placement.
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

/// The kind of a published document. Kinds that others refer to come first, also among the versions of one drain.
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
