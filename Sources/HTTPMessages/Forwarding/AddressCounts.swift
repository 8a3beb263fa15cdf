/// The number of things that each client has, within a limit: by its address, or by its /64 network for IPv6. Exempt addresses, Unix sockets and what
/// is no address have no limit.
package struct AddressCounts: Sendable {
    /// One of the things that a client has.
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

    /// Returns nil if the client has as many as it may.
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
