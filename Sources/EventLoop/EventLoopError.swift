package import Host

/// Why a wait ended without what it waited for, or could not begin.
package struct EventLoopError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Code: Sendable {
        case deadlinePassed
        case cancelled
        /// The descriptor was closed through the loop while it was waited for.
        case descriptorClosed
        /// The loop is stopping or has stopped: it runs what is queued and waits for nothing more.
        case loopStopped
        /// The operating system refused; `cause` says why.
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
        case .cancelled: "\(event): cancelled"
        case .descriptorClosed: "\(event): the descriptor was closed"
        case .loopStopped: "\(event): the event loop has stopped"
        case .system: "\(event): \(cause.map(\.description) ?? "the system refused")"
        }
    }
}
