internal import Feeds
internal import HTTP
internal import Host
internal import Items

/// A cache of pages as they are sent. It keeps the most recently used ones.
///
/// A page belongs to one feed snapshot and one state of its storefront. The next generation keeps a page if neither has
/// changed.
final class RenderedPageCache: Sendable {
    struct Key: Hashable, Sendable {
        let storefrontFeed: StorefrontFeed
        let variant: PageVariant
    }

    private struct Page {
        let snapshot: FeedSnapshot
        /// The storefront at the time of rendering. Its changes are not published.
        let storefront: Storefront
        let representation: Representation
    }

    /// The number of pages among which one to compress is searched.
    private static let maxScanned = 256

    private let pages: Locked<RecentlyUsed<Key, Page>>
    private let rendered = Locked(0)

    init(maxBytes: Int) { pages = Locked(RecentlyUsed(limit: maxBytes)) }

    var count: Int { pages.withLock { $0.count } }

    /// The number of pages that were rendered so far.
    var renderedCount: Int { rendered.withLock { $0 } }

    /// Returns a page; nil if it is not cached or is of another feed snapshot.
    func page(_ key: Key, of snapshot: FeedSnapshot, in storefront: Storefront) -> Representation? {
        pages.withLock { pages in
            guard let page = pages.value(of: key), page.snapshot === snapshot, page.storefront == storefront else { return nil }
            return page.representation
        }
    }

    func insert(_ representation: Representation, _ key: Key, of snapshot: FeedSnapshot, in storefront: Storefront) {
        let page = Page(snapshot: snapshot, storefront: storefront, representation: representation)
        rendered.withLock { $0 += 1 }
        pages.withLock { $0.insert(page, key, size: representation.bytes) }
    }

    /// Removes the pages that are no longer in the published state. It removes a few at a time, so that an event loop
    /// waits only microseconds for the lock.
    func removeAll(except state: PublishedState) {
        var next: Int? = 0
        while let index = next {
            next = pages.withLock { pages in
                pages.removeSome(100, from: index) { key, page in
                    state.snapshots[key.storefrontFeed] !== page.snapshot
                        || state.storefronts[key.storefrontFeed.storefront] != page.storefront
                }
            }
        }
    }

    /// A recently used page that is not yet compressed as well as possible.
    var nextToCompress: Representation? {
        pages.withLock { $0.first(among: Self.maxScanned) { !$0.representation.isThorough }?.representation }
    }
}
