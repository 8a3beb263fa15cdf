internal import Feeds
internal import HTTP
internal import Host
internal import Items

/// Pages as they are sent, each rendered once; those that were used last stay, for as long as there is room.
///
/// A page is of one edition and one state of its storefront, by which the next generation takes over what it shows as well.
final class RenderedPageCache: Sendable {
    struct Key: Hashable, Sendable {
        let place: StorefrontFeed
        let variant: PageVariant
    }

    private struct Page {
        let edition: FeedSnapshot
        /// As it was then; nothing is published of its changes.
        let storefront: Storefront
        let representation: Representation
    }

    /// How many pages are looked through for one to compress.
    private static let maxLookedThrough = 256

    private let pages: Locked<RecentlyUsed<Key, Page>>

    init(maxBytes: Int) { pages = Locked(RecentlyUsed(limit: maxBytes)) }

    var count: Int { pages.withLock { $0.count } }

    /// Nil where there is none, or one of another edition.
    func page(_ key: Key, of edition: FeedSnapshot, in storefront: Storefront) -> Representation? {
        pages.withLock { pages in
            guard let page = pages.value(of: key), page.edition === edition, page.storefront == storefront else { return nil }
            return page.representation
        }
    }

    func insert(_ representation: Representation, _ key: Key, of edition: FeedSnapshot, in storefront: Storefront) {
        let page = Page(edition: edition, storefront: storefront, representation: representation)
        pages.withLock { $0.insert(page, key, size: representation.bytes) }
    }

    /// Removes what a shelf shows no more, a few at a time: a loop that waits for the lock waits for some microseconds.
    func removeAll(except shelf: PublishedState) {
        var next: Int? = 0
        while let place = next {
            next = pages.withLock { pages in
                pages.removeSome(100, from: place) { key, page in
                    shelf.editions[key.place] !== page.edition || shelf.storefronts[key.place.storefront] != page.storefront
                }
            }
        }
    }

    /// One of those that were used last, if it is not compressed as well as possible.
    var nextToCompress: Representation? {
        pages.withLock { $0.first(among: Self.maxLookedThrough) { !$0.representation.isThorough }?.representation }
    }
}
