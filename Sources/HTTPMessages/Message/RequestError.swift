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
