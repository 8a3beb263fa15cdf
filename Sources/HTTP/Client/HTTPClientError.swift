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
        case .unresolved: "there is no server called \(place)\(more)"
        case .refused: "nothing listens at \(place)"
        case .unreachable: "there is no way to \(place)\(more)"
        case .timedOut: "\(place) does not answer in time"
        case .untrusted: "\(place) cannot prove who it is\(more)"
        case .notEncrypted: "\(place) cannot be spoken to encrypted\(more)"
        case .ended: "\(place) ended the connection before its answer"
        case .malformed: "what \(place) sends is no answer of HTTP/1.1\(more)"
        case .tooLarge: "\(place) sends more than is taken\(more)"
        case .cancelled: "the request to \(place) was given up"
        case .system: "\(place) cannot be asked\(more)"
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
