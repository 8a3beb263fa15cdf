internal import EventLoop
internal import HTTPMessages
internal import Host
package import Telemetry

/// A counter of rejected tokens by address, which decides which addresses have to wait. Tokens that are still being
/// looked up count as rejected, so that parallel guesses cannot exceed the limit. An address without a rejected token
/// never waits.
///
/// It remembers two generations of addresses. The older one is discarded when the newer one is full or a window old,
/// which bounds the memory.
struct FailedAuthLimiter {
    struct Limits {
        /// The number of failures within a window after which an address has to wait.
        var failures = 10
        var window = Duration.seconds(60)
        /// The number of addresses in one generation.
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

    /// Returns the number of seconds for which an address has to wait; nil if it does not.
    func wait(of address: ClientNetwork, at now: Deadline) -> Int? { wait(present(address, at: now), at: now) }

    /// Starts the lookup of a token, which `end` ends. If the address has to wait, it starts nothing and returns the
    /// number of seconds.
    mutating func start(for address: ClientNetwork, at now: Deadline) -> Int? {
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

/// The network for which failures are counted: an IPv4 address, or the /64 of an IPv6 address, from which one customer
/// may choose.
enum ClientNetwork: Hashable {
    case network(UInt128)
    /// A Unix-domain socket, or text that is not an address.
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
