import Security
import Testing

@Suite struct DigestTests {
    @Test(
        "SHA-256 matches the examples of FIPS 180-4",
        arguments: [
            ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ])
    func sha256(text: String, times: Int, expected: String) {
        let digest = Digest.sha256(Array(String(repeating: text, count: times).utf8))
        #expect(digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == expected)
    }

    @Test("A tag is the first twelve bytes of SHA-256 in 24 digits")
    func tag() {
        #expect(Digest.tag(of: Array("abc".utf8)) == "ba7816bf8f01cfea414140de")
        #expect(Digest.tag(of: []) == "e3b0c44298fc1c149afbf4c8")
    }
}
