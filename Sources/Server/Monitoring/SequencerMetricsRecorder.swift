internal import Host
internal import Publishing
internal import Sync

final class SequencerMetricsRecorder: Sendable {
    private let kept = Locked(SequencerMetrics())

    var metrics: SequencerMetrics { kept.withLock { $0 } }

    func noteElection() { kept.withLock { $0.isElected = true } }

    /// Records a failure that ended the session, and the lock with it.
    func noteFailure() {
        kept.withLock { metrics in
            metrics.isElected = false
            metrics.failures += 1
        }
    }

    /// Records a failed drain. The session keeps the lock and drains again.
    func noteFailedDrain() { kept.withLock { $0.failures += 1 } }

    func note(_ report: ConsistencyReport, took duration: Duration) {
        kept.withLock { metrics in
            metrics.audits.differences += report.differences
            metrics.audits.last = .init(
                differences: report.differences, seconds: duration / .seconds(1), endedSeconds: Double(SystemInfo.wallClock) / 1_000_000)
        }
    }

    func noteAuditFailure() { kept.withLock { $0.audits.failures += 1 } }

    func note(_ report: Sequencer.Report, took duration: Duration) {
        kept.withLock { metrics in
            metrics.drains += 1
            metrics.versions += report.versions
            metrics.head = report.head
            metrics.lastSeconds = duration / .seconds(1)
            metrics.seconds += duration / .seconds(1)
            metrics.keptSections = report.keptSections
            metrics.slowSections = report.slowSections
            metrics.waitingSections = report.waitingSections
            metrics.unreadable = report.unreadable
        }
    }
}
