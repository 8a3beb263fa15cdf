internal import Telemetry

struct SequencerMetrics: Sendable, Equatable {
    /// Whether this process is the leader.
    var isElected = false
    var versions = 0
    var drains = 0
    var failures = 0
    var seconds = 0.0
    var lastSeconds = 0.0
    /// The newest version that it knows.
    var head = 0
    /// The number of retained sections whose rules find too few items.
    var keptSections = 0
    /// The number of retained sections whose rules take too long.
    var slowSections = 0
    /// The number of retained sections whose drain had no time left after other rules.
    var waitingSections = 0
    /// The number of revisions and feeds that it cannot read.
    var unreadable = 0
    var audits = ConsistencyMetrics()

    init() {}

    func append(to text: inout PrometheusText) {
        text.single("vitrine_sequencer_elected", .gauge, "Whether this process publishes what changes.", isElected ? 1 : 0)
        text.single("vitrine_sequencer_versions_total", .counter, "Versions that it gave.", Double(versions))
        text.single("vitrine_sequencer_head_version", .gauge, "The newest version that it knows.", Double(head))
        text.single("vitrine_sequencer_failures_total", .counter, "Times that it had to begin again.", Double(failures))
        let name = "vitrine_sequencer_drain_duration_seconds"
        text.describe(name, .summary, "From the look at what has changed until that is published.")
        text.sample("\(name)_sum", [:], seconds)
        text.sample("\(name)_count", [:], Double(drains))
        text.single("vitrine_sequencer_last_drain_seconds", .gauge, "The last of them.", lastSeconds)
        text.describe("vitrine_sequencer_hindered_sections", .gauge, "Sections in storefronts that do not show what their rules find.")
        text.sample("vitrine_sequencer_hindered_sections", ["reason": "too_few"], Double(keptSections))
        text.sample("vitrine_sequencer_hindered_sections", ["reason": "too_slow"], Double(slowSections))
        text.sample("vitrine_sequencer_hindered_sections", ["reason": "not_asked"], Double(waitingSections))
        text.single(
            "vitrine_sequencer_unreadable", .gauge, "Revisions and published feeds that this program cannot read.", Double(unreadable))
        audits.append(to: &text)
    }
}

struct ConsistencyMetrics: Sendable, Equatable {
    /// A complete consistency check.
    struct Audit: Sendable, Equatable {
        let differences: Int
        let seconds: Double
        /// The end of the check, in seconds since 1970.
        let endedSeconds: Double
    }

    /// The last check; nil before the first one.
    var last: Audit?
    /// The total of all checks.
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
