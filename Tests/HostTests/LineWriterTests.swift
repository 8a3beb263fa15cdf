import Host
import TestSupport
import Testing

@Suite("The line writer", .onOwnThread)
struct LineWriterTests {
    /// The delivered lines, and a gate that blocks all deliveries until it is opened.
    private final class Reader: Sendable {
        let lines = Locked<[String]>([])
        let arrived = BlockingPromise<Void>()
        let gate = BlockingPromise<Void>()
        private let isFirst = Locked(true)

        func take(_ line: [UInt8]) -> Bool {
            let isFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if isFirst {
                arrived.fulfill(())
                gate.wait()
            }
            lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
            return true
        }
    }

    @Test("A slow reader blocks no writer, and lines beyond the full queue are dropped and counted")
    func slowReader() throws {
        let reader = Reader()
        let writer = try LineWriter(limit: 100) { reader.take($0) }
        writer.write(Array("first".utf8))
        reader.arrived.wait()
        let start = ContinuousClock.now
        // Twenty of these fit into the queue while the reader is blocked.
        for _ in 0..<10_000 { writer.write(Array("again".utf8)) }
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(writer.droppedLines == 9_980)
        #expect(!writer.flush(within: .milliseconds(1)))
        reader.gate.fulfill(())
        #expect(writer.flush(within: .seconds(60)))
        #expect(reader.lines.withLock { $0 } == ["first"] + [String](repeating: "again", count: 20))
        writer.close(within: .seconds(60))
        writer.write([1])
        #expect(writer.droppedLines == 9_981)
    }

    @Test("Every line is delivered in order, and undeliverable ones are counted")
    func order() throws {
        let lines = Locked<[UInt8]>([])
        let writer = try LineWriter { line in
            lines.withLock { $0 += line }
            return line[0] % 2 == 0
        }
        for number in 0..<200 as Range<UInt8> { writer.write([number]) }
        writer.close(within: .seconds(60))
        #expect(lines.withLock { $0 } == Array(0..<200))
        #expect(writer.droppedLines == 100)
    }
}
