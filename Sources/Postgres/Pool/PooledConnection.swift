/// What a pool knows of one of its connections.
struct PooledConnection {
    enum State: Equatable {
        /// May become `idle`, `closing`, or be gone.
        case connecting
        /// May become `leased` or `closing`.
        case idle(since: PoolInstant)
        /// May become `idle`, `checking` or `closing`. One that broke stays with its holder until it is returned.
        case leased(isLost: Bool)
        /// May become `idle` or `closing`.
        case checking
        /// Can only be gone.
        case closing
    }

    let id: PoolConnectionID
    var state = State.connecting
    /// When it had connected.
    var opened: PoolInstant?
    /// The moment from which it is closed rather than reused; nil until it has connected.
    var retirement: PoolInstant?

    var isIdle: Bool { idleSince != nil }

    var idleSince: PoolInstant? {
        if case .idle(let since) = state { since } else { nil }
    }

    var isLeased: Bool {
        if case .leased = state { true } else { false }
    }

    /// True of those that will be free in a moment without anybody returning them.
    var isComing: Bool { state == .connecting || state == .checking }

    func isRetired(at now: PoolInstant) -> Bool { retirement.map { $0 <= now } ?? false }
}
