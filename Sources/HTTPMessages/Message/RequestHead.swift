/// Everything of a request in front of its body; a class, because it is handed on many times on its way to an answer.
package final class RequestHead: Sendable {
    package enum Version: Sendable, Hashable {
        case http10, http11, http2
    }

    package let method: Method
    package let target: RequestTarget
    package let version: Version
    /// Without a port: `site.example`, `[::1]`; nil where the request tells none.
    package let authority: String?
    package let fields: HTTPFields
    package let framing: BodyFraming
    /// Whether another request may follow on the connection.
    package let keepsAlive: Bool
    /// Whether the client sends its body only once it is asked to.
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
}

package enum BodyFraming: Sendable, Hashable {
    case none
    case length(Int)
    case chunked
    /// By the frames of HTTP/2, with or without a length told before.
    case frames(length: Int?)
}

/// Why bytes are no request that this server answers; the connection ends with it in HTTP/1.1, since its place in the stream is lost.
package struct RequestError: Error, Sendable, Hashable, CustomStringConvertible {
    package let status: Status
    /// For whoever wrote the client; holds nothing that was received.
    package let reason: String

    package init(_ status: Status, _ reason: String) {
        self.status = status
        self.reason = reason
    }

    package var description: String { "\(status): \(reason)" }
}
