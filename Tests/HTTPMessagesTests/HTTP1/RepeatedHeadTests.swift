import TestSupport
import Testing

@testable import HTTPMessages

@Suite("A repeated request head")
struct RepeatedHeadTests {
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
        #expect(try head(lines).isRepeatable && head(lines).isShareable)
    }

    @Test(
        "A request with a body or an identity is not shareable, and neither is the last one of a connection",
        arguments: [
            "POST / HTTP/1.1\r\nHost: a", "OPTIONS / HTTP/1.1\r\nHost: a", "GET / HTTP/1.1\r\nHost: a\r\nConnection: close",
            "GET / HTTP/1.0\r\nConnection: keep-alive", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1",
            "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked", "GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue",
            "GET / HTTP/1.1\r\nHost: a\r\nAUTHORIZATION: Bearer x", "GET / HTTP/1.1\r\nHost: a\r\nCookie: x",
            "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: h2c",
        ])
    func unshareable(lines: String) throws {
        #expect(try !head(lines).isShareable && !head(lines).isRepeatable)
    }

    @Test(
        "A request with an ID or a client of a proxy is shareable, but not repeatable by its bytes alone",
        arguments: [
            "GET / HTTP/1.1\r\nHost: a\r\nX-Request-Id: 7",
            "GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 10.0.0.1", "GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-Proto: https",
        ])
    func individual(lines: String) throws {
        #expect(try head(lines).isShareable && !head(lines).isRepeatable)
    }
}
