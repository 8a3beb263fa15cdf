import Foundation
import Host

/// A connection to a local port that blocks its thread. It can send requests before it receives the responses to
/// earlier ones.
final class PageConnection {
    private static let timeout = 60
    /// The idle time after which a connection is replaced by a new one, because Varnish closes it after five seconds.
    private static let maxIdle = Duration.seconds(2)

    private var number: Int32
    /// The port of a new connection. It is nil if the socket was accepted.
    private var port: Int?
    private var lastUse = ContinuousClock.now
    private var buffer = [UInt8](repeating: 0, count: 1 << 18)
    /// The received bytes that belong to no response yet.
    private var unread = 0..<0

    convenience init(port: Int) throws {
        try self.init(adopting: Self.open(port))
        self.port = port
    }

    private static func open(_ port: Int) throws -> Int32 {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { throw HostError(errnoOf: "open", "a socket") }
        var address = sockaddr_in(port: port)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        guard status == 0 else {
            let error = HostError(errnoOf: "connect to", "port \(port)")
            close(number)
            throw error
        }
        return number
    }

    /// Creates the connection of an accepted socket.
    init(adopting number: Int32) {
        self.number = number
        Self.configure(number)
    }

    private static func configure(_ number: Int32) {
        var (on, time) = (Int32(1), timeval(tv_sec: timeout, tv_usec: 0))
        setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(number) }

    /// Sends requests, on a new connection if the last response came long ago.
    func send(_ bytes: [UInt8]) throws {
        if let port, lastUse.duration(to: .now) > Self.maxIdle {
            let opened = try Self.open(port)
            close(number)
            number = opened
            Self.configure(number)
            unread = 0..<0
        }
        lastUse = .now
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { Foundation.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw HostError(errnoOf: "send to", "the server") }
            sent += count
        }
    }

    /// Receives the next response with its content coding.
    func receive() throws -> ReceivedResponse {
        defer { lastUse = .now }
        guard let lines = try head() else { throw BenchmarkFailure(reason: "the server closed the connection") }
        guard let status = lines[0].split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw BenchmarkFailure(reason: "no status in \(lines[0])")
        }
        let head = ReceivedResponse(status: status, fields: Array(lines.dropFirst()), body: [])
        let body: [UInt8]
        if let length = head["content-length"].flatMap({ Int($0) }) {
            body = status == 304 ? [] : try take(length)
        } else {
            body = head["transfer-encoding"] == "chunked" ? try chunks() : []
        }
        return ReceivedResponse(status: status, fields: Array(lines.dropFirst()), body: body)
    }

    /// Receives the lines of a head, or nil if the other end has closed the connection.
    func head() throws -> [Substring]? {
        var searched = 0
        while true {
            if let end = end(of: [0x0D, 0x0A, 0x0D, 0x0A], after: searched) {
                let text = String(decoding: buffer[unread.lowerBound..<end], as: UTF8.self)
                unread = end..<unread.upperBound
                return text.split(separator: "\r\n")
            }
            searched = max(0, unread.count - 3)
            guard try receiveMore() else {
                guard unread.isEmpty else { throw BenchmarkFailure(reason: "a part of a head") }
                return nil
            }
        }
    }

    private func chunks() throws -> [UInt8] {
        var body: [UInt8] = []
        while true {
            var end = end(of: [0x0D, 0x0A], after: 0)
            while end == nil {
                guard try receiveMore() else { throw BenchmarkFailure(reason: "a part of a chunk") }
                end = self.end(of: [0x0D, 0x0A], after: 0)
            }
            guard let end, let size = Int(String(decoding: buffer[unread.lowerBound..<(end - 2)], as: UTF8.self), radix: 16) else {
                throw BenchmarkFailure(reason: "a chunk without a size")
            }
            unread = end..<unread.upperBound
            body += try take(size)
            _ = try take(2)
            if size == 0 { return body }
        }
    }

    private func take(_ count: Int) throws -> [UInt8] {
        while unread.count < count {
            guard try receiveMore() else { throw BenchmarkFailure(reason: "a part of a body") }
        }
        let end = unread.lowerBound + count
        defer { unread = end..<unread.upperBound }
        return Array(buffer[unread.lowerBound..<end])
    }

    /// Returns the index after a sequence of bytes.
    private func end(of pattern: [UInt8], after offset: Int) -> Int? {
        var index = unread.lowerBound + offset
        return buffer.withUnsafeBytes { bytes in
            while index + pattern.count <= unread.upperBound {
                if bytes[index] == pattern[0], (1..<pattern.count).allSatisfy({ bytes[index + $0] == pattern[$0] }) {
                    return index + pattern.count
                }
                index += 1
            }
            return nil
        }
    }

    /// Returns whether more bytes have arrived.
    private func receiveMore() throws -> Bool {
        if unread.upperBound == buffer.count {
            // The first half is free unless one response needs all of it.
            let rest = Array(buffer[unread])
            if rest.count > buffer.count / 2 { buffer += [UInt8](repeating: 0, count: buffer.count) }
            buffer.replaceSubrange(0..<rest.count, with: rest)
            unread = 0..<rest.count
        }
        let end = unread.upperBound
        let count = buffer.withUnsafeMutableBytes { recv(number, $0.baseAddress.map { $0 + end }, $0.count - end, 0) }
        guard count >= 0 else { throw HostError(errnoOf: "receive from", "the server") }
        unread = unread.lowerBound..<(end + count)
        return count > 0
    }
}

extension sockaddr_in {
    /// The address of a local port.
    init(port: Int) {
        self.init()
        sin_family = sa_family_t(AF_INET)
        sin_port = UInt16(port).bigEndian
        sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    }
}
