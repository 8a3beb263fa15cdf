internal import HTTPMessages

/// Whom mistakes are counted for: an address, or of IPv6 the /64 that one customer has to choose from.
enum ClientNetwork: Hashable {
    case network(UInt128)
    /// A socket in the file system, or what is no address.
    case local

    init(_ text: String) {
        guard let address = IPAddress(text) else {
            self = .local
            return
        }
        self = .network(address.block)
    }
}
