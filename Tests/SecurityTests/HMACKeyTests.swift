import Testing

@testable import Security

@Suite("A message key")
struct HMACKeyTests {
    /// Test case 6 of RFC 4231: a key longer than a block.
    @Test("The code of a message matches RFC 4231")
    func code() throws {
        let key = try #require(HMACKey([UInt8](repeating: 0xAA, count: 131)))
        let code = key.code(of: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8))
        let text = code.map { $0 < 16 ? "0\(String($0, radix: 16))" : String($0, radix: 16) }.joined()
        #expect(text == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    }

    @Test("A key has at least 32 bytes, and random keys differ")
    func keys() {
        #expect(HMACKey([UInt8](repeating: 1, count: 31)) == nil && HMACKey([UInt8](repeating: 1, count: 32)) != nil)
        #expect(HMACKey.random().code(of: [1]) != HMACKey.random().code(of: [1]))
    }

    @Test("Codes are compared by all of their bytes")
    func comparison() {
        #expect(HMACKey.areEqual([1, 2, 3], [1, 2, 3]) && HMACKey.areEqual([], []))
        #expect(!HMACKey.areEqual([1, 2, 3], [1, 2, 4]) && !HMACKey.areEqual([1, 2], [1, 2, 3]))
    }
}
