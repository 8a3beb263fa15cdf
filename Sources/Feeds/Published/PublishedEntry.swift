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

        /// Creates the key of the membership of an item in a feed, or in its lists, by the name under which it is stored.
        package init(membershipOf item: UUID, in name: String) { self.init(.membership, "\(name)/\(item)") }
    }

    package let key: Key
    /// The item of a membership, a placement or an entry.
    package let item: UUID?
    /// The decoded document, if it is a placement or an entry.
    package let placement: PublishedPlacement?
    /// The decoded document, if it is a list.
    package let list: PublishedList?
    package let document: [UInt8]

    init(
        _ key: Key, _ document: some JSONEncodable, item: UUID? = nil, placement: PublishedPlacement? = nil, list: PublishedList? = nil
    ) {
        self.key = key
        self.item = item
        self.placement = placement
        self.list = list
        do throws(JSONError) {
            self.document = try document.json()
        } catch {
            preconditionFailure("every number of a published document is finite: \(error)")
        }
    }
}

/// The names under which the documents of feeds are stored. Those of the lists have a name of their own, so that clients
/// without lists skip them.
package enum StoredFeedName {
    /// Keys of feeds have no plus sign.
    private static let suffix = "+lists"

    package static func lists(of feed: String) -> String { feed + suffix }

    /// Returns the name for a document of a feed.
    package static func name(of key: PublishedEntry.Key, in feed: String) -> String {
        switch key.kind {
        case .list, .entry: lists(of: feed)
        case .membership: key.id.hasPrefix("\(lists(of: feed))/") ? lists(of: feed) : feed
        case .layout, .item, .section, .placement, .feed: feed
        }
    }

    /// Returns the feed of a name.
    package static func feed(of name: String) -> String { name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name }
}

/// The kind of a published document. Kinds that others refer to come first, also among the versions of one drain.
package enum PublishedKind: String, Sendable, CaseIterable, Comparable {
    case layout, item, membership, section, placement, list, entry, feed

    private var rank: Int {
        switch self {
        case .layout: 0
        case .item: 1
        case .membership: 2
        case .section: 3
        case .placement: 4
        case .list: 5
        case .entry: 6
        case .feed: 7
        }
    }

    package static func < (a: PublishedKind, b: PublishedKind) -> Bool { a.rank < b.rank }
}
