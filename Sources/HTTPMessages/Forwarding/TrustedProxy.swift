/// A trusted proxy: any peer in a network, or any peer of a Unix socket.
package enum TrustedProxy: Sendable, Hashable {
    case network(IPAddress, prefix: Int)
    case unix

    /// Parses `unix`, an address, or a network such as `10.0.0.0/8`. Returns nil if the text is something else, and if the address
    /// has bits beyond its prefix.
    package init?(_ text: String) {
        guard text != "unix" else {
            self = .unix
            return
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = IPAddress(parts[0]) else { return nil }
        var prefix = 128
        if parts.count == 2 {
            let offset = parts[0].utf8.contains(UInt8(ascii: ":")) ? 0 : 96
            guard (1...3).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy(\.isDigit), let number = Int(parts[1]),
                number + offset <= 128
            else { return nil }
            prefix = number + offset
        }
        guard address.bits & Self.rest(of: prefix) == 0 else { return nil }
        self = .network(address, prefix: prefix)
    }

    func contains(_ peer: IPAddress) -> Bool {
        guard case .network(let address, let prefix) = self else { return false }
        return peer.bits & ~Self.rest(of: prefix) == address.bits
    }

    private static func rest(of prefix: Int) -> UInt128 { prefix == 0 ? .max : (1 << (128 - prefix)) - 1 }
}

extension TrustedProxy: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unix: "unix"
        case .network(let address, prefix: 128): "\(address)"
        case .network(let address, let prefix): "\(address)/\(address.isIPv4 ? prefix - 96 : prefix)"
        }
    }
}
