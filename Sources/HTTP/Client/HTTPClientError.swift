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
    package let address: String
    let reason: String
    /// Whether the server may have received the request, so that a change may have been made.
    package internal(set) var mayHaveArrived = false

    init(_ code: Code, at address: String, _ reason: String = "") {
        self.code = code
        self.address = address
        self.reason = reason
    }

    /// A description for users: the location and the cause, without a remedy.
    package var description: String {
        let more = reason.isEmpty ? "" : ": \(reason)"
        return switch code {
        case .unresolved: "no address was found for \(address)\(more)"
        case .refused: "no server is listening at \(address)"
        case .unreachable: "there is no route to \(address)\(more)"
        case .timedOut: "\(address) did not respond in time"
        case .untrusted: "\(address) has no trusted certificate\(more)"
        case .notEncrypted: "\(address) does not accept TLS\(more)"
        case .ended: "\(address) closed the connection before it responded"
        case .malformed: "the response of \(address) is not valid HTTP/1.1\(more)"
        case .tooLarge: "the response of \(address) is too large\(more)"
        case .cancelled: "the request to \(address) was canceled"
        case .system: "the request to \(address) cannot be sent\(more)"
        }
    }
}

extension HTTPClientError {
    init(_ error: EventLoopError, at address: String) {
        switch error.code {
        case .deadlinePassed: self.init(.timedOut, at: address)
        case .cancelled, .loopStopped, .descriptorClosed: self.init(.cancelled, at: address)
        case .system: self.init(.system, at: address, "\(error)")
        }
    }

    init(_ error: RequestError, at address: String) {
        let isLarge = error.status == .headersTooLarge || error.status == .contentTooLarge
        self.init(isLarge ? .tooLarge : .malformed, at: address, error.reason)
    }
}
