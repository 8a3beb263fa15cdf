internal import Glibc

/// A probe that listens briefly at an address to find out whether a server can.
package enum PortProbe {
    /// Returns the reason why a server cannot listen, or nil if it can. The address is numeric, or empty for every
    /// address.
    package static func error(address: String, port: Int) -> HostError? {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let subject = "\(address.isEmpty ? "*" : address):\(port)"
        guard unsafe getaddrinfo(address.isEmpty ? nil : address, "\(port)", &hints, &found) == 0, let first = unsafe found else {
            return HostError(.notFound, "find the address", subject)
        }
        defer { unsafe freeaddrinfo(first) }
        let number = unsafe socket(first.pointee.ai_family, first.pointee.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return HostError(errnoOf: "open a socket for", subject) }
        let probe = Descriptor(owning: number)
        // Like a server: old connections of a server that has just ended must not block it.
        var yes: Int32 = 1
        unsafe setsockopt(probe.number, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard unsafe bind(probe.number, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0, listen(probe.number, 1) == 0 else {
            return HostError(errnoOf: "listen on", subject)
        }
        return nil
    }
}
