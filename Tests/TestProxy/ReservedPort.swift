package import Host

/// A free TCP port of the loopback interface, which the system gives to nobody else while this lives.
///
/// Its socket is bound and never listens, so that a server which sets `SO_REUSEADDR` can.
package final class ReservedPort: Sendable {
    package let number: UInt16
    private let socket: Descriptor

    package init() throws(HostError) {
        socket = try Descriptor.bound(toPort: 0)
        number = socket.port
    }
}
