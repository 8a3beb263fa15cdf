internal import EventLoop
internal import HTTPMessages
internal import Host
package import Telemetry

/// Counts refused tokens by address, and says who has to wait. What is still being looked up counts as if it were refused, so that no number of
/// guesses at once passes it; an address of which none was refused is held up by nothing.
///
/// Remembers two generations of addresses: the older one is forgotten when the younger one is full or a window old, so that memory is bounded
/// however many addresses there are.
struct FailedAuthLimiter {
    struct Limits {
        /// So many within a window are answered.
        var failures = 10
        var window = Duration.seconds(60)
        /// Of one generation.
        var addresses = 4_096
    }

    private struct Count {
        var failures: Int
        var attempts: Int
        var since: Deadline
    }

    private let limits: Limits
    private var younger: [ClientNetwork: Count] = [:]
    private var older: [ClientNetwork: Count] = [:]
    private var turned: Deadline?

    init(_ limits: Limits = Limits()) { self.limits = limits }

    var count: Int { younger.count + older.count }

    /// For how many seconds an address has to wait; nil where it does not.
    func wait(of address: ClientNetwork, at now: Deadline) -> Int? { wait(present(address, at: now), at: now) }

    /// Begins to look a token up, which `end` ends. Where the address has to wait, nothing is begun and the answer is for how many seconds.
    mutating func begin(for address: ClientNetwork, at now: Deadline) -> Int? {
        var count = present(address, at: now)
        if let seconds = wait(count, at: now) { return seconds }
        count.attempts += 1
        keep(count, of: address, at: now)
        return nil
    }

    mutating func end(for address: ClientNetwork, isRefused: Bool, at now: Deadline) {
        var count = present(address, at: now)
        count.attempts = max(0, count.attempts - 1)
        if isRefused {
            if count.failures == 0 { count.since = now }
            count.failures += 1
        }
        keep(count, of: address, at: now)
    }

    private func wait(_ count: Count, at now: Deadline) -> Int? {
        guard count.failures > 0, count.failures + count.attempts >= limits.failures else { return nil }
        return Int(clamping: count.since.advanced(by: limits.window).duration(since: now).components.seconds) + 1
    }

    private func present(_ address: ClientNetwork, at now: Deadline) -> Count {
        var count = younger[address] ?? older[address] ?? Count(failures: 0, attempts: 0, since: now)
        if count.since.advanced(by: limits.window) <= now { count = Count(failures: 0, attempts: count.attempts, since: now) }
        return count
    }

    private mutating func keep(_ count: Count, of address: ClientNetwork, at now: Deadline) {
        if let turned, turned.advanced(by: limits.window) <= now { turn(at: now) }
        if turned == nil { turned = now }
        older[address] = nil
        guard count.failures + count.attempts > 0 else {
            younger[address] = nil
            return
        }
        if younger[address] == nil, younger.count >= limits.addresses { turn(at: now) }
        younger[address] = count
    }

    private mutating func turn(at now: Deadline) {
        older = younger
        younger = [:]
        turned = now
    }
}

/// Whom mistakes are counted for: an address, or of IPv6 the /64 that one customer has to choose from.
enum ClientNetwork: Hashable {
    case network(UInt128)
    /// A socket in the file system, or what is no address.
    case local

    init(_ text: String) {
        guard let address = IPAddress(text) else {
            self = .local
            return
        }
        self = .network(address.block)
    }
}

/// The number of admin requests that failed authentication or authorization, by reason.
package final class AuthMetrics: Sendable {
    enum Reason: String, CaseIterable {
        case missing, malformed, invalid, scope, throttled
    }

    private let counts = Locked<[Reason: Int]>([:])

    package init() {}

    func count(_ reason: Reason) { counts.withLock { $0[reason, default: 0] += 1 } }

    package func append(to text: inout PrometheusText) {
        let counts = self.counts.withLock { $0 }
        text.describe("vitrine_admin_auth_failures_total", .counter, "Total number of admin requests whose token was rejected, by reason.")
        for reason in Reason.allCases {
            text.sample("vitrine_admin_auth_failures_total", ["reason": reason.rawValue], Double(counts[reason] ?? 0))
        }
    }
}
