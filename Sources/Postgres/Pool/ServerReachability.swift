/// Whether attempts to connect succeed, as far as the pool has seen.
enum ServerReachability: Equatable {
    /// Any number of attempts may run. The first to fail makes it `away`.
    case present
    /// One attempt at a time, from `retry` on. One that succeeds makes it `present`.
    case away(failures: Int, retry: PoolInstant)

    var isAway: Bool { self != .present }

    /// How many attempts may begin, of those that are wanted.
    func attempts(wanted: Int, running: Int, at now: PoolInstant) -> Int {
        switch self {
        case .present: wanted
        case .away(_, let retry): now >= retry && running == 0 ? min(wanted, 1) : 0
        }
    }

    /// An attempt failed. Those that began before the pause and fail during it say nothing new.
    mutating func fail(at now: PoolInstant, backOff: BackOff, random: inout some RandomNumberGenerator) {
        var failures = 1
        if case .away(let before, let retry) = self {
            if now < retry { return }
            failures = before + 1
        }
        let pause = backOff.pause(afterFailures: failures, random: &random)
        self = .away(failures: failures, retry: now.advanced(by: pause))
    }

    /// Ends the pause, without believing yet that the server is there.
    mutating func hope(at now: PoolInstant) {
        if case .away(let failures, let retry) = self { self = .away(failures: failures, retry: min(retry, now)) }
    }
}
