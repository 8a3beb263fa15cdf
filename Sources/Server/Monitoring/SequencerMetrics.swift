internal import Feeds
internal import Layout
internal import Publishing
internal import Telemetry

struct SequencerMetrics: Sendable, Equatable {
    /// Whether this process is the leader.
    var isLeader = false
    var publishedVersions = 0
    var drains = 0
    var failures = 0
    var seconds = 0.0
    var lastDrainSeconds = 0.0
    /// The highest version that this process knows.
    var head = 0
    /// The number of retained sections whose rules find too few items.
    var sectionsWithTooFewItems = 0
    /// The number of retained sections whose rules take too long.
    var timedOutSections = 0
    /// The number of retained sections whose drain had no time left after other rules.
    var skippedSections = 0
    /// The number of retained sections whose publication has ended a session.
    var failedSections = 0
    /// The number of revisions and feeds that it cannot read.
    var unreadableDocuments = 0
    /// The number of changes that the last drain has left to the next one; nil if this process is not the leader.
    var waiting: OutboxCounts?
    /// The number of sections that imports have changed and that the last drain has left to the next one.
    var dueSections = 0
    /// The number of live findings; nil if this process is not the leader, which alone knows them.
    var findings: [LiveFinding.Kind: Int]?
    var consistency = ConsistencyMetrics()

    init() {}

    func append(to text: inout PrometheusText) {
        text.single("vitrine_sequencer_leader", .gauge, "Whether this process is the leader, which publishes changes.", isLeader ? 1 : 0)
        text.single(
            "vitrine_sequencer_published_versions_total", .counter, "Total number of published versions.", Double(publishedVersions))
        text.single("vitrine_sequencer_head_version", .gauge, "Highest published version that this process knows.", Double(head))
        text.single("vitrine_sequencer_failures_total", .counter, "Total number of sequencer failures.", Double(failures))
        let name = "vitrine_sequencer_drain_duration_seconds"
        text.describe(name, .summary, "Duration of a drain, from reading the outbox to publishing its changes.")
        text.sample("\(name)_sum", [:], seconds)
        text.sample("\(name)_count", [:], Double(drains))
        text.single("vitrine_sequencer_last_drain_duration_seconds", .gauge, "Duration of the last drain.", lastDrainSeconds)
        let sections = "vitrine_sequencer_retained_sections"
        text.describe(sections, .gauge, "Number of retained sections per storefront, by reason.")
        text.sample(sections, ["reason": "too_few_items"], Double(sectionsWithTooFewItems))
        text.sample(sections, ["reason": "timeout"], Double(timedOutSections))
        text.sample(sections, ["reason": "skipped"], Double(skippedSections))
        text.sample(sections, ["reason": "failed"], Double(failedSections))
        text.single(
            "vitrine_sequencer_unreadable_documents", .gauge, "Number of revisions and published feeds that this program cannot read.",
            Double(unreadableDocuments))
        if let waiting {
            let changes = "vitrine_outbox_changes"
            text.describe(changes, .gauge, "Number of changes that the last drain left to the next one, by lane of the outbox.")
            text.sample(changes, ["lane": "edits"], Double(waiting.edits))
            text.sample(changes, ["lane": "imports"], Double(waiting.imports))
            text.single(
                "vitrine_sequencer_due_sections", .gauge,
                "Number of sections per storefront that imports have changed and that the last drain left to the next one.",
                Double(dueSections))
        }
        if let findings {
            let live = "vitrine_live_findings"
            text.describe(live, .gauge, "Number of live findings, by code and severity.")
            for kind in LiveFinding.Kind.all {
                text.sample(live, ["code": kind.code.rawValue, "severity": kind.severity.rawValue], Double(findings[kind] ?? 0))
            }
        }
        consistency.append(to: &text)
    }
}

struct ConsistencyMetrics: Sendable, Equatable {
    /// A complete consistency check.
    struct Check: Sendable, Equatable {
        let mismatches: Int
        let seconds: Double
        /// The end of the check, in seconds since 1970.
        let endedSeconds: Double
    }

    /// The last check; nil before the first one.
    var last: Check?
    /// The total of all checks.
    var mismatches = 0
    var failures = 0

    init() {}

    func append(to text: inout PrometheusText) {
        text.single(
            "vitrine_consistency_check_mismatches_total", .counter, "Total number of mismatches found by consistency checks.",
            Double(mismatches))
        text.single("vitrine_consistency_check_failures_total", .counter, "Total number of failed consistency checks.", Double(failures))
        guard let last else { return }
        text.single(
            "vitrine_consistency_check_last_mismatches", .gauge, "Number of mismatches found by the last consistency check.",
            Double(last.mismatches))
        text.single("vitrine_consistency_check_last_duration_seconds", .gauge, "Duration of the last consistency check.", last.seconds)
        text.single(
            "vitrine_consistency_check_last_timestamp_seconds", .gauge,
            "End time of the last consistency check since the Unix epoch in seconds.",
            last.endedSeconds)
    }
}
