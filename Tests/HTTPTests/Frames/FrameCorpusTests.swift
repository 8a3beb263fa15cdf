import HTTP
import TestSupport
import Testing

@Suite("Raw frames", .onOwnThread)
struct FrameCorpusTests {
    /// Sends the bytes, in pieces of the given maximum size, and returns the outcome of the connection.
    private static func outcome(of example: FrameCorpus.Case, port: Int, pieces: Int = .max) throws -> String {
        let client = try RawClient(port: port)
        var rest = ((example.hasPreface ? Frames.preface : []) + example.bytes)[...]
        do {
            while !rest.isEmpty {
                try client.send(Array(rest.prefix(pieces)))
                rest = rest.dropFirst(pieces)
            }
        } catch {
            // The server closed the connection before it had all bytes.
        }
        client.endSending()
        return FrameOutcome(Frames.parse(try client.receiveAllBytes())).output
    }

    @Test("Every case has its recorded outcome, whole and in pieces")
    func corpus() async throws {
        #expect(FrameCorpus.all.count >= 150 && Set(FrameCorpus.all.map(\.name)).count == FrameCorpus.all.count)
        try await withServer { _, port in
            let outcomes = try FrameCorpus.all.map { "\($0.name)\n    \(try Self.outcome(of: $0, port: port))\n" }
            let reported = try Golden("frames.txt").text(recording: outcomes.joined())
            #expect(outcomes.joined() == reported)
            for (example, outcome) in zip(FrameCorpus.all, outcomes) where example.bytes.count < 300 && !example.dependsOnPieces {
                let text = try Self.outcome(of: example, port: port, pieces: 7)
                #expect("\(example.name)\n    \(text)\n" == outcome)
            }
            let usual = FrameCorpus.Case(name: "a request", bytes: Frames.get("/a", stream: 1))
            #expect(try Self.outcome(of: usual, port: port) == "1: 200, 1: 9 bytes")
        }
    }

    @Test(
        "A flood of frames that require responses is bounded",
        arguments: [Frames.frame(.ping, [UInt8](repeating: 7, count: 8)), Frames.frame(.settings)])
    func flood(frame: [UInt8]) async throws {
        try await withServer(limiting: { $0.write = .milliseconds(300) }) { server, port in
            let client = try RawClient(port: port)
            let many = [[UInt8]](repeating: frame, count: 1_000).flatMap(\.self)
            try client.send(Frames.preface)
            // The client never reads, so the server has to stop reading before it has to buffer all responses.
            #expect(throws: (any Error).self) { for _ in 0..<20_000 { try client.send(many) } }
            #expect(await server.counters().bytesReceived < 100_000_000)
        }
    }
}
