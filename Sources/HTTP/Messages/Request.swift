package import EventLoop
package import HTTPMessages

/// A request with its whole body.
package struct Request: Sendable {
    package let head: RequestHead
    package let body: [UInt8]
    package let client: Client
    /// When its answer is of no use any more.
    package let deadline: Deadline

    /// The same, where somebody asks on behalf of the client.
    package func asked(by client: Client) -> Request { Request(head: head, body: body, client: client, deadline: deadline) }

    /// Who asks, as the socket tells unless a proxy is believed.
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
