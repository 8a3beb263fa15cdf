import Security
import Telemetry
import Testing

@testable import Access

@Suite("An access token")
struct AccessTokenTests {
    private let token = AccessToken(random: Array(0..<42))

    @Test("A token has a prefix and 256 random bits, and parses to the same token")
    func text() throws {
        #expect(token.prefix == "vtr_abcdefghij")
        #expect(token.secret.exposed == "vtr_abcdefghij_CgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCk")
        let read = try #require(AccessToken(token.secret.exposed))
        #expect(read.prefix == token.prefix && read.secret == token.secret)
    }

    @Test("A printed token shows its prefix and not its secret")
    func secrecy() {
        let printed = "\(token) \(String(reflecting: token))"
        #expect(printed.contains("vtr_abcdefghij") && !printed.contains("CgsMDQ4P"))
    }

    @Test(
        "A malformed text is not a token",
        arguments: [
            "", "vtr_", "vtr_abcdefghij", "vtr_abcdefghij_", "vtr_abcdefghij_CgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKC",
            "vtr_abcdefghij_CgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCkk", "vtr_abcdefghi1_CgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCk",
            "vtr_ABCDEFGHIJ_CgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCk", "xtr_abcdefghij_CgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCk",
            "vtr_abcdefghij-CgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCk", "vtr_abcdefghij_CgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKC+",
            // The last two bits of the last character are unused and have to be zero.
            "vtr_abcdefghij_CgsMDQ4PEBESExQVFhcYGRobHB0eHyAhIiMkJSYnKCl",
        ])
    func malformed(text: String) {
        #expect(AccessToken(text) == nil)
    }

    @Test("A token scope includes the scopes below it")
    func scopes() {
        #expect(TokenScope.allCases == TokenScope.allCases.sorted() && TokenScope.read < .curate)
    }
}
