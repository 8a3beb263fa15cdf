package import Host

/// A notifier that informs the service manager, if there is one, about a server or a worker.
package struct ServiceNotifier {
    private let manager: ServiceManager?
    private let log: ServeLog

    package init(_ environment: [String: String], _ log: ServeLog) {
        manager = ServiceManager(environment)
        self.log = log
    }

    /// The longest time until the next `tick`.
    package var pause: Duration { min(.seconds(1), (manager?.watchdogTimeout).map { $0 / 4 } ?? .seconds(1)) }

    package func send(_ state: ServiceManager.State) {
        guard let manager else { return }
        do throws(HostError) { try manager.notify(state) } catch { log.recordNotNotified(error) }
    }

    /// Sends a keep-alive if every loop has turned since the last tick. `lateLoops` returns the names of the others.
    package func tick(_ lateLoops: () -> [String]) {
        guard manager?.watchdogTimeout != nil else { return }
        let late = lateLoops()
        if late.isEmpty { send(.alive) } else { log.recordLate(late) }
    }
}
