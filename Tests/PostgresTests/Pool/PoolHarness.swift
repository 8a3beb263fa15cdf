import Postgres
import TestSupport

/// A pool with a clock that only the test advances.
struct PoolHarness {
    var pool: PoolState
    var now = PoolInstant(.zero)
    var random = SeededRandom(seed: 7)
    private var waiters: UInt64 = 0

    init(minimum: Int = 0, maximum: Int = 2, adjusting adjust: (inout PoolLimits) -> Void = { _ in }) {
        var limits = PoolLimits(minimum: minimum, maximum: maximum)
        limits.lifeTimeJitter = 0
        adjust(&limits)
        pool = PoolState(limits)
    }

    /// Returns all actions except those of the timer, which tests of time get from `send`.
    mutating func report(_ event: PoolEvent) -> [PoolAction] {
        send(event).filter { if case .scheduleTimer = $0 { false } else { true } }
    }

    mutating func send(_ event: PoolEvent) -> [PoolAction] {
        pool.handle(event, at: now, random: &random)
    }

    mutating func advance(_ duration: Duration) -> [PoolAction] {
        now = now.advanced(by: duration)
        return report(.timerFired)
    }

    mutating func request(within duration: Duration = .seconds(5)) -> (PoolWaiterID, [PoolAction]) {
        waiters += 1
        let waiter = PoolWaiterID(waiters)
        return (waiter, report(.requested(PoolRequest(waiter, deadline: now.advanced(by: duration)))))
    }

    /// Opens a connection for a first request and returns it leased.
    mutating func lease() throws -> PoolConnectionID {
        let (_, actions) = request()
        let connection = try actions.connections[only: 0]
        return try report(.connected(connection)).leases[only: 0]
    }
}

extension [PoolAction] {
    /// The connections to open.
    var connections: [PoolConnectionID] { compactMap { if case .connect(let id) = $0 { id } else { nil } } }
    var leases: [PoolConnectionID] { compactMap { if case .lease(let id, _) = $0 { id } else { nil } } }
    var timers: [PoolInstant] { compactMap { if case .scheduleTimer(let time) = $0 { time } else { nil } } }
}

struct Unexpected: Error {
    let count: Int
}

extension Array {
    /// The only element of an array. Throws if there is another number of elements.
    subscript(only index: Int) -> Element {
        get throws {
            guard count == 1 else { throw Unexpected(count: count) }
            return self[index]
        }
    }
}
