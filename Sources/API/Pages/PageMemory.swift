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
        let languages: LanguageMemory
        let number: Int
        /// The time and the number of the content, for the responses that are made from the state.
        let basis: ResponseBasis
    }

    /// The result of a lookup: a stored response, the plan to find the one for a client, or the state from which to make one.
    enum Found {
        case response(PageResponse, ResponseBasis)
        case plan(PagePlan, number: Int)
        case nothing(Generation)
    }

    private enum Stored {
        case response(PageResponse)
        case plan(PagePlan)
    }

    private struct State {
        var publishedState: PublishedState?
        var number = 0
        var languages = LanguageMemory()
        var responses: RecentlyUsed<PageCacheKey, Stored>
        /// The responses of which the URL has several, by plan. They are apart, so that clients with many different properties
        /// displace no others.
        var variants: RecentlyUsed<PageVariantKey, PageResponse>
        var lists: RecentlyUsed<PageList.Key, PageList>

        /// The current generation; nil before the first state is shown.
        func generation(of content: ContentGeneration) -> Generation? {
            publishedState.map {
                Generation(
                    publishedState: $0, languages: languages, number: number,
                    basis: ResponseBasis(clockAhead: $0.clockAhead, content: content.current))
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
        state = Locked(
            State(
                responses: RecentlyUsed(limit: maxBytes), variants: RecentlyUsed(limit: maxBytes), lists: RecentlyUsed(limit: maxBytes)))
    }

    var publishedState: PublishedState? { state.withLock { $0.publishedState } }

    /// The current generation; nil before the first state is shown.
    var generation: Generation? {
        state.withLock { $0.generation(of: content) }
    }

    /// The number of stored responses that are found by a plan.
    var variantCount: Int { state.withLock { $0.variants.count } }

    /// The size of the responses and plans of URLs, and that of the responses that plans find.
    var bytes: (urls: Int, variants: Int) { state.withLock { ($0.responses.size, $0.variants.size) } }

    private func basis(of publishedState: PublishedState) -> ResponseBasis {
        ResponseBasis(clockAhead: publishedState.clockAhead, content: content.current)
    }

    /// Returns the stored response, the plan or the current generation; nil before the first state is shown.
    func find(_ key: PageCacheKey) -> Found? {
        state.withLock { state in
            guard let publishedState = state.publishedState else { return nil }
            switch state.responses.value(of: key) {
            case .response(let response): return .response(response, basis(of: publishedState))
            case .plan(let plan): return .plan(plan, number: state.number)
            case nil: return state.generation(of: content).map { .nothing($0) }
            }
        }
    }

    /// Returns the stored response of a variant. Returns nil if it is not stored, or if the generation of the plan, which has the number,
    /// is over.
    func find(_ key: PageVariantKey, of number: Int) -> (response: PageResponse, basis: ResponseBasis)? {
        state.withLock { state in
            guard state.number == number, let publishedState = state.publishedState, let response = state.variants.value(of: key) else {
                return nil
            }
            return (response, basis(of: publishedState))
        }
    }

    func insert(_ response: PageResponse, _ key: PageCacheKey, of generation: Generation) {
        insert(.response(response), key, size: 0, of: generation)
    }

    func insert(_ plan: PagePlan, _ key: PageCacheKey, of generation: Generation) {
        insert(.plan(plan), key, size: plan.bytes, of: generation)
    }

    private func insert(_ stored: Stored, _ key: PageCacheKey, size: Int, of generation: Generation) {
        state.withLock { state in
            guard state.number == generation.number else { return }
            state.responses.insert(stored, key, size: Self.overhead + key.count + size)
        }
    }

    func insert(_ response: PageResponse, _ key: PageVariantKey, of generation: Generation) {
        state.withLock { state in
            guard state.number == generation.number else { return }
            state.variants.insert(response, key, size: Self.overhead + key.url.count + key.variant.bytes)
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
            state.languages = LanguageMemory()
            state.responses = RecentlyUsed(limit: maxBytes)
            state.variants = RecentlyUsed(limit: maxBytes)
            state.lists = RecentlyUsed(limit: maxBytes)
            return old
        }
        withExtendedLifetime(old) {}
    }
}

/// The values, in addition to the request and the published pages, from which a response is made.
struct ResponseBasis: Sendable {
    /// The time by which the clock of the database is ahead.
    let clockAhead: Duration
    /// The number of the content.
    let content: UInt64
}

/// The URL of a request. All requests with equal keys have the same response, or the same plan to find the one for a client.
struct PageCacheKey: Hashable, Sendable {
    /// The maximum size of a key. Longer ones are not cached.
    private static let longest = 1_024

    /// The bytes of the path and of the query's names and values, separated by zeros, which none of them contains. Two equal strings
    /// can have different bytes.
    private let bytes: [UInt8]

    /// The size in bytes.
    var count: Int { bytes.count }

    /// Returns nil if the key is too long.
    init?(_ target: RequestTarget) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(96)
        target.appendPath(to: &bytes)
        for item in target.query.items {
            bytes.append(0)
            bytes.append(contentsOf: item.name.utf8)
            bytes.append(0)
            bytes.append(contentsOf: item.value.utf8)
        }
        guard bytes.count <= Self.longest else { return nil }
        self.bytes = bytes
    }
}

/// The URL of a request with the properties of its client on which the response depends.
struct PageVariantKey: Hashable, Sendable {
    let url: PageCacheKey
    let variant: PagePlan.Variant
}
