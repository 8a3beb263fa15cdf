internal import EventLoop

/// Counts refused tokens by address, and says who has to wait.
///
/// Remembers two generations of addresses: the older one is forgotten when the younger one is full or a window old, so that memory is bounded
/// however many addresses there are.
struct FailureThrottle {
    struct Limits {
        /// So many within a window are answered.
        var failures = 10
        var window = Duration.seconds(60)
        /// Of one generation.
        var addresses = 4_096
    }

    private struct Count {
        var failures: Int
        let since: Deadline
    }

    private let limits: Limits
    private var younger: [AddressBlock: Count] = [:]
    private var older: [AddressBlock: Count] = [:]
    private var turned: Deadline?

    init(_ limits: Limits = Limits()) { self.limits = limits }

    /// How many addresses are remembered.
    var count: Int { younger.count + older.count }

    /// For how many seconds an address has to wait; nil where it has not to.
    func wait(of address: AddressBlock, at now: Deadline) -> Int? {
        guard let count = younger[address] ?? older[address], count.failures >= limits.failures else { return nil }
        let end = count.since.advanced(by: limits.window)
        guard end > now else { return nil }
        return Int(clamping: end.duration(since: now).components.seconds) + 1
    }

    mutating func noteFailure(of address: AddressBlock, at now: Deadline) {
        if let turned, turned.advanced(by: limits.window) <= now { turn(at: now) }
        if turned == nil { turned = now }
        var count = younger[address] ?? older[address] ?? Count(failures: 0, since: now)
        if count.since.advanced(by: limits.window) <= now { count = Count(failures: 0, since: now) }
        count.failures += 1
        if younger[address] == nil, younger.count >= limits.addresses { turn(at: now) }
        younger[address] = count
        older[address] = nil
    }

    private mutating func turn(at now: Deadline) {
        older = younger
        younger = [:]
        turned = now
    }
}
