internal import Catalog
internal import Feeds
internal import HTTP
internal import Host

/// Pages as they are sent, each rendered once; those that were used last stay, for as long as there is room.
final class RenderedPages: Sendable {
    struct Key: Hashable, Sendable {
        let place: FeedPlace
        let variant: PageVariant
    }

    struct Page: Sendable {
        let edition: FeedEdition
        /// As it was then; nothing is published of its changes.
        let storefront: Storefront
        let document: [UInt8]
        let representation: Representation
        let isThorough: Bool

        fileprivate var bytes: Int { document.count + representation.bytes }
    }

    private struct State {
        var pages: [Key: (page: Page, used: UInt64)] = [:]
        var bytes = 0
        var clock: UInt64 = 0

        mutating func remove(_ key: Key) {
            if let (page, _) = pages.removeValue(forKey: key) { bytes -= page.bytes }
        }
    }

    private let mostBytes: Int
    private let state = Locked(State())

    init(mostBytes: Int) { self.mostBytes = mostBytes }

    /// Nil where there is none, or one of another edition.
    func page(_ key: Key, of edition: FeedEdition, in storefront: Storefront) -> Page? {
        state.withLock { state in
            guard let place = state.pages.index(forKey: key), state.pages.values[place].page.edition === edition,
                state.pages.values[place].page.storefront == storefront
            else { return nil }
            state.clock += 1
            state.pages.values[place].used = state.clock
            return state.pages.values[place].page
        }
    }

    /// Takes the place of another of its key. Where there is too much, what was not used for the longest time goes, a tenth at once.
    func insert(_ page: Page, _ key: Key) {
        state.withLock { state in
            state.clock += 1
            state.remove(key)
            state.pages[key] = (page, state.clock)
            state.bytes += page.bytes
            guard state.bytes > mostBytes else { return }
            for (oldest, _) in state.pages.sorted(by: { $0.value.used < $1.value.used }) where state.bytes > mostBytes / 10 * 9 {
                state.remove(oldest)
            }
        }
    }

    /// Takes the place of the same page; where there is another by now, nothing is done.
    func replace(by page: Page, _ key: Key) {
        state.withLock { state in
            guard let (present, used) = state.pages[key], present.edition === page.edition, present.storefront == page.storefront else {
                return
            }
            state.bytes += page.bytes - present.bytes
            state.pages[key] = (page, used)
        }
    }

    /// All that a shelf shows no more.
    func removeAll(except shelf: PageShelf) {
        state.withLock { state in
            for (key, (page, _)) in state.pages
            where shelf.editions[key.place] !== page.edition || shelf.storefronts[key.place.storefront] != page.storefront {
                state.remove(key)
            }
        }
    }

    /// Those that are not compressed as well as can be, of which the ones that were used last come first.
    var quick: [(key: Key, page: Page)] {
        state.withLock { state in
            state.pages.filter { !$0.value.page.isThorough }.sorted { $0.value.used > $1.value.used }.map { ($0.key, $0.value.page) }
        }
    }
}
