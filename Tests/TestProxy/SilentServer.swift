package import Host

/// A TCP port of the loopback interface that accepts connections and never responds.
package final class SilentServer: Sendable {
    package let port: UInt16
    private let listener: Descriptor

    package init() throws(HostError) {
        listener = try Descriptor.listening(onPort: 0)
        port = listener.port
    }
}
