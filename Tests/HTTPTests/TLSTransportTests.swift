import Security
import TestSupport
import Testing

@testable import HTTP

@Suite("The TLS transport of a connection")
struct TLSTransportTests {
    private let folder: TemporaryFolder
    private let certificate: Certificate

    init() throws {
        folder = try TemporaryFolder("transport")
        certificate = try Certificate("shop.example", in: folder)
    }

    /// Returns pieces whose order of bytes reveals misplaced ones.
    private static func pieces(_ sizes: [Int], from start: Int = 0) -> [[UInt8]] {
        var next = start
        return sizes.map { size in
            (0..<size).map { _ in
                next += 1
                return UInt8(truncatingIfNeeded: next &* 31 ^ next >> 8)
            }
        }
    }

    @Test("All bytes arrive in order, however they are divided into buffers")
    func divided() throws {
        let pair = try TLSPair(certificate)
        for sizes in [
            [1], [0], [0, 1, 0], [16_384], [16_385], [400, 2_048], [400, 12_000], [16_384, 1], [1, 16_384], [16_000, 384], [16_000, 385],
            [300, 61_440], [70_000, 5, 0, 70_000], [Int](repeating: 700, count: 64),
        ] {
            var rest = Self.pieces(sizes)
            let whole = rest.flatMap(\.self)
            var received: [UInt8] = []
            for _ in 0..<1_000 where received.count < whole.count {
                try pair.write(&rest, by: pair.server)
                pair.forward()
                received += try pair.receive(at: pair.client)
            }
            #expect(received == whole, "\(sizes)")
        }
    }

    @Test("A blocked write continues with the same bytes, although others were added", arguments: Seeds.fixed(2))
    func blocked(seed: UInt64) throws {
        let pair = try TLSPair(certificate)
        var random = SeededRandom(seed: seed)
        var sent: [UInt8] = []
        var received: [UInt8] = []
        var rest: [[UInt8]] = []
        var blocks = 0
        for round in 0..<60 {
            let sizes = (0..<Int.random(in: 1...5, using: &random)).map { _ in Int.random(in: 0...20_000, using: &random) }
            let more = Self.pieces(sizes, from: sent.count)
            for piece in more { sent += piece }
            rest += more
            try pair.write(&rest, by: pair.server)
            if !rest.isEmpty { blocks += 1 }
            if round.isMultiple(of: 20) {
                pair.forward()
                received += try pair.receive(at: pair.client)
            }
        }
        for _ in 0..<1_000 where received.count < sent.count {
            try pair.write(&rest, by: pair.server)
            pair.forward()
            received += try pair.receive(at: pair.client)
        }
        #expect(received == sent && blocks > 0, "seed \(seed)")
    }

    @Test("The records of one write share a packet")
    func packets() throws {
        let pair = try TLSPair(certificate, overTCP: true)
        for number in 0..<4 {
            var rest = Self.pieces([400, 36_000])
            let whole = rest.flatMap(\.self)
            let before = pair.server.sentSegments
            try pair.write(&rest, by: pair.server)
            // The first records may have to wait for a larger window.
            #expect(rest.isEmpty && (number == 0 || pair.server.sentSegments == before + 1))
            var received: [UInt8] = []
            for _ in 0..<1_000_000 where received.count < whole.count {
                pair.forward()
                received += try pair.receive(at: pair.client)
            }
            #expect(received == whole)
        }
    }

    /// Lets the client send a byte and the server read it.
    private func exchange(_ pair: TLSPair) throws {
        var rest: [[UInt8]] = [[1]]
        try pair.write(&rest, by: pair.client)
        pair.forward()
        #expect(try pair.receive(at: pair.server) == [1])
    }

    @Test("Only a busy connection keeps its buffers, and it continues after they are freed")
    func buffers() throws {
        let pair = try TLSPair(certificate)
        pair.server.sweep()
        try exchange(pair)
        #expect(!pair.server.keepsBuffers, "a single request")
        for _ in 0..<4 { try exchange(pair) }
        #expect(pair.server.keepsBuffers)
        pair.server.sweep()
        #expect(pair.server.keepsBuffers, "it was busy until now")
        pair.server.sweep()
        #expect(!pair.server.keepsBuffers)
        for _ in 0..<4 {
            try exchange(pair)
            var rest = Self.pieces([20_000])
            try pair.write(&rest, by: pair.server)
            pair.forward()
            #expect(try pair.receive(at: pair.client) == Self.pieces([20_000])[0])
        }
        #expect(pair.server.keepsBuffers)
    }

    @Test("A record that arrives byte by byte is read, although its connection looks idle between the bytes")
    func partialRecord() throws {
        let pair = try TLSPair(certificate)
        var rest = Self.pieces([300])
        try pair.write(&rest, by: pair.client)
        var received: [UInt8] = []
        while pair.forward(1) {
            // Enough reads to be busy, and then two sweeps.
            for _ in 0..<4 { received += try pair.receive(at: pair.server) }
            pair.server.sweep()
            pair.server.sweep()
        }
        #expect(received == Self.pieces([300])[0])
    }
}
