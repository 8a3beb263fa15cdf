package import EventLoop
package import HTTPMessages

/// A request with its whole body.
package struct Request: Sendable {
    package let head: RequestHead
    package let body: [UInt8]
    package let client: Client
    /// When its answer is of no use any more.
    package let deadline: Deadline

    /// Who asks, as the socket tells.
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
