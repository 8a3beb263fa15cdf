import HTTPMessages
import Testing

@Suite("Counts per address")
struct AddressCountsTests {
    @Test("An IPv4 address counts alone and an IPv6 address with its /64 network, and a client without connections is forgotten")
    func blocks() {
        var counts = AddressCounts(limit: 2)
        let admissions = ["192.0.2.1", "::ffff:192.0.2.1", "2001:db8::1", "2001:db8::2:0:0:1"].map { counts.admit($0) }
        #expect(!admissions.contains(nil) && counts.clients == 2)
        #expect(counts.admit("192.0.2.1") == nil && counts.admit("2001:db8::3") == nil)
        #expect(counts.admit("192.0.2.2") != nil && counts.admit("2001:db8:0:1::1") != nil)
        for admission in admissions.compactMap(\.self) { counts.release(admission) }
        #expect(counts.clients == 2 && counts.admit("192.0.2.1") != nil)
    }

    @Test("Exempt addresses and invalid ones have no limit")
    func exempt() {
        var counts = AddressCounts(limit: 1, exempt: TrustedProxies(["10.0.0.0/8", "2001:db8::/32"].compactMap(TrustedProxy.init)))
        for address in ["10.1.2.3", "2001:db8::1", "unix", "nonsense", "10.1.2.3", "2001:db8::1", "unix"] {
            #expect(counts.admit(address) == .unlimited)
        }
        counts.release(.unlimited)
        #expect(counts.clients == 0)
        #expect(counts.admit("192.0.2.1") != nil && counts.admit("192.0.2.1") == nil)
    }
}
