import Arguments
import Settings
import TestSupport
import Testing

@Suite("An address to listen on")
struct ListenAddressTests {
    @Test(
        "An address is parsed in each of its forms and printed as it was",
        arguments: [
            ("127.0.0.1:8080", .host("127.0.0.1", port: 8080)), ("localhost:0", .host("localhost", port: 0)),
            ("[::1]:8080", .host("::1", port: 8080)), ("[fe80::1%eth0]:1", .host("fe80::1%eth0", port: 1)),
            ("*:65535", .anyHost(port: 65_535)),
            ("unix:/run/vitrine.sock", .unix("/run/vitrine.sock")),
        ] as [(String, ListenAddress)])
    func forms(text: String, address: ListenAddress) throws {
        #expect(try ListenAddress(parsing: text) == address)
        #expect(address.description == text)
    }

    @Test(
        "Addresses overlap if one program cannot listen on both",
        arguments: [
            ("127.0.0.1:80", "127.0.0.1:80", true), ("127.0.0.1:80", "127.0.0.1:81", false), ("127.0.0.1:80", "127.0.0.2:80", false),
            ("*:80", "127.0.0.1:80", true), ("0.0.0.0:80", "127.0.0.1:80", true), ("[::]:80", "127.0.0.1:80", true),
            ("*:80", "127.0.0.1:81", false), ("*:0", "*:0", false), ("unix:/a", "unix:/a", true), ("unix:/a", "unix:/b", false),
            ("unix:/a", "*:80", false),
        ])
    func overlaps(one: String, other: String, expected: Bool) throws {
        let (one, other) = (try ListenAddress(parsing: one), try ListenAddress(parsing: other))
        #expect(one.overlaps(other) == expected && other.overlaps(one) == expected)
    }

    @Test(
        "An address in any other form is refused",
        arguments: [
            "", ":", "8080", ":8080", "localhost", "localhost:", "localhost:65536", "localhost:+1", "localhost:-1", "localhost:٣",
            "localhost:080000",
            "::1:8080", "[::1]", "[::1]8080", "[]:1", "[x]:1", "[1]:1", "[::1%]:1", "**:1", "a b:1", "http://localhost:1", "unix:",
            "unix:run.sock",
            "unix:/a\0b", "unix:/" + String(repeating: "a", count: 107), "\u{301}:1", "localhost:1\n", "*:1 ",
        ])
    func refusal(text: String) {
        #expect(throws: InvalidValue.self) { try ListenAddress(parsing: text) }
    }

    @Test("No text makes the parser trap", arguments: Seeds.fixed(1))
    func hostile(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let pieces = ["unix:", "/", "[", "]", ":", "*", "1", "a", ".", "%", "::", "\u{301}", "\0", "-", "99999"]
        for _ in 0..<10_000 {
            let text = (0..<Int.random(in: 0...8, using: &random)).compactMap { _ in pieces.randomElement(using: &random) }.joined()
            guard let address = accepted(text) else { continue }
            #expect(address.description.utf8.elementsEqual(text.utf8), "seed \(seed), \(text)")
        }
    }

    private func accepted(_ text: String) -> ListenAddress? {
        do { return try ListenAddress(parsing: text) } catch { return nil }
    }
}
