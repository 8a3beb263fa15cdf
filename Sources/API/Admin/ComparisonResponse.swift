internal import Feeds
internal import JSON

/// What clients see of two revisions of a feed, once for all storefronts that see the same happen.
struct ComparisonResponse: JSONEncodable {
    private struct Group {
        var storefronts: [String]
        let difference: PageComparison
        /// Of the first storefront.
        let before: JSONDocument?
        let after: JSONDocument
    }

    private let feed: FeedKey
    private let former: Int?
    private let revision: Int
    private var groups: [Group] = []

    init(feed: FeedKey, former: Int?, revision: Int) { (self.feed, self.former, self.revision) = (feed, former, revision) }

    mutating func add(_ storefront: String, from before: JSONDocument?, to after: JSONDocument) {
        let difference = PageComparison(from: before.map { ClientPage($0) }, to: ClientPage(after))
        if let place = groups.firstIndex(where: { $0.difference.isAlike(difference) }) {
            groups[place].storefronts.append(storefront)
        } else {
            groups.append(Group(storefronts: [storefront], difference: difference, before: before, after: after))
        }
    }

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("feed", feed)
            json.member("former", former)
            json.member("revision", revision)
            json.key("seen")
            json.array { json in
                for group in groups {
                    json.object { json in
                        json.member("storefronts", group.storefronts)
                        if let before = group.before {
                            json.key("before")
                            json.rendered(before.source)
                        }
                        json.key("after")
                        json.rendered(group.after.source)
                    }
                }
            }
        }
    }
}
