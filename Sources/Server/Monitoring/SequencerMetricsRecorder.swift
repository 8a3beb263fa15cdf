internal import Host
internal import Publishing
internal import Sync

/// What the sequencer of this process has done so far.
final class SequencerMetricsRecorder: Sendable {
    private let kept = Locked(SequencerMetrics())

    var figures: SequencerMetrics { kept.withLock { $0 } }

    func noteElection() { kept.withLock { $0.isElected = true } }

    /// The lock went with its session.
    func noteFailure() {
        kept.withLock { figures in
            figures.isElected = false
            figures.failures += 1
        }
    }

    /// The session keeps the lock, and drains again.
    func noteFailedDrain() { kept.withLock { $0.failures += 1 } }

    func note(_ report: ConsistencyReport, took duration: Duration) {
        kept.withLock { figures in
            figures.audits.differences += report.differences
            figures.audits.last = .init(
                differences: report.differences, seconds: duration / .seconds(1), endedSeconds: Double(SystemInfo.wallClock) / 1_000_000)
        }
    }

    func noteAuditFailure() { kept.withLock { $0.audits.failures += 1 } }

    func note(_ report: Sequencer.Report, took duration: Duration) {
        kept.withLock { figures in
            figures.drains += 1
            figures.versions += report.versions
            figures.head = report.head
            figures.lastSeconds = duration / .seconds(1)
            figures.seconds += duration / .seconds(1)
            figures.keptSections = report.keptSections
            figures.slowSections = report.slowSections
            figures.waitingSections = report.waitingSections
            figures.unreadable = report.unreadable
        }
    }
}
