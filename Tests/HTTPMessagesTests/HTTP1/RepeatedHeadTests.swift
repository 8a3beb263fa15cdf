import TestSupport
import Testing

@testable import HTTPMessages

@Suite("A repeated request head")
struct RepeatedHeadTests {
    private static let limit = 1_024

    private func head(_ lines: String) throws -> RequestHead {
        var reader = HTTP1HeadReader()
        guard case .head(let head, _) = reader.read(Array("\(lines)\r\n\r\n".utf8).span) else {
            throw RequestError(.badRequest, "not a head: \(lines)")
        }
        return head
    }

    @Test(
        "A request for a shared page is repeatable",
        arguments: [
            "GET /v1/us/feeds/today?locale=en HTTP/1.1\r\nHost: a", "HEAD / HTTP/1.1\r\nHost: a",
            "GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br\r\nIf-None-Match: \"1\"\r\nUser-Agent: x\r\nConnection: keep-alive",
            "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 0",
        ])
    func repeatable(lines: String) throws {
        #expect(try head(lines).isRepeatable)
    }

    @Test(
        "A request with a body, with an identity or from a proxy is not repeatable, and neither is the last one of a connection",
        arguments: [
            "POST / HTTP/1.1\r\nHost: a", "OPTIONS / HTTP/1.1\r\nHost: a", "GET / HTTP/1.1\r\nHost: a\r\nConnection: close",
            "GET / HTTP/1.0\r\nConnection: keep-alive", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1",
            "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked", "GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue",
            "GET / HTTP/1.1\r\nHost: a\r\nAUTHORIZATION: Bearer x", "GET / HTTP/1.1\r\nHost: a\r\nCookie: x",
            "GET / HTTP/1.1\r\nHost: a\r\nX-Request-Id: 7", "GET / HTTP/1.1\r\nHost: a\r\ntraceparent: 00",
            "GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 10.0.0.1", "GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-Proto: https",
        ])
    func individual(lines: String) throws {
        #expect(try !head(lines).isRepeatable)
    }

    @Test("The end of a head is the end that the reader finds, in any bytes", arguments: Seeds.fixed(3))
    func end(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let pieces = ["GET / HTTP/1.1", "Host: a", "A: b", "\r\n", "\r\n", "\r\n\r\n", "\r", "\n", "\r\r\n", " ", ":", "x"]
        var heads = 0
        for _ in 0..<30_000 {
            var text = Int.random(in: 0...3, using: &random) == 0 ? "" : "GET / HTTP/1.1\r\nHost: a\r\n"
            for _ in 0..<Int.random(in: 0...8, using: &random) { text += pieces[Int.random(in: 0..<pieces.count, using: &random)] }
            let bytes = Array(text.utf8)
            var reader = HTTP1HeadReader()
            guard case .head(_, let count) = reader.read(bytes.span) else { continue }
            heads += 1
            if bytes.span.headCount(limit: Self.limit) != count {
                Issue.record("seed \(seed): \(text.debugDescription) ends at \(count)")
                return
            }
        }
        #expect(heads > 1_000)
    }

    @Test("An incomplete head and one beyond the limit have no end")
    func noEnd() {
        let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        for count in 0..<bytes.count { #expect(bytes.span.extracting(first: count).headCount(limit: Self.limit) == nil) }
        #expect(bytes.span.headCount(limit: bytes.count) == bytes.count)
        #expect(bytes.span.headCount(limit: bytes.count - 1) == nil)
    }
}
