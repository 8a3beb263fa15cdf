package import EventLoop
package import HTTPMessages

/// A request with its whole body, or with what brings it.
package struct Request: Sendable {
    package let head: RequestHead
    package internal(set) var body: [UInt8]
    /// The memory that `body` uses.
    var lease: BodyLease?
    /// Of a body that is answered while it comes; then `body` has nothing.
    package internal(set) var upload: Upload?
    /// Who is connected: a proxy perhaps, that asks for somebody else.
    package let peer: Client
    /// When its answer is of no use any more.
    package internal(set) var deadline: Deadline
    /// Where it is answered; nil of one that came over no connection.
    var server: ServerLoop?

    /// The same with more time.
    package func waiting(until deadline: Deadline) -> Request {
        var request = self
        request.deadline = deadline
        return request
    }

    /// The same with a body that was collected from the upload.
    package func carrying(_ body: [UInt8]) -> Request {
        var request = self
        request.body = body
        return request
    }

    /// How long the client may take to send the body; zero if all of it has come.
    package var bodyTime: Duration { upload == nil ? .zero : server?.limits.body ?? .zero }

    /// Throws where a response is a stream and as many are open as may be: to be asked before anybody counts on the response. On the thread of
    /// the loop that the request came to.
    package func checkRoom(for response: Response) throws(RequestError) { try server?.checkRoom(for: response) }

    /// Who asks, as the socket tells or a proxy that is believed.
    package final class Client: Sendable {
        /// Without a port; `unix` of a socket in the file system.
        package let address: String
        package let isEncrypted: Bool

        package init(address: String, isEncrypted: Bool) {
            self.address = address
            self.isEncrypted = isEncrypted
        }
    }
}
