import Testing

@testable import Benchmarks

@Suite("The output of load generators")
struct LoadOutcomeTests {
    private static let wrk = """
        Running 1s test @ http://127.0.0.1:1/
          1 threads and 64 connections
          52000 requests in 1.00s, 114.00MB read
        Requests/sec:  51999.50
        Transfer/sec:    114.00MB
        sums: 52000 responses, 104000000 bytes
        """

    private static let h2load = """
        TLS Protocol: TLSv1.3
        Cipher: TLS_AES_256_GCM_SHA384
        Server Temp Key: X25519 253 bits
        Application protocol: h2

        finished in 1.00s, 40000.25 req/s, 80.00MB/s
        requests: 40000 total, 40064 started, 40000 done, 40000 succeeded, 0 failed, 0 errored, 0 timeout
        status codes: 40000 2xx, 0 3xx, 0 4xx, 0 5xx
        traffic: 79.00MB (82000000) total, 1.00MB (1000000) headers (space savings 90.00%), 78.00MB (80000000) data
        """

    @Test("The exact sums of wrk are read, and its rounded ones are not")
    func wrk() throws {
        let outcome = try #require(LoadOutcome(ofWrk: Self.wrk))
        #expect(outcome.requests == 52_000)
        #expect(outcome.bytes == 104_000_000)
        #expect(outcome.rate == 51_999.5)
    }

    @Test("The bodies and the cipher of h2load are read")
    func h2load() throws {
        let outcome = try #require(LoadOutcome(ofH2load: Self.h2load))
        #expect(outcome.requests == 40_000)
        #expect(outcome.bytes == 80_000_000)
        #expect(outcome.rate == 40_000.25)
        #expect(outcome.tls?.description == "TLSv1.3, TLS_AES_256_GCM_SHA384, X25519 253 bits")
    }

    @Test(
        "A load with an error has no outcome",
        arguments: [("0 failed", "1 failed"), ("0 3xx", "1 3xx"), ("0 5xx", "9 5xx"), ("Cipher", "Zipher")])
    func failed(text: String, replacement: String) {
        #expect(LoadOutcome(ofH2load: Self.h2load.replacing(text, with: replacement)) == nil)
        #expect(LoadOutcome(ofWrk: Self.wrk + "\n  Non-2xx or 3xx responses: 1") == nil)
        #expect(LoadOutcome(ofWrk: Self.wrk + "\n  Socket errors: connect 0, read 1, write 0, timeout 0") == nil)
    }

    @Test("Responses of an unexpected size are a failure")
    func size() throws {
        let outcome = try #require(LoadOutcome(ofWrk: Self.wrk))
        #expect(throws: Never.self) { try outcome.check(size: 2_000, underWay: 64, "2 KB") }
        #expect(throws: ChangedResponses.self) { try outcome.check(size: 200, underWay: 64, "304") }
    }

    @Test("Two responses differ in status, body or a compared field")
    func differences() throws {
        func response(_ status: Int, _ fields: String, _ body: String) throws -> ServedResponse {
            try #require(ServedResponse(Array("HTTP/1.1 \(status) x\r\n\(fields)\r\n\(body)".utf8)))
        }
        let page = try response(200, "Content-Type: a/b\r\nETag: \"1\"\r\n", "page")
        #expect(try page.difference(from: response(200, "content-type: a/b\r\nserver: x\r\n", "page")) == nil)
        #expect(try page.difference(from: response(200, "content-type: a/c\r\n", "page")) != nil)
        #expect(try page.difference(from: response(200, "content-type: a/b\r\ncontent-encoding: br\r\n", "page")) != nil)
        #expect(try page.difference(from: response(200, "content-type: a/b\r\n", "pace")) != nil)
        #expect(try page.difference(from: response(304, "content-type: a/b\r\n", "")) != nil)
    }

    @Test("The sums of an image load are read, unless a response was neither an image nor a rejection")
    func images() throws {
        let tally = try #require(ImageLoad.Tally("Requests/sec: 280.0\nimages: 7 drawn, 970 rejected, 0 others\n"))
        #expect(tally.drawn == 7 && tally.rejected == 970)
        #expect(ImageLoad.Tally("images: 7 drawn, 970 rejected, 1 others\n") == nil)
        #expect(ImageLoad.Tally("Requests/sec: 280.0\n") == nil)
    }
}
