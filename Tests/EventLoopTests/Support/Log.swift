import Host

/// The events of a test, in order, from any thread.
final class Log<Entry: Sendable>: Sendable {
    private let state = Locked<[Entry]>([])

    var entries: [Entry] { state.withLock { $0 } }

    func add(_ entry: Entry) { state.withLock { $0.append(entry) } }
}
