import HTTP
import TestSupport
import Testing

@Suite("Raw frames", .onOwnThread)
struct FrameCorpusTests {
    /// Sends the bytes, in pieces of at most so many, and nothing more, and takes all that comes back.
    private static func outcome(of example: FrameCorpus.Case, port: Int, pieces: Int = .max) throws -> String {
        let client = try RawClient(port: port)
        var rest = ((example.hasPreface ? Frames.preface : []) + example.bytes)[...]
        do {
            while !rest.isEmpty {
                try client.send(Array(rest.prefix(pieces)))
                rest = rest.dropFirst(pieces)
            }
        } catch {
            // The server has ended the connection before it had all.
        }
        client.endSending()
        return FrameOutcome(Frames.parse(try client.receiveAllBytes())).words
    }

    @Test("have each the outcome that is told of them, whole and in pieces")
    func corpus() async throws {
        #expect(FrameCorpus.all.count >= 150 && Set(FrameCorpus.all.map(\.name)).count == FrameCorpus.all.count)
        try await withServer { _, port in
            let outcomes = try FrameCorpus.all.map { "\($0.name)\n    \(try Self.outcome(of: $0, port: port))\n" }
            let reported = try Golden("frames.txt").text(recording: outcomes.joined())
            #expect(outcomes.joined() == reported)
            for (example, outcome) in zip(FrameCorpus.all, outcomes) where example.bytes.count < 300 && !example.dependsOnPieces {
                let words = try Self.outcome(of: example, port: port, pieces: 7)
                #expect("\(example.name)\n    \(words)\n" == outcome)
            }
            let usual = FrameCorpus.Case(name: "a request", bytes: Frames.get("/a", stream: 1))
            #expect(try Self.outcome(of: usual, port: port) == "1: 200, 1: 9 bytes")
        }
    }

    @Test(
        "that ask for answers without end are not answered without end",
        arguments: [Frames.frame(.ping, [UInt8](repeating: 7, count: 8)), Frames.frame(.settings)])
    func flood(frame: [UInt8]) async throws {
        try await withServer(limiting: { $0.write = .milliseconds(300) }) { server, port in
            let client = try RawClient(port: port)
            let many = [[UInt8]](repeating: frame, count: 1_000).flatMap(\.self)
            try client.send(Frames.preface)
            // Nothing is ever read: the server has to stop taking before it has to keep it all.
            #expect(throws: (any Error).self) { for _ in 0..<20_000 { try client.send(many) } }
            #expect(await server.counters().bytesReceived < 100_000_000)
        }
    }
}
