package import EventLoop

/// How a request is answered.
package enum HandlerResult: Sendable {
    /// From memory.
    case now(Response)
    /// By a task on the loop of the connection, which is cancelled when the client is gone; without a deadline of its own by that of the request.
    case later(until: Deadline? = nil, @Sendable (EventLoop) async -> Response)
    /// The same, for something that may take as long as the client likes to wait: it is none of the requests that are being worked on.
    case waiting(until: Deadline, @Sendable (EventLoop) async -> Response)
}
