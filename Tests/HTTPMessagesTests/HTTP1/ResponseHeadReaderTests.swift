import TestSupport
import Testing

@testable import HTTPMessages

@Suite("HTTP/1.1 response heads")
struct ResponseHeadReaderTests {
    private func read(_ text: String, isBodyless: Bool = false, _ limits: HTTP1Limits = HTTP1Limits()) throws -> ResponseHead {
        var reader = ResponseHeadReader(limits, isBodyless: isBodyless)
        switch reader.read(Array(text.utf8).span) {
        case .head(let head, let count):
            #expect(count == text.utf8.count)
            return head
        case .incomplete: throw RequestError(.requestTimeout, "incomplete")
        case .refused(let error): throw error
        }
    }

    @Test("A head yields the status, the fields, the framing of the body and whether the connection is kept alive")
    func heads() throws {
        let head = try read("HTTP/1.1 410 Gone\r\nRETRY-after: 7\r\nContent-Length: 12\r\n\r\n")
        #expect(head.status == .gone && head.fields[.retryAfter] == "7" && head.framing == .length(12) && head.keepsAlive)
        #expect(try read("HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\nConnection: x, Close\r\n\r\n").keepsAlive == false)
        #expect(try read("HTTP/1.1 200 \r\nTransfer-Encoding: Chunked\r\n\r\n").framing == .chunked)
        let old = try read("HTTP/1.0 200 OK\r\n\r\n")
        #expect(old.framing == .untilEnd && !old.keepsAlive)
        #expect(try read("HTTP/1.1 204 No Content\r\n\r\n").framing == .none)
        #expect(try read("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", isBodyless: true).framing == .none)
        #expect(try read("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n").keepsAlive)
    }

    @Test(
        "An ambiguous head is refused",
        arguments: [
            "HTTP/2 200 OK\r\n\r\n", "HTTP/1.1 2x0 OK\r\n\r\n", "HTTP/1.1 099 OK\r\n\r\n", "HTTP/1.1 600 OK\r\n\r\n",
            "HTTP/1.1 2000\r\n\r\n", "HTTP/1.1 200 OK\n\n", "\r\nHTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\n a: b\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "<html>\r\n\r\n",
            "HTTP/1.1 200 OK\r\nA: \0\r\n\r\n",
        ])
    func refusals(text: String) throws {
        #expect(throws: RequestError.self) { try read(text) }
    }

    @Test("The limits are exact to the byte and to the field")
    func limits() throws {
        let text = "HTTP/1.1 200 OK\r\nA: 1\r\nB: 2\r\n\r\n"
        var limits = HTTP1Limits()
        limits.headerBytes = text.utf8.count
        _ = try read(text, limits)
        limits.headerBytes -= 1
        #expect(throws: RequestError.self) { try read(text, limits) }
        limits = HTTP1Limits()
        limits.headerCount = 1
        #expect(throws: RequestError.self) { try read(text, limits) }
    }

    @Test("A head has the same outcome in any pieces, with any bytes")
    func cuts() {
        var random = SeededRandom(seed: 11)
        let whole = Array("HTTP/1.1 200 OK\r\nContent-Length: 12\r\nConnection: close\r\nA: \t b\r\n\r\nrest of it".utf8)
        for _ in 0..<3_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            var atOnce = ResponseHeadReader()
            let expected = Self.outcome(atOnce.read(bytes.span))
            var inPieces = ResponseHeadReader()
            var count = 0
            var found = "incomplete"
            while found == "incomplete", count < bytes.count {
                count = min(bytes.count, count + Int.random(in: 1...9, using: &random))
                let piece = Array(bytes[..<count])
                found = Self.outcome(inPieces.read(piece.span))
            }
            #expect(found == expected, "\(bytes)")
        }
    }

    private static func outcome(_ response: ResponseHeadReader.Outcome) -> String {
        switch response {
        case .incomplete: "incomplete"
        case .refused: "refused"
        case .head(let head, let count): "\(head.status) \(head.framing) \(head.keepsAlive) \(head.fields.count) \(count)"
        }
    }
}
