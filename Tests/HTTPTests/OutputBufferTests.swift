import TestSupport
import Testing

@testable import HTTP

@Suite("Output")
struct OutputBufferTests {
    /// Returns a block of letters.
    private static func block(_ count: Int, _ random: inout SeededRandom) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0x61...0x7A, using: &random) }
    }

    /// The number of digits that are written over each copy, from its second byte on.
    private static let place = 5

    /// Appends copies of a block with successive numbers from `first` on, and returns their bytes.
    private static func append(_ block: [UInt8], times count: Int, from first: Int, to output: OutputBuffer) -> [UInt8] {
        func digits(_ index: Int) -> [UInt8] { Array("\(first + index + 10_000)".utf8.suffix(place)) }
        output.append(block, times: count) { copy, index in
            UnsafeMutableRawBufferPointer(rebasing: copy[1...place]).copyBytes(from: digits(index))
        }
        var expected: [UInt8] = []
        for index in 0..<count {
            let start = expected.count
            expected.append(contentsOf: block)
            expected.replaceSubrange(start + 1..<start + 1 + place, with: digits(index))
        }
        return expected
    }

    @Test(
        "Copies of blocks, heads and bodies are sent complete and in their order, whatever earlier turns sent", arguments: Seeds.fixed(3))
    func order(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let blocks = [6, 700, 2_900, 2_900, 40_000].map { Self.block($0, &random) }
        let body = SharedBytes(Self.block(3_000, &random))
        let output = OutputBuffer()
        // One for each connection.
        let transports = (0..<2).map { _ in CollectingTransport() }
        var backlogs = transports.map { _ in PendingOutput() }
        var expected = transports.map { _ in [UInt8]() }
        var (number, partial) = (0, 0)
        for turn in 0..<500 {
            let side = Int.random(in: 0...1, using: &random)
            let first = blocks[Int.random(in: 0..<blocks.count, using: &random)]
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                switch Int.random(in: 0..<8, using: &random) {
                case 0:
                    let head = Array("head \(turn)\n".utf8)
                    output.head += head
                    expected[side] += head
                case 1:
                    output.append(body)
                    expected[side] += body.array
                case let choice:
                    let block = choice == 2 ? blocks[Int.random(in: 0..<blocks.count, using: &random)] : first
                    let count = Int.random(in: 1...9, using: &random)
                    expected[side] += Self.append(block, times: count, from: number, to: output)
                    number += count
                }
            }
            let waiting = backlogs[side].count + output.count
            #expect(output.isEmpty == (output.count == 0))
            let isBlocked = Int.random(in: 0..<3, using: &random) == 0
            transports[side].rooms = isBlocked ? [Int.random(in: 0...max(1, 2 * waiting), using: &random), 0] : []
            _ = output.flush(through: transports[side], backlog: &backlogs[side])
            if !backlogs[side].isEmpty { partial += 1 }
            let sent = transports[side].bytes
            let isSent = sent == Array(expected[side].prefix(expected[side].count - backlogs[side].count))
            guard output.isEmpty, isSent else {
                Issue.record("seed \(seed), turn \(turn): other bytes were sent")
                return
            }
            transports[side].bytes = []
            expected[side].removeFirst(sent.count)
        }
        #expect(partial > 50)
    }

    @Test("A turn with copies of one block is one write of one part, and a turn with another block sends that block")
    func copies() {
        var random = SeededRandom(seed: 1)
        let blocks = (0..<2).map { _ in Self.block(2_000, &random) }
        let output = OutputBuffer()
        for (number, block) in [0, 0, 1, 1, 0].enumerated() {
            let expected = Self.append(blocks[block], times: 8, from: 8 * number, to: output)
            #expect(output.head.isEmpty && output.count == expected.count)
            #expect(output.takeBytes() == expected && output.isEmpty)
        }
        // Two blocks in a turn, and copies that are larger together than those that are kept.
        for blocks in [blocks, [blocks[0], blocks[0]]] {
            let expected = blocks.flatMap { Self.append($0, times: 30, from: 0, to: output) }
            #expect(!output.head.isEmpty && output.count == expected.count)
            #expect(output.takeBytes() == expected)
        }
    }
}
