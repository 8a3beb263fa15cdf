internal import Telemetry

/// What the nightly audits of a process have found.
struct ConsistencyMetrics: Sendable, Equatable {
    /// The last that was complete.
    struct Audit: Sendable, Equatable {
        let differences: Int
        let seconds: Double
        /// Since 1970, when it was over.
        let endedSeconds: Double

        init(differences: Int, seconds: Double, endedSeconds: Double) {
            self.differences = differences
            self.seconds = seconds
            self.endedSeconds = endedSeconds
        }
    }

    /// Nil as long as there was none.
    var last: Audit?
    /// In all audits together.
    var differences = 0
    var failures = 0

    init() {}

    func append(to text: inout PrometheusText) {
        text.single(
            "vitrine_audit_differences_total", .counter, "What audits found to be published otherwise than it is.", Double(differences))
        text.single("vitrine_audit_failures_total", .counter, "Audits that did not get to their end.", Double(failures))
        guard let last else { return }
        text.single("vitrine_audit_last_differences", .gauge, "What the last audit found.", Double(last.differences))
        text.single("vitrine_audit_last_duration_seconds", .gauge, "How long it took.", last.seconds)
        text.single("vitrine_audit_last_timestamp_seconds", .gauge, "When it was over, since 1970.", last.endedSeconds)
    }
}
