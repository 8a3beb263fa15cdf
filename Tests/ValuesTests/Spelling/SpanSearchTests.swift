import TestSupport
import Testing
import Values

@Suite("A search for a byte") struct SpanSearchTests {
    @Test("It finds the first occurrence at or after its start, as a comparison of each byte does")
    func first() {
        var random = SeededRandom(seed: Seeds.fresh)
        // Neighbors of the byte and of its highest bit are those that a comparison of whole words can confuse.
        let alphabet: [UInt8] = [0x0A, 0x0B, 0x09, 0x8A, 0x8B, 0x00, 0xFF]
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                Int.random(in: 0..<4, using: &random) > 0 ? 0x0B : alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            }
            let start = Int.random(in: 0...bytes.count, using: &random)
            let byte = alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            let found = bytes.span.firstIndex(of: byte, from: start)
            #expect(found == bytes[start...].firstIndex(of: byte), "seed \(Seeds.fresh): \(bytes)")
        }
    }
}
