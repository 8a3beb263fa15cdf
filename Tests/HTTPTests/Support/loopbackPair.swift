import Glibc
import Host
import TestSupport
import Testing

@testable import HTTP

/// Connects a client on the loopback. Returns it with the socket of the server, which does not block and which the caller owns.
func loopbackPair() throws -> (server: Int32, client: RawClient) {
    let listener = try ListeningSocket(.tcp(host: "127.0.0.1", port: 0), isShared: false)
    let client = try RawClient(port: try #require(listener.port))
    // The connection can arrive after `connect` has returned.
    var event = pollfd(fd: listener.descriptor.number, events: Int16(POLLIN), revents: 0)
    try #require(poll(&event, 1, 10_000) == 1)
    let number = accept(listener.descriptor.number, nil, nil)
    try #require(number >= 0 && fcntl(number, F_SETFL, O_NONBLOCK) == 0)
    return (number, client)
}

extension Transport {
    /// The number of TCP segments with data that were sent.
    var sentSegments: UInt32 {
        var info = [UInt8](repeating: 0, count: 256)
        var length = socklen_t(info.count)
        // `tcpi_data_segs_out` is not declared by the C library.
        guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &length) == 0, length >= 160 else { return 0 }
        return info.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 156, as: UInt32.self) }
    }
}
