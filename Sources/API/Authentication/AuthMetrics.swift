internal import Host
package import Telemetry

/// How many requests of curators were turned away, by why.
package final class AuthMetrics: Sendable {
    enum Reason: String, CaseIterable {
        case missing, malformed, refused, scope, throttled
    }

    private let counts = Locked<[Reason: Int]>([:])

    package init() {}

    func count(_ reason: Reason) { counts.withLock { $0[reason, default: 0] += 1 } }

    package func append(to text: inout PrometheusText) {
        let counts = self.counts.withLock { $0 }
        text.describe("vitrine_admin_refusals_total", .counter, "Requests of curators that were turned away.")
        for reason in Reason.allCases {
            text.sample("vitrine_admin_refusals_total", ["reason": reason.rawValue], Double(counts[reason] ?? 0))
        }
    }
}
