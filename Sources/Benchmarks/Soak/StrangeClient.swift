import EventLoop
import Foundation
import Host

/// A client with a defect that occurs on every network: slow, misbehaving or disconnected in the middle of a request.
enum StrangeClient: CaseIterable {
    // These clients are slow but must get their responses.
    case slowHead, slowBody, slowReader
    // These clients get no response and must leave nothing allocated.
    case halfHead, halfBody, halfFrame, halfHandshake, garbage, silent, deaf, goneBeforeResponses, takingBack

    var isOwedResponses: Bool { self == .slowHead || self == .slowBody || self == .slowReader }

    /// Returns whether the client got the expected responses. May also throw if it did not.
    func visit(_ ports: (plain: Int, encrypted: Int), on loop: EventLoop, isAbrupt: Bool) async throws -> Bool {
        let isForTLS = self == .halfHandshake || self == .garbage
        let window: Int32? = self == .deaf || self == .slowReader ? 4_096 : nil
        let socket = try await ClientSocket(port: isForTLS ? ports.encrypted : ports.plain, on: loop, window: window)
        if isAbrupt, !isOwedResponses { socket.reset() }
        switch self {
        case .slowHead:
            try await socket.send(Self.request("GET", "/healthz", Self.last), inPartsOf: 7, every: .milliseconds(200))
            return try await Self.count("HTTP/1.1 200 ", in: socket) == 1
        case .slowBody:
            try await socket.send(Self.request("POST", "/healthz", Self.last + "transfer-encoding: chunked\r\n"))
            let chunks = String(repeating: "5\r\nhello\r\n", count: 20)
            do {
                try await socket.send(chunks + "0\r\n\r\n", inPartsOf: 11, every: .milliseconds(100))
            } catch let error as HostError where error.code == .brokenPipe || error.code == .connectionReset {
                // A server that has rejected a request reads the rest of it for only two seconds. Its response has
                // arrived by then.
            }
            return try await Self.count("HTTP/1.1 405 ", in: socket) == 1
        case .slowReader:
            try await socket.send(Self.requests(39, "/metrics") + Self.request("GET", "/metrics", Self.last))
            return try await Self.count("HTTP/1.1 200 ", in: socket) { try await loop.sleep(until: .after(.milliseconds(10))) } == 40
        case .halfHead:
            try await socket.send("GET /healthz HTTP/1.1\r\nhost: a\r\nx-half: ")
        case .halfBody:
            try await socket.send("POST /healthz HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\nnot yet a thousand")
        case .halfFrame:
            try await socket.send(Self.preface + Self.headers(stream: 1).dropLast(3))
        case .halfHandshake:
            try await socket.send([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xFC, 0x03, 0x03])
        case .garbage:
            try await socket.send("GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n")
            _ = try await socket.receive()
        case .silent:
            _ = try await socket.receive()
        case .deaf:
            // The responses exceed the output buffer of a client that reads nothing.
            try await socket.send(Self.requests(400, "/metrics"))
            try await loop.sleep(until: .after(.seconds(20)))
        case .goneBeforeResponses:
            try await socket.send(Self.requests(50, "/metrics"))
            _ = try await socket.receive(atMost: 100)
        case .takingBack:
            let pairs = (0..<50).flatMap { Self.headers(stream: 2 * $0 + 1) + Self.reset(stream: 2 * $0 + 1) }
            try await socket.send(Self.preface + pairs)
            _ = try await socket.receive(atMost: 100)
        }
        return true
    }

    private static let last = "connection: close\r\n"

    private static func request(_ method: String, _ path: String, _ fields: String = "") -> String {
        "\(method) \(path) HTTP/1.1\r\nhost: shop.example\r\n\(fields)\r\n"
    }

    private static func requests(_ count: Int, _ path: String) -> String { String(repeating: request("GET", path), count: count) }

    /// Counts the occurrences of a text before the connection ends.
    private static func count(
        _ text: String, in socket: ClientSocket, pausing pause: () async throws -> Void = {}
    ) async throws -> Int {
        var all: [UInt8] = []
        while true {
            let some = try await socket.receive(atMost: 4_096)
            if some.isEmpty { return String(decoding: all, as: UTF8.self).components(separatedBy: text).count - 1 }
            all += some
            try await pause()
        }
    }

    // HTTP/2 frames.

    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]

    /// Returns the frame of `GET http://a/`, which ends the stream.
    private static func headers(stream: Int) -> [UInt8] {
        [0, 0, 6, 1, 5, 0, 0, UInt8(stream >> 8), UInt8(stream & 0xFF), 0x82, 0x84, 0x86, 0x41, 1, UInt8(ascii: "a")]
    }

    private static func reset(stream: Int) -> [UInt8] { [0, 0, 4, 3, 0, 0, 0, UInt8(stream >> 8), UInt8(stream & 0xFF), 0, 0, 0, 8] }
}
