internal import Feeds
internal import Host
internal import Sync

/// The tails of the scopes that clients have requested last.
///
/// A reading that reaches the head starts the tail of its scope. The first request at another head extends it, and the
/// requests at the same time wait for that. So the clients of a scope cost one query for each head, whatever their
/// cursors and limits are.
final class SyncTails: Sendable {
    private struct State {
        var head: PublishedHead?
        var tails: RecentlyUsed<SyncScope, SyncTail>
    }

    private let state: Locked<State>
    /// The running extensions. Their results are in `state`.
    private let extensions = SharedBuildCache<SyncScope, SyncTail?>(maxBytes: 0) { _, _ in 1 }

    init(maxBytes: Int) { state = Locked(State(tails: RecentlyUsed(limit: maxBytes))) }

    /// The size of the tails.
    var bytes: Int { state.withLock { $0.tails.size } }

    var count: Int { state.withLock { $0.tails.count } }

    /// Extends each tail before its next use. Running extensions may be older, so later requests do not wait for them.
    func publish(_ head: PublishedHead) {
        state.withLock { $0.head = head }
        extensions.removeAll()
    }

    /// Returns a tail that is at the known head or newly extended; nil if it does not reach back to the cursor or cannot
    /// be extended. `builder` is an object such as an event loop.
    func tail(
        of scope: SyncScope, reaching cursor: SyncCursor, for builder: some AnyObject, extend: (SyncTail) async throws -> SyncTail?
    ) async throws -> SyncTail? {
        guard let (tail, isCurrent) = known(scope), tail.starts(before: cursor) else { return nil }
        if isCurrent { return tail }
        return try await extensions.value(of: scope, for: builder) {
            // Another request may have extended it after the check above.
            guard let (tail, isCurrent) = known(scope) else { return nil }
            if isCurrent { return tail }
            let extended = try await extend(tail)
            state.withLock { state in
                // An extension that started after a later publication may have ended first.
                if let known = state.tails.value(of: scope), known.publishedHead == state.head { return }
                if let extended { Self.insert(extended, scope, &state) } else { state.tails.remove(scope) }
            }
            return extended
        }
    }

    /// Retains a tail, unless the scope has one that reaches further back, or as far back at a later head.
    func insert(_ tail: SyncTail, of scope: SyncScope) {
        state.withLock { state in
            if let known = state.tails.value(of: scope), (known.start, tail.head.version) < (tail.start, known.head.version) { return }
            Self.insert(tail, scope, &state)
        }
    }

    private static func insert(_ tail: SyncTail, _ scope: SyncScope, _ state: inout State) {
        state.tails.insert(tail, scope, size: tail.bytes + scope.content.bytes)
    }

    private func known(_ scope: SyncScope) -> (tail: SyncTail, isCurrent: Bool)? {
        state.withLock { state in state.tails.value(of: scope).map { ($0, $0.publishedHead == state.head) } }
    }
}
