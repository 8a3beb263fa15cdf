internal import Host

/// The total time for which the imports of a process have waited for publication.
final class ImportWaitMeter: Sendable {
    private let waited = Locked(Duration.zero)

    var total: Duration { waited.withLock { $0 } }

    func add(_ pause: Duration) { waited.withLock { $0 += pause } }
}
