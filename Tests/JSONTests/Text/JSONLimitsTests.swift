import JSON
import Testing

@Suite("JSONLimits")
struct JSONLimitsTests {
    private func code(_ text: String, _ limits: JSONLimits) -> JSONIssue.Code? {
        do throws(JSONError) {
            _ = try JSONDocument(parsing: text, limits: limits)
            return nil
        } catch {
            return error.issues.first?.code
        }
    }

    @Test("A text at a limit is parsed, and a text above the limit is rejected")
    func boundaries() {
        #expect(code("[12]", JSONLimits(bytes: 4)) == nil)
        #expect(code("[123]", JSONLimits(bytes: 4)) == .tooLarge)
        #expect(code("[[{}]]", JSONLimits(depth: 3)) == nil)
        #expect(code("[[[{}]]]", JSONLimits(depth: 3)) == .tooDeep)
        #expect(code("[[],[[]],[]]", JSONLimits(depth: 3)) == nil)
        #expect(code(#"{"é2":1}"#, JSONLimits(keyBytes: 3)) == nil)
        #expect(code(#"{"\u00e9\u0032":1}"#, JSONLimits(keyBytes: 3)) == nil)
        #expect(code(#"{"é23":1}"#, JSONLimits(keyBytes: 3)) == .keyTooLong)
        #expect(code("-1.5", JSONLimits(numberBytes: 4)) == nil)
        #expect(code("-1.55", JSONLimits(numberBytes: 4)) == .numberTooLong)
        #expect(code(#"{"a":[1]}"#, JSONLimits(values: 4)) == nil)
        #expect(code(#"{"a":[1,2]}"#, JSONLimits(values: 4)) == .tooManyValues)
        #expect(code(#"{"a":1,"b":2}"#, JSONLimits(values: 3)) == .tooManyValues)
    }

    @Test("A published document is not checked for UTF-8, and text that is not is repaired when it is read")
    func published() throws {
        let text = Array(#"{"a":""#.utf8) + [0xFF, 0xE3, 0x81] + Array(#"","b":"\n"#.utf8) + [0xC3] + Array(#""}"#.utf8)
        #expect(throws: JSONError.self) { try JSONDocument(parsing: text, limits: .ownOutput) }
        let root = try JSONDocument(parsing: text, limits: .published).root
        #expect(root["a"]?.string == "\u{FFFD}\u{FFFD}" && root["b"]?.string == "\n\u{FFFD}")
    }

    @Test("The defaults are 32 levels, keys of 128 bytes and 64 KiB")
    func defaults() {
        let nested = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
        #expect(code(nested(32), JSONLimits()) == nil)
        #expect(code(nested(33), JSONLimits()) == .tooDeep)
        #expect(code(nested(30_000), JSONLimits()) == .tooDeep)
        #expect(code("{\"\(String(repeating: "k", count: 128))\":1}", JSONLimits()) == nil)
        #expect(code("{\"\(String(repeating: "k", count: 129))\":1}", JSONLimits()) == .keyTooLong)
        #expect(code(String(repeating: " ", count: 65_535) + "1", JSONLimits()) == nil)
        #expect(code(String(repeating: " ", count: 65_536) + "1", JSONLimits()) == .tooLarge)
    }

    @Test("A limit above the supported maximum is lowered, and a negative limit is zero")
    func clamped() {
        #expect(JSONLimits(depth: .max).depth == 512)
        #expect(JSONLimits.ownOutput.bytes == 1 << 30)
        #expect(code("1", JSONLimits(bytes: -1)) == .tooLarge)
        #expect(code("[]", JSONLimits(depth: .min)) == .tooDeep)
        #expect(code("[1]", JSONLimits(values: -5)) == .tooManyValues)
    }

    @Test("A number beyond the range of a double is rejected in every notation")
    func longNumbers() {
        #expect(code(String(repeating: "9", count: 309), JSONLimits(numberBytes: 1000)) == .numberOutOfRange)
        #expect(code(String(repeating: "9", count: 308), JSONLimits(numberBytes: 1000)) == nil)
        #expect(code("0." + String(repeating: "0", count: 900) + "1", JSONLimits(numberBytes: 1000)) == nil)
    }
}
