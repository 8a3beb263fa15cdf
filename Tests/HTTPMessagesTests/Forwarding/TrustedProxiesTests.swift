import HTTPMessages
import TestSupport
import Testing

@Suite("Trusted proxies")
struct TrustedProxiesTests {
    private func proxies(_ texts: String...) throws -> TrustedProxies { TrustedProxies(try texts.map { try #require(TrustedProxy($0)) }) }

    private func client(_ proxies: TrustedProxies, _ lines: [String]) -> String? {
        proxies.client(HTTPFields("X-Forwarded-For", lines)).map(\.description)
    }

    @Test(
        "The client is the last address that is not a trusted proxy",
        arguments: [
            (["192.0.2.1"], "192.0.2.1"), (["192.0.2.1, 10.0.0.2"], "192.0.2.1"), (["192.0.2.1, 10.0.0.2, 10.9.9.9"], "192.0.2.1"),
            (["192.0.2.1", "10.0.0.2"], "192.0.2.1"), (["10.0.0.2", "192.0.2.1"], "192.0.2.1"),
            // The earlier addresses are made up by a client.
            (["127.0.0.1, 192.0.2.1"], "192.0.2.1"), (["10.0.0.1, 192.0.2.1, 10.0.0.2"], "192.0.2.1"),
            (["<script>, 192.0.2.1"], "192.0.2.1"),
            (["203.0.113.9, 192.0.2.1"], "192.0.2.1"), (["203.0.113.9\u{600}, 192.0.2.1"], "192.0.2.1"),
            ([",\u{301}, 192.0.2.1"], "192.0.2.1"),
            // All are proxies: the first one sent the request for itself.
            (["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
            (["2001:DB8::7"], "2001:db8::7"), (["192.0.2.1, fd00::1"], "192.0.2.1"), (["::ffff:192.0.2.1"], "192.0.2.1"),
            (["192.0.2.1, ::ffff:10.0.0.2"], "192.0.2.1"),
            (["192.0.2.1:4711"], "192.0.2.1"), (["[2001:db8::7]:443, 10.0.0.2:80"], "2001:db8::7"), (["[2001:db8::7]"], "2001:db8::7"),
            ([" , 192.0.2.1 ,\t"], "192.0.2.1"),
        ] as [([String], String)])
    func client(lines: [String], expected: String) throws {
        #expect(client(try proxies("10.0.0.0/8", "fd00::/8", "unix"), lines) == expected)
    }

    @Test(
        "A missing or invalid address yields no client",
        arguments: [
            [], [""], [","], ["unknown"], ["192.0.2.1, unknown"], ["192.0.2.1, _hidden, 10.0.0.2"], ["192.0.2.1, unix"], ["192.0.2.256"],
            ["192.0.2.1, 010.0.0.2"], ["192.0.2"], ["192.0.2.1.1"], ["192.0.2.1:"], ["192.0.2.1:999999"], ["192.0.2.1:x"], ["[192.0.2.1"],
            ["[::1]x"], ["::1]"], ["fe80::1%eth0"], ["1:2:3:4:5:6:7"], ["1:2:3:4:5:6:7:8:9"], ["1::2::3"], [":1:2:3:4:5:6:7:8"],
            ["1:2:3:4:5:6:7:8:"], ["1:2:3:4:5:6:7::8"], ["12345::"], ["::g"], [":::"], [":"], ["::1.2.3"], ["1.2.3.4::"], ["1:1.2.3.4"],
            ["\u{661}.1.1.1"],
            ["192.0.2.1 10.0.0.2"], ["\"192.0.2.1\""],
        ])
    func nobody(lines: [String]) throws {
        #expect(client(try proxies("10.0.0.0/8"), lines) == nil)
    }

    @Test("The last forwarded protocol decides whether the client's connection is encrypted")
    func encryption() throws {
        for (lines, expected) in [
            (["https"], true), (["HTTPS"], true), (["http"], false), (["http, https"], true), (["https", "http"], false), ([], nil),
            ([""], nil),
            (["wss"], nil), (["https, on"], nil),
        ] as [([String], Bool?)] {
            #expect(try proxies().isEncrypted(HTTPFields("x-forwarded-proto", lines)) == expected, "\(lines)")
        }
    }

    @Test("A peer is trusted by its address, of either family, or as a Unix socket")
    func peers() throws {
        let proxies = try proxies("10.1.0.0/16", "192.0.2.7", "2001:db8::/33", "::1")
        for peer in ["10.1.255.1", "192.0.2.7", "::ffff:10.1.2.3", "2001:db8:7fff::1", "::1"] {
            #expect(proxies.trust(peer: peer), "\(peer)")
        }
        for peer in ["10.2.0.1", "192.0.2.8", "2001:db8:8000::1", "::2", "::", "0.0.0.1", "unix", "", "10.1.0.0/16"] {
            #expect(!proxies.trust(peer: peer), "\(peer)")
        }
        #expect(try self.proxies("unix").trust(peer: "unix"))
        #expect(try self.proxies("0.0.0.0/0").trust(peer: "203.0.113.1") && !self.proxies("0.0.0.0/0").trust(peer: "2001:db8::1"))
        #expect(try self.proxies("::/0").trust(peer: "203.0.113.1") && !self.proxies("::/0").trust(peer: "unix"))
        #expect(try self.proxies().isEmpty && !self.proxies().trust(peer: "127.0.0.1"))
    }

    @Test(
        "The description of a proxy is its canonical text",
        arguments: ["unix", "192.0.2.7", "10.0.0.0/8", "0.0.0.0/0", "::/0", "::1", "2001:db8::/32", "1:0:0:2::3", "1:2:3:4:5:6:0:8", "1::"])
    func text(text: String) {
        #expect(TrustedProxy(text)?.description == text)
    }

    @Test(
        "An invalid proxy and address bits beyond the prefix are refused",
        arguments: [
            "", "Unix", "localhost", "10.0.0.1/8", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/8/8", "/8", "10.0.0.0/+8", "10.0.0.0/-1",
            "10.0.0.0/0008", "2001:db8::1/32", "10.0.0.0 /8", "10.*", "[::1]", "::1%lo",
        ])
    func refusal(text: String) {
        #expect(TrustedProxy(text) == nil)
    }

    @Test("A description of an address parses to the same address")
    func roundTrip() throws {
        let seed = Seeds.fresh
        var random = SeededRandom(seed: seed)
        for _ in 0..<2_000 {
            let groups = (0..<8).map { _ in Bool.random(using: &random) ? 0 : UInt16.random(in: 0...UInt16.max, using: &random) }
            let address = try #require(IPAddress(groups.map { String($0, radix: 16, uppercase: true) }.joined(separator: ":")))
            #expect(IPAddress(address.description) == address, "seed \(seed), \(groups)")
        }
    }
}
