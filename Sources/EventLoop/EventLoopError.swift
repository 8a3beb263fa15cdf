package import Host

/// The reason why a wait failed or could not start.
package struct EventLoopError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Code: Sendable {
        case deadlinePassed
        case cancelled
        /// The descriptor was closed through the loop during the wait.
        case descriptorClosed
        /// The loop is stopping or has stopped. It runs queued work and accepts no waits.
        case loopStopped
        /// A system call failed, as described by `cause`.
        case system
    }

    package let code: Code
    package let event: WorkLabel
    package let cause: HostError?

    init(_ code: Code, _ event: WorkLabel, cause: HostError? = nil) {
        self.code = code
        self.event = event
        self.cause = cause
    }

    package var description: String {
        switch code {
        case .deadlinePassed: "\(event): the deadline passed"
        case .cancelled: "\(event): canceled"
        case .descriptorClosed: "\(event): the descriptor was closed"
        case .loopStopped: "\(event): the event loop has stopped"
        case .system: "\(event): \(cause.map(\.description) ?? "the system call failed")"
        }
    }
}
