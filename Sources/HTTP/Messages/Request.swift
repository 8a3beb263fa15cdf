package import EventLoop
package import HTTPMessages

/// A request with its whole body, or with an upload that delivers it.
package struct Request: Sendable {
    package let head: RequestHead
    package internal(set) var body: [UInt8]
    /// The memory that `body` uses.
    var lease: BodyLease?
    /// The upload, if the body is consumed while it arrives. `body` is then empty.
    package internal(set) var upload: Upload?
    /// The connected client. It may be a proxy that forwards the request of another client.
    package let peer: Client
    /// The time after which the response is useless.
    package internal(set) var deadline: Deadline
    /// The loop that serves the request; nil if it did not arrive over a connection.
    var server: ServerLoop?

    /// Returns the request with another deadline.
    package func waiting(until deadline: Deadline) -> Request {
        var request = self
        request.deadline = deadline
        return request
    }

    /// Returns the request with a body that was collected from the upload.
    package func carrying(_ body: [UInt8]) -> Request {
        var request = self
        request.body = body
        return request
    }

    /// The time in which the client must send the body; zero if it has arrived completely.
    package var bodyTime: Duration { upload == nil ? .zero : server?.limits.body ?? .zero }

    /// Throws if a response is a stream and the limit of open streams is reached. It must be called before the response
    /// is used, on the thread of the loop that received the request.
    package func checkRoom(for response: Response) throws(RequestError) { try server?.checkRoom(for: response) }

    /// The client as known from the socket or named by a trusted proxy.
    package final class Client: Sendable {
        /// The address without a port, or `unix` if it is a Unix-domain socket.
        package let address: String
        package let isEncrypted: Bool

        package init(address: String, isEncrypted: Bool) {
            self.address = address
            self.isEncrypted = isEncrypted
        }
    }
}
