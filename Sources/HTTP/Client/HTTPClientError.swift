internal import EventLoop
internal import HTTPMessages

/// The reason why a request has no response.
package struct HTTPClientError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Code: Sendable {
        /// The host name has no address.
        case unresolved
        /// The host exists, but no process listens on the port.
        case refused
        /// The network has no route to the host.
        case unreachable
        case timedOut
        /// The certificate of the server is not trusted.
        case untrusted
        /// The server does not support TLS, or only an insecure version.
        case notEncrypted
        /// The connection ended before the response was complete.
        case ended
        /// The received bytes are not an HTTP/1.1 response.
        case malformed
        case tooLarge
        case cancelled
        /// The system did not provide a socket or a thread.
        case system
    }

    package let code: Code
    package let place: String
    let reason: String

    init(_ code: Code, at place: String, _ reason: String = "") {
        self.code = code
        self.place = place
        self.reason = reason
    }

    /// A description for users: the location and the cause, without a remedy.
    package var description: String {
        let more = reason.isEmpty ? "" : ": \(reason)"
        return switch code {
        case .unresolved: "no address was found for \(place)\(more)"
        case .refused: "no server is listening at \(place)"
        case .unreachable: "there is no route to \(place)\(more)"
        case .timedOut: "\(place) did not respond in time"
        case .untrusted: "\(place) has no trusted certificate\(more)"
        case .notEncrypted: "\(place) does not accept TLS\(more)"
        case .ended: "\(place) closed the connection before it responded"
        case .malformed: "the response of \(place) is not valid HTTP/1.1\(more)"
        case .tooLarge: "the response of \(place) is too large\(more)"
        case .cancelled: "the request to \(place) was canceled"
        case .system: "the request to \(place) cannot be sent\(more)"
        }
    }
}

extension HTTPClientError {
    init(_ error: EventLoopError, at place: String) {
        switch error.code {
        case .deadlinePassed: self.init(.timedOut, at: place)
        case .cancelled, .loopStopped, .descriptorClosed: self.init(.cancelled, at: place)
        case .system: self.init(.system, at: place, "\(error)")
        }
    }

    init(_ refusal: RequestError, at place: String) {
        let isLarge = refusal.status == .headersTooLarge || refusal.status == .contentTooLarge
        self.init(isLarge ? .tooLarge : .malformed, at: place, refusal.reason)
    }
}
