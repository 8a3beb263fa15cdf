internal import HTTP
internal import HTTPMessages
internal import Host

/// What is published with all that was answered from it, replaced together in one step: no request after that step gets anything older.
///
/// An answer goes in only with the generation of the shelf that it was made from.
final class PageMemory: Sendable {
    /// A shelf, and which of all that were shown it is.
    struct Generation: Sendable {
        let shelf: PublishedState
        fileprivate let number: Int
    }

    /// The start of an answer: one that is known, or the shelf to make it from.
    enum Found {
        case answer(PageResponse, clockAhead: Duration)
        case nothing(Generation)
    }

    private struct State {
        var shelf: PublishedState?
        var number = 0
        var answers: RecentlyUsed<PageCacheKey, PageResponse>
        var lists: RecentlyUsed<PageList.Key, PageList>
    }

    /// The part of an answer's size that does not depend on its question.
    private static let overhead = 1_024

    private let maxBytes: Int
    private let state: Locked<State>

    init(maxBytes: Int) {
        self.maxBytes = maxBytes
        state = Locked(State(answers: RecentlyUsed(limit: maxBytes), lists: RecentlyUsed(limit: maxBytes)))
    }

    var shelf: PublishedState? { state.withLock { $0.shelf } }

    /// Nil before anything is shown.
    var generation: Generation? { state.withLock { state in state.shelf.map { Generation(shelf: $0, number: state.number) } } }

    /// Nil before anything is shown.
    func find(_ question: PageCacheKey) -> Found? {
        state.withLock { state in
            guard let shelf = state.shelf else { return nil }
            if let answer = state.answers.value(of: question) { return .answer(answer, clockAhead: shelf.clockAhead) }
            return .nothing(Generation(shelf: shelf, number: state.number))
        }
    }

    func insert(_ answer: PageResponse, _ question: PageCacheKey, of generation: Generation) {
        state.withLock { state in
            guard state.number == generation.number else { return }
            state.answers.insert(answer, question, size: Self.overhead + question.count)
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

    /// Shows another shelf. The answers stay if it shows nothing else than the one before.
    func show(_ shelf: PublishedState, isChanged: Bool) {
        // Freed after the lock is released: there may be many.
        let old: (PublishedState?, State?) = state.withLock { state in
            let old = (state.shelf, isChanged ? state : nil)
            state.shelf = shelf
            guard isChanged else { return old }
            state.number += 1
            state.answers = RecentlyUsed(limit: maxBytes)
            state.lists = RecentlyUsed(limit: maxBytes)
            return old
        }
        withExtendedLifetime(old) {}
    }
}

/// All of a request that the answer of a page may depend on, as it was sent: equal questions have equal answers.
struct PageCacheKey: Hashable, Sendable {
    private static let fields: [FieldName] = ["accept-language", "vitrine-client", "vitrine-layout"]
    /// A longer one is asked once.
    private static let longest = 1_024

    private let target: RequestTarget
    /// The fields, with what no field can have between them.
    private let words: [UInt8]
    /// About how many bytes it has.
    let count: Int

    /// Nil for one that is too long to be remembered.
    init?(_ head: RequestHead) {
        var words: [UInt8] = []
        words.reserveCapacity(64)
        for name in Self.fields {
            head.fields.forEach(name) { value in
                for index in value.indices { words.append(value[index]) }
                words.append(0x0A)
            }
            words.append(0)
        }
        let asked = head.target.query.items.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        guard words.count + asked <= Self.longest else { return nil }
        count = words.count + asked
        target = head.target
        self.words = words
    }
}
