import EventLoop
import Foundation
import Host

/// A client as there are some on every network: slow, rude, or gone in the middle of what it was about.
enum StrangeClient: CaseIterable {
    // Slow ones, who are owed their answers.
    case slowHead, slowBody, slowReader
    // Those who are owed nothing, and must leave nothing behind.
    case halfHead, halfBody, halfFrame, halfHandshake, garbage, silent, deaf, goneBeforeResponses, takingBack

    var isOwedResponses: Bool { self == .slowHead || self == .slowBody || self == .slowReader }

    /// Whether it got what it is owed; throws as well where it did not.
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
                // A server that has refused a request reads the rest of it for two seconds only; its response has arrived by then.
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
            // More than the server keeps for one who takes nothing.
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

    /// How often a text comes before the connection ends.
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

    // Frames of HTTP/2.

    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]

    /// `GET http://a/`, which ends the stream.
    private static func headers(stream: Int) -> [UInt8] {
        [0, 0, 6, 1, 5, 0, 0, UInt8(stream >> 8), UInt8(stream & 0xFF), 0x82, 0x84, 0x86, 0x41, 1, UInt8(ascii: "a")]
    }

    private static func reset(stream: Int) -> [UInt8] { [0, 0, 4, 3, 0, 0, 0, UInt8(stream >> 8), UInt8(stream & 0xFF), 0, 0, 0, 8] }
}
