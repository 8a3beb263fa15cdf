internal import HTTP
internal import HTTPMessages
internal import Host

/// The published state with all responses that were made from it, replaced in one step: no later request gets anything
/// older.
///
/// A response is stored only with the generation of the state from which it was made.
final class PageMemory: Sendable {
    /// A published state with its number in the sequence of all states.
    struct Generation: Sendable {
        let publishedState: PublishedState
        fileprivate let number: Int
        /// The time and the number of the content, for the responses that are made from the state.
        let basis: ResponseBasis
    }

    /// The result of a lookup: a stored response, or the state from which to make one.
    enum Found {
        case response(PageResponse, ResponseBasis)
        case nothing(Generation)
    }

    private struct State {
        var publishedState: PublishedState?
        var number = 0
        var responses: RecentlyUsed<PageCacheKey, PageResponse>
        var lists: RecentlyUsed<PageList.Key, PageList>

        /// The current generation; nil before the first state is shown.
        func generation(of content: ContentGeneration) -> Generation? {
            publishedState.map {
                Generation(
                    publishedState: $0, number: number, basis: ResponseBasis(clockAhead: $0.clockAhead, content: content.current))
            }
        }
    }

    /// The part of a response's size that does not depend on its key.
    private static let overhead = 1_024

    /// The number of the content of all responses. It changes with the state, and under its lock.
    let content = ContentGeneration()
    private let maxBytes: Int
    private let state: Locked<State>

    init(maxBytes: Int) {
        self.maxBytes = maxBytes
        state = Locked(State(responses: RecentlyUsed(limit: maxBytes), lists: RecentlyUsed(limit: maxBytes)))
    }

    var publishedState: PublishedState? { state.withLock { $0.publishedState } }

    /// The current generation; nil before the first state is shown.
    var generation: Generation? {
        state.withLock { $0.generation(of: content) }
    }

    /// Returns the stored response or the current generation; nil before the first state is shown.
    func find(_ key: PageCacheKey) -> Found? {
        state.withLock { state in
            guard let generation = state.generation(of: content) else { return nil }
            if let response = state.responses.value(of: key) { return .response(response, generation.basis) }
            return .nothing(generation)
        }
    }

    func insert(_ response: PageResponse, _ key: PageCacheKey, of generation: Generation) {
        state.withLock { state in
            guard state.number == generation.number else { return }
            state.responses.insert(response, key, size: Self.overhead + key.count)
        }
    }

    func list(_ key: PageList.Key, of generation: Generation) -> PageList? {
        state.withLock { $0.number == generation.number ? $0.lists.value(of: key) : nil }
    }

    func insert(_ list: PageList, _ key: PageList.Key, of generation: Generation) {
        state.withLock { state in
            guard state.number == generation.number else { return }
            state.lists.insert(list, key, size: Self.overhead + key.count + list.representation.bytes)
        }
    }

    /// Replaces the published state. The responses stay if its content has not changed.
    func show(_ publishedState: PublishedState, isChanged: Bool) {
        // Freed after the lock is released: there may be many.
        let old: (PublishedState?, State?) = state.withLock { state in
            let old = (state.publishedState, isChanged ? state : nil)
            state.publishedState = publishedState
            // The clock of the database may have changed, on which the responses depend too.
            content.advance()
            guard isChanged else { return old }
            state.number += 1
            state.responses = RecentlyUsed(limit: maxBytes)
            state.lists = RecentlyUsed(limit: maxBytes)
            return old
        }
        withExtendedLifetime(old) {}
    }
}

/// The values besides the request and the published pages from which a response is made.
struct ResponseBasis: Sendable {
    /// The time by which the clock of the database is ahead.
    let clockAhead: Duration
    /// The number of the content.
    let content: UInt64
}

/// The parts of a request on which the response of a page depends, as they were sent. Equal keys have equal responses.
struct PageCacheKey: Hashable, Sendable {
    /// The maximum size of a key. Longer ones are not cached.
    private static let longest = 1_024

    private let target: RequestTarget
    /// The bytes of the query and of the languages. Two equal strings can have different bytes.
    private let bytes: [UInt8]
    /// The approximate size in bytes.
    let count: Int

    /// nil if the key is too long, or if the response is of one client and would displace those of all clients.
    init?(_ head: RequestHead) {
        let query = head.target.query
        guard query["form"] == nil else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64)
        for item in query.items {
            bytes.append(contentsOf: item.name.utf8)
            bytes.append(0)
            bytes.append(contentsOf: item.value.utf8)
            bytes.append(0)
        }
        if query["locale"] == nil {
            head.fields.forEach("accept-language") { value in
                for index in value.indices { bytes.append(value[index]) }
                bytes.append(0x0A)
            }
        }
        guard bytes.count <= Self.longest else { return nil }
        count = bytes.count
        target = head.target
        self.bytes = bytes
    }
}
