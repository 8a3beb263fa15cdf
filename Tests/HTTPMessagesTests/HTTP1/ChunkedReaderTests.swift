import HTTPMessages
import TestSupport
import Testing

@Suite("Chunked bodies")
struct ChunkedReaderTests {
    /// The extent to which a body was read, and its data.
    private struct Reading: Equatable {
        var data: [UInt8] = []
        var end: Int?
        var failure: RequestError?
    }

    private func read(_ bytes: [UInt8], pieces: some Sequence<Int>, overheadBytes: Int = 16_384) -> Reading {
        var reader = ChunkedReader(overheadBytes: overheadBytes)
        var reading = Reading()
        var start = 0
        do throws(RequestError) {
            for size in pieces where start < bytes.count {
                let piece = Array(bytes[start..<min(start + size, bytes.count)])
                var position = 0
                while true {
                    let step = try reader.next(in: piece.span, at: &position)
                    guard case .data(let range) = step else {
                        if step == .incomplete { break }
                        reading.end = start + position
                        return reading
                    }
                    #expect(!range.isEmpty && range.upperBound == position)
                    reading.data += piece[range]
                }
                start += piece.count
            }
        } catch {
            reading.failure = error
        }
        return reading
    }

    @Test("Random bodies with random errors are read as by the reference implementation, in any pieces")
    func agreesWithReference() {
        let seed = Seeds.fresh
        var random = SeededRandom(seed: seed)
        for _ in 0..<1_500 {
            var bytes = body(&random)
            for _ in 0..<Int.random(in: 0...2, using: &random) { mutate(&bytes, &random) }
            let reference = ReferenceChunks(bytes)
            let pieces = (0..<bytes.count).map { _ in Int.random(in: 1...20, using: &random) }
            let reading = read(bytes, pieces: pieces)
            #expect(reading == read(bytes, pieces: [bytes.count]), "seed \(seed): \(bytes)")
            #expect(reading.end == reference?.end, "seed \(seed): \(bytes)")
            if let reference { #expect(reading.data == reference.data, "seed \(seed): \(bytes)") }
        }
    }

    private func body(_ random: inout SeededRandom) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let data = (0..<Int.random(in: 1...30, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            let size = String(data.count, radix: 16, uppercase: Bool.random(using: &random))
            bytes += "\(size)\(["", ";a", ";a=\"b;c\""].randomElement(using: &random) ?? "")\r\n".utf8 + data + Array("\r\n".utf8)
        }
        return bytes + "0\r\n\(["", "A: b\r\n", "A:\r\nB: \t\r\n"].randomElement(using: &random) ?? "")\r\nrest".utf8
    }

    private func mutate(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        let tokens = ["\r", "\n", "\r\n", "0", "f", ";", " ", "0\r\n\r\n", ":", "\0", "\u{7F}", "-", "x"]
        let position = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[position] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: position)
        default: bytes.insert(contentsOf: (tokens.randomElement(using: &random) ?? "").utf8, at: position)
        }
    }

    @Test("A refusal and an end are final")
    func final() throws {
        var reader = ChunkedReader()
        var position = 0
        let error = try #require(throws: RequestError.self) { try reader.next(in: Array("x".utf8).span, at: &position) }
        #expect(throws: error) { try reader.next(in: Array("0\r\n\r\n".utf8).span, at: &position) }

        var other = ChunkedReader()
        let bytes = Array("0\r\n\r\n5\r\nhello".utf8)
        position = 0
        #expect(try other.next(in: bytes.span, at: &position) == .end)
        #expect(try other.next(in: bytes.span, at: &position) == .end)
        #expect(position == 5)
    }

    @Test("Extensions and trailers share one limit")
    func overhead() {
        let bytes = Array("1;abc\r\nx\r\n0;d\r\nT: e\r\n\r\n".utf8)
        #expect(read(bytes, pieces: [bytes.count], overheadBytes: 8).end == bytes.count)
        #expect(read(bytes, pieces: [bytes.count], overheadBytes: 7).failure?.status == .headersTooLarge)
    }
}
