import Testing
import Values

@Suite("A UUID")
struct UUIDTests {
    @Test(
        "The text of a UUID reads back in either case",
        arguments: [
            (0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, "01234567-89ab-cdef-fedc-ba9876543210"),
            (0xa0b1_c2d3_e4f5_0617, 0x2839_4a5b_6c7d_8e9f, "a0b1c2d3-e4f5-0617-2839-4a5b6c7d8e9f"),
            (0, 0, "00000000-0000-0000-0000-000000000000"), (.max, .max, "ffffffff-ffff-ffff-ffff-ffffffffffff"),
        ] as [(UInt64, UInt64, String)])
    func text(high: UInt64, low: UInt64, text: String) {
        let id = UUID(high: high, low: low)
        #expect(id.description == text)
        #expect(UUID(text) == id && UUID(text.uppercased()) == id)
    }

    @Test("A text of another length, or with another character at any position, is not a UUID")
    func malformed() {
        let text = Array("01234567-89ab-cdef-fedc-ba9876543210".utf8)
        let digits = Set("0123456789abcdefABCDEF".utf8)
        for position in text.indices {
            let isHyphen = text[position] == UInt8(ascii: "-")
            for byte in UInt8.min...UInt8.max where isHyphen ? byte != text[position] : !digits.contains(byte) {
                var other = text
                other[position] = byte
                #expect(!Self.isRead(other), "\(String(decoding: other, as: UTF8.self))")
            }
        }
        #expect(!Self.isRead(text.dropLast()) && !Self.isRead(text + text))
    }

    private static func isRead(_ bytes: [UInt8]) -> Bool { UUID(utf8: bytes.span) != nil }
}
