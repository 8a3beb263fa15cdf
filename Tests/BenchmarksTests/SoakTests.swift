import Testing

@testable import Benchmarks

@Suite("The evaluation of a soak test")
struct SoakTests {
    private static let output = "requests: 4 total, 14 started, 4 done, 4 succeeded, 0 failed, 0 errored, 0 timeout"
    private static let load = SoakLoad(kind: .page, path: "/v1/us/feeds/today", isHTTP2: false, requests: 10)

    @Test("Each unexpected status is a failure, also one of the same class")
    func statuses() throws {
        let tally = try Self.load.tally(output: Self.output, log: "1\t200\t7\n2\t206\t7\n3\t503\t7\n4\t200\t7\n")
        #expect(tally.expected == [.page: 2])
        #expect(tally.failed == [.page: 2])
        #expect(tally.failures == ["/v1/us/feeds/today: status 206 instead of 200": 1, "/v1/us/feeds/today: status 503 instead of 200": 1])
    }

    @Test("A request without a response is a failure, except for one of each client at the end")
    func missing() throws {
        let output = Self.output.replacing("14 started", with: "17 started").replacing("0 timeout", with: "1 timeout")
        #expect(try Self.load.tally(output: output, log: "1\t200\t7\n").failed == [.page: 4])
    }

    @Test("A load without any response cannot be evaluated")
    func nothing() {
        #expect(throws: BenchmarkFailure.self) { try Self.load.tally(output: Self.output, log: "") }
        #expect(throws: BenchmarkFailure.self) { try Self.load.tally(output: "h2load: no such option", log: "1\t200\t7\n") }
    }

    @Test("A stream has status 200 and events of changes, in any pieces")
    func stream() throws {
        var stream = SoakStream()
        for byte in "HTTP/1.1 200 OK\r\n\r\nevent: changes\nid: a\ndata: {}\n\nevent: changes\n".utf8 { try stream.receive([byte]) }
        #expect(stream.status == 200)
        #expect(stream.events == 2)
    }

    @Test(
        "An unexpected status or event, or an end, fails a stream",
        arguments: ["HTTP/1.1 503 x\n", "HTTP/1.1 200 OK\nevent: gone\n", ""])
    func brokenStream(text: String) {
        #expect(throws: BenchmarkFailure.self) {
            var stream = SoakStream()
            try stream.receive(Array(text.utf8))
        }
    }
}
