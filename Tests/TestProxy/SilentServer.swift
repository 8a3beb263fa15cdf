package import Host

/// A TCP port of the loopback interface at which connections are accepted and nothing is ever answered.
package final class SilentServer: Sendable {
    package let port: UInt16
    private let listener: Descriptor

    package init() throws(HostError) {
        listener = try Descriptor.listening(onPort: 0)
        port = listener.port
    }
}
