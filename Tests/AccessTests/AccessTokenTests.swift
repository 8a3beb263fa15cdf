import Security
import Telemetry
import Testing

@testable import Access

@Suite("A token")
struct AccessTokenTests {
    private let token = AccessToken(random: Array(0..<42))

    @Test("is a prefix and 256 bits, and is read back as it was written")
    func text() throws {
        #expect(token.prefix == "vtr_abcdefghij")
        #expect(token.secret.exposed == "vtr_abcdefghij_CgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCk")
        let read = try #require(AccessToken(token.secret.exposed))
        #expect(read.prefix == token.prefix && read.secret == token.secret)
    }

    @Test("is not printed by accident")
    func secrecy() {
        let printed = "\(token) \(String(reflecting: token))"
        #expect(printed.contains("vtr_abcdefghij") && !printed.contains("CgsMDQ4P"))
    }

    @Test(
        "is nothing else",
        arguments: [
            "", "vtr_", "vtr_abcdefghij", "vtr_abcdefghij_", "vtr_abcdefghij_CgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKC",
            "vtr_abcdefghij_CgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCkk", "vtr_abcdefghi1_CgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCk",
            "vtr_ABCDEFGHIJ_CgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCk", "xtr_abcdefghij_CgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCk",
            "vtr_abcdefghij-CgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCk", "vtr_abcdefghij_CgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKC+",
            // The last character has two bits that stand for nothing.
            "vtr_abcdefghij_CgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCl",
        ])
    func malformed(text: String) {
        #expect(AccessToken(text) == nil)
    }

    @Test("may do what its scope includes")
    func scopes() {
        #expect(TokenScope.allCases == TokenScope.allCases.sorted() && TokenScope.read < .curate)
    }
}
