import Testing
import Values

@Suite("A percent encoding") struct PercentEncodingTests {
    @Test(
        "Unreserved bytes and the given ones are not encoded",
        arguments: [("aZ09-._~", "aZ09-._~"), ("a/b c", "a/b%20c"), ("%", "%25"), ("é\u{0}\u{7F}", "%C3%A9%00%7F"), ("", "")])
    func encoding(text: String, encoded: String) {
        #expect(text.percentEncoded { $0 == UInt8(ascii: "/") } == encoded)
        #expect(text.percentEncoded() == encoded.replacing("/", with: "%2F"))
    }

    @Test("Decoding restores the text", arguments: ["", "aZ09-._~", "a/b c?=&", "日本", "100 %"])
    func roundTrip(text: String) { #expect(String(percentDecoding: Array(text.percentEncoded().utf8)[...]) == text) }

    @Test("Invalid encodings are not decoded", arguments: ["%", "%4", "%4x", "%G0", "%00", "%FF", "a%"])
    func invalid(text: String) { #expect(String(percentDecoding: Array(text.utf8)[...]) == nil) }
}
