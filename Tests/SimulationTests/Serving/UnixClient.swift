import EventLoop
import Glibc
import Host

@testable import HTTP

/// A client with one connection, which sends given text and waits on the server's event loop.
final class UnixClient: Sendable {
    struct Response: Sendable, Equatable {
        let status: String
        let body: String
    }

    private let descriptor: Descriptor

    /// Connects to a socket. Fails with nil if no server listens.
    init?(_ path: String) {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard number >= 0 else { return nil }
        descriptor = Descriptor(owning: number)
        var address = UnixAddress(path)
        guard address.withPointer({ connect(number, $0, $1) }) == 0 else { return nil }
    }

    /// Returns false if the server has closed the connection.
    func send(_ text: some StringProtocol) -> Bool {
        let bytes = Array(text.utf8)
        let count = bytes.withUnsafeBytes { Glibc.send(descriptor.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        return count == bytes.count
    }

    /// Returns nil at the end of the connection.
    func response(on loop: EventLoop) async throws -> Response? {
        var text = ""
        while true {
            try await loop.wait(for: .readable, on: descriptor.number, until: .after(.seconds(30)), named: "client")
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = recv(descriptor.number, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            text += String(decoding: buffer[..<count], as: UTF8.self)
            if let response = Self.read(text) { return response }
        }
    }

    private static func read(_ text: String) -> Response? {
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        guard let end = lines.firstIndex(of: ""), let field = lines[..<end].first(where: { $0.lowercased().hasPrefix("content-length: ") }),
            let length = Int(field.dropFirst(16))
        else { return nil }
        let body = lines[(end + 1)...].joined(separator: "\r\n")
        return body.utf8.count == length ? Response(status: String(lines[0].dropFirst(9).prefix(3)), body: body) : nil
    }
}
