import Glibc
import Host
import Security
import TestSupport
import Testing

@testable import HTTP

/// Both ends of an encrypted connection. Their bytes pass through the test, in pieces of any size.
final class TLSPair {
    let server: TLSTransport
    let client: TLSTransport
    /// The other ends of the sockets of both.
    private let serverWire: Descriptor
    private let clientWire: Descriptor

    /// Makes a connection. The server can have a TCP socket, whose segments are counted.
    init(_ certificate: Certificate, overTCP: Bool = false) throws {
        let (context, trusting) = (try certificate.context(), try TLSContext(trusting: certificate.file))
        let (serverNumbers, clientNumbers) = (try overTCP ? Self.loopbackSockets() : Self.sockets(), try Self.sockets())
        serverWire = Descriptor(owning: serverNumbers[1])
        clientWire = Descriptor(owning: clientNumbers[1])
        guard let server = TLSTransport(Descriptor(owning: serverNumbers[0]), context, RecordBuffer()),
            let client = TLSTransport(Descriptor(owning: clientNumbers[0]), trusting, of: certificate.name)
        else { throw HostError(.notFound, "make", "a TLS session") }
        self.server = server
        self.client = client
        var isReady = (server: false, client: false)
        let end = ContinuousClock.now + .seconds(10)
        while !(isReady.server && isReady.client), end > .now {
            if case .moved = client.prepare() { isReady.client = true }
            if case .moved = server.prepare() { isReady.server = true }
            forward()
        }
        try #require(isReady == (true, true))
        // The client takes the session tickets.
        _ = try receive(at: client)
    }

    private static func sockets() throws -> [Int32] {
        var numbers: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &numbers) == 0)
        return numbers
    }

    private static func loopbackSockets() throws -> [Int32] {
        let (server, client) = try loopbackPair()
        return [server, client.duplicate()]
    }

    /// Forwards up to that many bytes in each direction. Returns whether there were any.
    @discardableResult
    func forward(_ limit: Int = .max) -> Bool {
        let sent = Self.forward(limit, from: serverWire.number, to: clientWire.number)
        return Self.forward(limit, from: clientWire.number, to: serverWire.number) || sent
    }

    private static func forward(_ limit: Int, from source: Int32, to target: Int32) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        var forwarded = 0
        while forwarded < limit {
            let wanted = min(limit - forwarded, buffer.count)
            let count = recv(source, &buffer, wanted, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
            guard count > 0 else { break }
            let sent = send(target, buffer, count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            guard sent > 0 else { break }
            _ = recv(source, &buffer, sent, 0)
            forwarded += sent
        }
        return forwarded > 0
    }

    /// Returns all bytes that can be read at an end now.
    func receive(at transport: TLSTransport) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            switch buffer.withUnsafeMutableBytes({ transport.read(into: $0) }) {
            case .moved(let count): bytes += buffer[..<count]
            case .blocked: return bytes
            case .ended, .failed: throw HostError(.connectionReset, "read", "the other end")
            }
        }
    }

    /// Writes the rest of some pieces, and removes the written bytes from it.
    func write(_ rest: inout [[UInt8]], by transport: TLSTransport) throws {
        let buffers = rest.map { piece in
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: max(piece.count, 1), alignment: 1)
            buffer.copyBytes(from: piece)
            return buffer
        }
        defer { for buffer in buffers { buffer.deallocate() } }
        var vectors = zip(buffers, rest).map { iovec(iov_base: $0.baseAddress, iov_len: $1.count) }
        switch vectors.withUnsafeMutableBufferPointer({ transport.write($0) }) {
        case .moved(let count): rest = Self.drop(count, from: rest)
        case .blocked: break
        case .ended, .failed: throw HostError(.connectionReset, "write to", "the other end")
        }
    }

    private static func drop(_ count: Int, from pieces: [[UInt8]]) -> [[UInt8]] {
        var left = count
        var rest = pieces[...]
        while let first = rest.first, first.count <= left {
            left -= first.count
            rest = rest.dropFirst()
        }
        guard let first = rest.first, left > 0 else { return Array(rest) }
        return [Array(first.dropFirst(left))] + rest.dropFirst()
    }
}
