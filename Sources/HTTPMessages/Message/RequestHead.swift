/// The head of a request. A class, because it is passed on many times while the request is processed.
package final class RequestHead: Sendable {
    package enum Version: Sendable, Hashable {
        case http10, http11, http2
    }

    package let method: Method
    package let target: RequestTarget
    package let version: Version
    /// The host without its port, such as `site.example` or `[::1]`. Nil if the request has none.
    package let authority: String?
    package let fields: HTTPFields
    package let framing: BodyFraming
    /// Whether the connection can carry another request.
    package let keepsAlive: Bool
    /// Whether the client waits for 100 before it sends the body.
    package let expectsContinue: Bool

    package init(
        method: Method, target: RequestTarget, version: Version, authority: String?, fields: HTTPFields, framing: BodyFraming,
        keepsAlive: Bool = true, expectsContinue: Bool = false
    ) {
        self.method = method
        self.target = target
        self.version = version
        self.authority = authority
        self.fields = fields
        self.framing = framing
        self.keepsAlive = keepsAlive
        self.expectsContinue = expectsContinue
    }

    /// Returns the head with a record of the fields on which its response depends.
    package func recording() -> RequestHead {
        RequestHead(
            method: method, target: target, version: version, authority: authority, fields: fields.recording(), framing: framing,
            keepsAlive: keepsAlive, expectsContinue: expectsContinue)
    }
}

package enum BodyFraming: Sendable, Hashable {
    case none
    case length(Int)
    case chunked
    /// The body ends with its last HTTP/2 frame. The length is from Content-Length, if present.
    case frames(length: Int?)
}

/// The reason why a request is rejected. In HTTP/1.1 the connection ends too, because the start of the next request is
/// unknown.
package struct RequestError: Error, Sendable, Hashable, CustomStringConvertible {
    package let status: Status
    /// An explanation for the developer of the client. It contains no received text.
    package let reason: String

    package init(_ status: Status, _ reason: String) {
        self.status = status
        self.reason = reason
    }

    package var description: String { "\(status): \(reason)" }
}
