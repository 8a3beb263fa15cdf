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
