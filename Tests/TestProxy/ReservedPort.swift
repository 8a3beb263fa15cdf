package import Host

/// A free TCP port of the loopback interface, which the system assigns to no other socket while this value exists.
///
/// Its socket is bound but never listens, so that a server with `SO_REUSEADDR` can use the port.
package final class ReservedPort: Sendable {
    package let number: UInt16
    private let socket: Descriptor

    package init() throws(HostError) {
        socket = try Descriptor.bound(toPort: 0)
        number = socket.port
    }
}
