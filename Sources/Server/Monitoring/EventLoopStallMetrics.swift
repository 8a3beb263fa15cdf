internal import EventLoop
internal import Host

final class EventLoopStallMetrics: Sendable {
    private struct Entry {
        var count = 0
        var longest = Duration.zero
    }

    private let entries = Locked<[String: Entry]>([:])

    func note(_ event: EventLoopStall) {
        entries.withLock { entries in
            entries[event.loop, default: Entry()].count += 1
            entries[event.loop, default: Entry()].longest = max(entries[event.loop]?.longest ?? .zero, event.duration)
        }
    }

    func metrics(of loops: [String]) -> [Metrics.EventLoopMetrics] {
        entries.withLock { entries in
            loops.map {
                Metrics.EventLoopMetrics(
                    loop: $0, stalls: entries[$0]?.count ?? 0, longestSeconds: (entries[$0]?.longest ?? .zero) / .seconds(1))
            }
        }
    }
}
