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
        let document: [UInt8]
        let representation: Representation
        let isThorough: Bool
    }

    private struct State {
        var pages: [Key: (page: Page, used: UInt64)] = [:]
        var clock: UInt64 = 0
    }

    private let limit: Int
    private let state = Locked(State())

    init(limit: Int) { self.limit = limit }

    /// Nil where there is none, or one of another edition.
    func page(_ key: Key, of edition: FeedEdition) -> Page? {
        state.withLock { state in
            guard let place = state.pages.index(forKey: key), state.pages.values[place].page.edition === edition else { return nil }
            state.clock += 1
            state.pages.values[place].used = state.clock
            return state.pages.values[place].page
        }
    }

    /// Takes the place of another of its key. Where there are too many, the tenth that was not used for the longest time goes.
    func insert(_ page: Page, _ key: Key) {
        state.withLock { state in
            state.clock += 1
            state.pages[key] = (page, state.clock)
            guard state.pages.count > limit else { return }
            let oldest = state.pages.sorted { $0.value.used < $1.value.used }.prefix(limit / 10 + 1)
            for (key, _) in oldest { state.pages[key] = nil }
        }
    }

    /// Those of editions that are shown no more.
    func removeAll(except current: [FeedPlace: FeedEdition]) {
        state.withLock { state in state.pages = state.pages.filter { current[$0.key.place] === $0.value.page.edition } }
    }

    /// Those that are not compressed as well as can be, of which the ones that were used last come first.
    var quick: [(key: Key, page: Page)] {
        state.withLock { state in
            state.pages.filter { !$0.value.page.isThorough }.sorted { $0.value.used > $1.value.used }.map { ($0.key, $0.value.page) }
        }
    }
}
