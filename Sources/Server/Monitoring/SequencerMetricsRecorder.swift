internal import Host
internal import Publishing
internal import Sync

final class SequencerMetricsRecorder: Sendable {
    private let retained = Locked(SequencerMetrics())

    var metrics: SequencerMetrics { retained.withLock { $0 } }

    func noteElection() { retained.withLock { $0.isLeader = true } }

    /// Records a failure that ended the session, and the lock with it.
    func noteFailure() {
        retained.withLock { metrics in
            metrics.isLeader = false
            metrics.findings = nil
            metrics.waiting = nil
            metrics.failures += 1
        }
    }

    /// Records a failed drain. The session keeps the lock and drains again.
    func noteFailedDrain() { retained.withLock { $0.failures += 1 } }

    func note(_ report: ConsistencyReport, took duration: Duration) {
        retained.withLock { metrics in
            metrics.consistency.mismatches += report.differences
            metrics.consistency.last = .init(
                mismatches: report.differences, seconds: duration / .seconds(1), endedSeconds: Double(SystemInfo.wallClock) / 1_000_000)
        }
    }

    func noteConsistencyCheckFailure() { retained.withLock { $0.consistency.failures += 1 } }

    func note(_ report: Sequencer.Report, took duration: Duration) {
        retained.withLock { metrics in
            metrics.drains += 1
            metrics.publishedVersions += report.versions
            metrics.head = report.head
            metrics.lastDrainSeconds = duration / .seconds(1)
            metrics.seconds += duration / .seconds(1)
            metrics.sectionsWithTooFewItems = report.retainedSections
            metrics.timedOutSections = report.slowSections
            metrics.skippedSections = report.waitingSections
            metrics.failedSections = report.failedSections
            metrics.unreadableDocuments = report.unreadable
            metrics.findings = report.findingCounts
            metrics.waiting = report.waiting
            metrics.dueSections = report.dueSections
        }
    }
}
