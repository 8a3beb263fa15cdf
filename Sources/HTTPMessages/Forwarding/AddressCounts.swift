/// The number of admissions of each client, within a limit. A client is an IPv4 address or a /64 network of IPv6.
///
/// Exempt addresses, Unix sockets and texts that are not addresses have no limit.
package struct AddressCounts: Sendable {
    /// One admission of a client.
    package enum Admission: Sendable, Hashable {
        case counted(UInt128)
        case unlimited
    }

    private let limit: Int
    private let exempt: TrustedProxies
    private var counts: [UInt128: Int] = [:]

    package init(limit: Int, exempt: TrustedProxies = TrustedProxies([])) {
        self.limit = limit
        self.exempt = exempt
    }

    package var clients: Int { counts.count }

    /// Admits a client, or returns nil if it has reached the limit.
    package mutating func admit(_ text: String) -> Admission? {
        guard let address = IPAddress(text), !exempt.trust(address) else { return .unlimited }
        let count = counts[address.block, default: 0]
        guard count < limit else { return nil }
        counts[address.block] = count + 1
        return .counted(address.block)
    }

    package mutating func release(_ admission: Admission) {
        guard case .counted(let block) = admission, let count = counts[block] else { return }
        counts[block] = count > 1 ? count - 1 : nil
    }
}
