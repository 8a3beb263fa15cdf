import TestSupport
import Testing

@testable import HTTP

@Suite("Request IDs")
struct RequestIDTests {
    @Test("An ID has the 13 digits of its number in base 32, and other bytes remain", arguments: Seeds.fixed(1))
    func digits(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let random64 = (0..<10_000).map { _ in UInt64.random(in: .min ... .max, using: &random) }
        for number in [0, 1, .max, 1 << 63, 0x0123_4567_89AB_CDEF] + (0..<64).map({ 1 << $0 }) + random64 {
            var bytes = [UInt8](repeating: 7, count: RequestID.digitCount + 2)
            bytes.withUnsafeMutableBytes { RequestID.write(number, over: UnsafeMutableRawBufferPointer(rebasing: $0[1...])) }
            let digits = String(number, radix: 32)
            let expected = Array((String(repeating: "0", count: RequestID.digitCount - digits.utf8.count) + digits).utf8)
            guard bytes == [7] + expected + [7] else {
                Issue.record("seed \(seed): \(number) is written as \(bytes)")
                return
            }
        }
    }

    @Test("The text, the appended bytes and the bytes of a batch are the same digits")
    func forms() {
        let ids = RequestIDs(count: 50)
        var bytes = [UInt8](repeating: 7, count: ids.count * RequestID.digitCount)
        bytes.write(over: 0..<bytes.count, times: ids.count) { ids.write($1, over: $0) }
        var appended: [UInt8] = []
        for index in 0..<ids.count { ids[index].append(to: &appended) }
        #expect(bytes == appended && bytes == (0..<ids.count).flatMap { Array(ids[$0].text.utf8) })
        #expect(Set((0..<ids.count).map { ids[$0] }).count == ids.count)
    }
}
